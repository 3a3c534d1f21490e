/**
 * Texts that all domains share: the prompts of simulated users and of text-based agents, and tool descriptions. The
 * marks in braces, the section labels and `###STOP###` are the benchmark's format; the sentences are this project's own.
 */

import type { Dumpable } from '../../../src/benchmark/python/index.ts';
import { STOP_MARKER } from '../../../src/benchmark/index.ts';

export interface Brand {
  readonly name: string;
  /** `a shop`. */
  readonly kind: string;
}

const RULES = `How to play:
- Write what the customer would type next, and no more than one line of it.
- Tell things as they are needed. The agent should have to ask for details.
- Keep to what your situation says. If you are asked for something that it does not say, such as a number, you do not have it.
- Put things into words of your own; never copy the description of your situation.
- Stay in character, and sound like a person.`;

const PLAIN_END = `- As soon as everything you came for is settled, or has been declined for good, write ${STOP_MARKER} and nothing else.`;

const REACT_END = `- As soon as everything you came for is settled, or has been declined for good, the user response is ${STOP_MARKER} and nothing else.
- Before each line, think about what the customer wants next. The agent does not see the thought.

Write in this form:

Thought:
<what you think>

User Response:
<the one line that the agent gets to read>`;

interface StrategyTexts {
  readonly system_prompt: string;
  readonly system_prompt_without_instruction: string;
}

function strategyTexts(kind: string, end: string): StrategyTexts {
  const role = `You play a customer who writes to the service agent of ${kind}.`;
  return {
    system_prompt: `${role}\n\nYour situation: {instruction}\n\n${RULES}\n${end}`,
    system_prompt_without_instruction: `${role}\n\n${RULES}\n${end}`,
  };
}

const SUPERVISED = `Below are a conversation so far (Transcript) and the line that a simulated customer wants to say next (Response).`;

/** The content of `user-prompts.json`. */
export function userPrompts({ name, kind }: Brand): Dumpable {
  return {
    first_user_message: `Hello, this is ${name}. What can I do for you?`,
    stop_marker: STOP_MARKER,
    strategies: {
      llm: strategyTexts(kind, PLAIN_END),
      react: strategyTexts(kind, REACT_END),
      verify: strategyTexts(kind, PLAIN_END),
      reflection: strategyTexts(kind, PLAIN_END),
    },
    verify_prompt: `You check the work of somebody who plays a customer. ${SUPERVISED} Is the line what this customer would say here: true to the situation, nothing made up, nothing left out that was asked for?
Answer with the one word true or false.

# Transcript:
{transcript}

# Response:
{response}

-----

Verdict:`,
    reflect_prompt: `You coach somebody who plays a customer. ${SUPERVISED} You have found the line wanting. Say in a few words what is wrong with it, then write a better line.

# Transcript:
{transcript}

# Response:
{response}

# Write in this form:

Reflection:
<what is wrong>

Response:
<the better line, as the agent will read it>`,
    transcript_line: '{label}: {content}',
    transcript_joiner: '\n',
    role_labels: { user: 'Customer', assistant: 'Agent' },
    default_max_attempts: { verify: 3, reflection: 2 },
  };
}

const EXAMPLE_TOOL = `{"type": "function", "function": {"name": "get_opening_hours", "description": "Tells when a branch is open.", "parameters": {"type": "object", "properties": {"branch": {"type": "string", "description": "The branch, for example 'Harbour Street'."}, "day": {"type": "string", "enum": ["weekday", "weekend"]}}, "required": ["branch", "day"]}}}`;
const EXAMPLE_CALL = `{"name": "get_opening_hours", "arguments": {"branch": "Harbour Street", "day": "weekend"}}`;
const EXAMPLE_ANSWER = `{"name": "respond", "arguments": {"content": "At the weekend Harbour Street is open from ten to four."}}`;

const ACTION_FORM = `Action:
{"name": <name of a tool, or respond>, "arguments": <its arguments as a JSON object>}`;

const ACTION_RULES = `What follows "Action:" is read by a program: it has to be one valid JSON object on its own, without a code fence. To write to the customer, use the name respond with the argument content. Never fill an argument with something invented.`;

const ACT_INSTRUCTION = `
# Your task
Serve the customer by the policy above, with the tools above. Each of your turns has this form and no other:

${ACTION_FORM}

${ACTION_RULES}

An example. If there were a tool
${EXAMPLE_TOOL}
and a customer asked when Harbour Street is open on Sunday, your turn would be
Action:
${EXAMPLE_CALL}

and after the output "10:00-16:00" it would be
Action:
${EXAMPLE_ANSWER}
`;

const REACT_INSTRUCTION = `
# Your task
Serve the customer by the policy above, with the tools above. Each of your turns has this form and no other:

Thought:
<one line: what you know now and what follows from it>
${ACTION_FORM}

${ACTION_RULES}

An example. If there were a tool
${EXAMPLE_TOOL}
and a customer asked when Harbour Street is open on Sunday, your turn would be
Thought:
Sunday is at the weekend, and the branch was named, so I can look the hours up.
Action:
${EXAMPLE_CALL}

and after the output "10:00-16:00" it would be
Thought:
I have the hours and can answer.
Action:
${EXAMPLE_ANSWER}
`;

/** The content of `agent-prompts.json`. */
export function agentPrompts(): Dumpable {
  return {
    act_instruction: ACT_INSTRUCTION,
    react_instruction: REACT_INSTRUCTION,
    tool_observation_prefix: 'API output: ',
    tool_calling_system_prompt: '{wiki}',
    few_shot_system_prompt: '{wiki}\n\n{few_shots}',
    few_shot_block: 'Example {number}:\n{messages_display}',
    few_shot_joiner: '\n\n',
    num_few_shots: 5,
    max_num_steps: 30,
    respond_action: { name: 'respond', field: 'content' },
  };
}

export type Parameter = Readonly<Record<string, unknown>>;

type ToolText = readonly [description: string, parameters: Readonly<Record<string, Parameter>>];

/** Tool → what it does, and its parameters in order; all are required. */
export type ToolTexts = Readonly<Record<string, ToolText>>;

export const text = (description: string): Parameter => ({ type: 'string', description });

export const common = {
  calculate: [
    'Works out an arithmetic expression and gives the result rounded to two decimals.',
    {
      expression: text(
        "What to work out, for example '19.5 + 2 * 4'. Numbers, + - * /, brackets, points and spaces may occur in it.",
      ),
    },
  ],
  think: [
    'Notes a thought down for yourself. Nothing is looked up and nothing changes; use it to put facts in order before you decide.',
    { thought: text('The thought.') },
  ],
  transfer: [
    'Hands the customer over to a colleague and ends your part. Only for requests that lie outside of your tools and your policy.',
    { summary: text('What the colleague has to know, in a sentence or two.') },
  ],
} as const satisfies ToolTexts;

/** The content of `tools.json`. */
export function functionSchemas(tools: ToolTexts): Dumpable {
  return Object.entries(tools).map(([name, [description, properties]]) => ({
    type: 'function',
    function: {
      name,
      description,
      parameters: { type: 'object', properties, required: Object.keys(properties) },
    },
  }));
}

/** The content of `terminate_tools.json` in every domain. */
export const TERMINATE_TOOLS: readonly string[] = ['transfer_to_human_agents'];
