/**
 * The prompts of FastWorkflow as data: the fields that each is given, the fields that it must answer, and its objective.
 *
 * Field names are FastWorkflow's own; the scripted model recognizes a prompt by its output fields.
 */

import type { CallRole, StrategyOptions } from '../../port.ts';
import { hasCompat } from '../options.ts';

export interface InputField {
  readonly name: string;
  readonly description: string;
}

interface OutputFieldBase {
  readonly name: string;
  readonly description: string;
  /** A reply without it can still be used; its value is then the empty text. @default false */
  readonly optional?: boolean;
}

/** `choice` must be one of a closed set, `object` is a JSON object, `flag` is `true` or `false`. */
export type OutputField =
  | (OutputFieldBase & { readonly kind: 'text' | 'object' | 'flag' })
  | (OutputFieldBase & { readonly kind: 'choice'; readonly choices: readonly string[] });

export type SignatureName = 'plan' | 'replan' | 'react' | 'extract' | 'summary' | 'clarify' | 'rank';

/**
 * Prompts of one kind start with the same system message and are one conversation: what they share is sent, and paid
 * for, once. `react` and `extract` share all but the reminder.
 */
export type PromptKind = 'plan' | 'replan' | 'agent' | 'summary' | 'clarify' | 'rank';

export interface Signature {
  readonly name: SignatureName;
  readonly kind: PromptKind;
  readonly role: CallRole;
  readonly inputs: readonly InputField[];
  readonly outputs: readonly OutputField[];
  readonly objective: string;
  /** The prompt starts with the command catalogue and the policy. */
  readonly grounded: boolean;
}

function text(name: string, description: string): OutputField {
  return { name, kind: 'text', description };
}

function optionalText(name: string, description: string): OutputField {
  return { ...text(name, description), optional: true };
}

/** Comes first in an answer, so that the other fields can follow from it. */
const reasoning = optionalText('reasoning', 'step by step, how the other fields follow from the input');

/** The tools of the ReAct loop, in the order in which the model reads them. */
export const TOOLS = [
  {
    name: 'what_can_i_do',
    arguments: '{}',
    description: 'Lists every available command with its parameters. Costs nothing and changes nothing.',
  },
  {
    name: 'execute_workflow_query',
    arguments: '{"command": {"type": "string"}}',
    description:
      'Runs one command and returns what it answered. Write the name of the command as plain text, then one XML tag ' +
      'per parameter: command_name <first_parameter>value</first_parameter> <second_parameter>value</second_parameter>. ' +
      'Parameter names are those of the command list; an empty tag is a value only where the list says so; a list is a ' +
      'JSON array. The values shown as examples are invented, never use them. One command per call: of several the ' +
      'first alone is carried out. After a PARAMETER EXTRACTION ERROR, give the complete command again instead of ' +
      'answering the error.',
  },
  {
    name: 'intent_misunderstood',
    arguments: '{}',
    description: 'Lists the commands again. For the case that another command ran than the one that was meant.',
  },
  {
    name: 'ask_user',
    arguments: '{"clarification_request": {"type": "string"}}',
    description:
      'Puts a question to the customer in plain text without markup, and waits for the answer. For what no command ' +
      'can tell: missing details, a choice, or a confirmation that the policy asks for. Before asking for a missing ' +
      'parameter, make sure with what_can_i_do that the command is the right one.',
  },
  {
    name: 'finish',
    arguments: '{}',
    description: 'Ends the work on this message. For when everything that final_answer needs has been gathered.',
  },
] as const;

export type ToolName = (typeof TOOLS)[number]['name'];

const nextSteps = text('next_steps', 'a numbered list of short sentences, one task a line');

const planningObjective = [
  'Study what the customer wants and write down the next steps of an agent that can only use the commands listed above.',
  'Treat the available_from hints as a graph: a value that is not known yet comes from a command that is named there.',
  '',
  'Nearly everything can be looked up with commands, so plan a look-up before a question. Two exceptions must be steps of their own:',
  '- something is missing that no command can tell: plan to ask the customer for it;',
  '- the policy wants a confirmation first: plan to ask the customer for that confirmation.',
].join('\n');

const plan: Signature = {
  name: 'plan',
  kind: 'plan',
  role: 'agent/planner',
  inputs: [{ name: 'user_query', description: 'what the customer wrote' }],
  outputs: [reasoning, nextSteps],
  objective: planningObjective,
  grounded: true,
};

const replan: Signature = {
  name: 'replan',
  kind: 'replan',
  role: 'agent/planner',
  inputs: [
    { name: 'agent_inputs', description: 'what the agent was working on, with the plan it had' },
    { name: 'agent_trajectory', description: 'what the agent has done about it so far' },
    { name: 'user_response', description: 'what came in since: an answer, an error, or a new message' },
  ],
  outputs: [reasoning, nextSteps],
  objective: `${planningObjective}\n\nPlan only what is still to be done; steps that the trajectory shows as finished are not repeated.`,
  grounded: true,
};

const agentInputs: readonly InputField[] = [
  { name: 'user_query', description: 'what the customer wants, with the planned steps' },
  { name: 'trajectory', description: 'the steps that were taken and what each of them gave' },
];

function react(options: StrategyOptions): Signature {
  const thought: OutputField[] = options.useReasoning
    ? [optionalText('next_thought', 'where things stand and what to do next')]
    : [];
  const tools = TOOLS.map((tool, i) => `(${i + 1}) ${tool.name}: ${tool.description} Arguments: ${tool.arguments}`);
  return {
    name: 'react',
    kind: 'agent',
    role: 'agent',
    inputs: agentInputs,
    outputs: [
      ...thought,
      {
        name: 'next_tool_name',
        kind: 'choice',
        choices: TOOLS.map((tool) => tool.name),
        description: 'the tool to use now',
      },
      { name: 'next_tool_args', kind: 'object', description: 'the arguments of that tool' },
    ],
    objective: [
      'You are an agent who serves a customer. Read the request with care, then carry out the planned steps with the tools.',
      'Nothing that the customer asked for may be left open when you finish; what cannot be done must be known with its reason.',
      '',
      `You choose one tool at a time${options.useReasoning ? ', after a thought' : ''}. Its observation is added to the trajectory, which you see at your next turn.`,
      'The tools:',
      '',
      ...tools,
      '',
      'next_tool_args is always a JSON object, {} for a tool without arguments.',
    ].join('\n'),
    grounded: true,
  };
}

const extract: Signature = {
  name: 'extract',
  kind: 'agent',
  role: 'agent/extract',
  inputs: agentInputs,
  outputs: [
    reasoning,
    text(
      'final_answer',
      'the complete message to the customer: for every request the outcome, with the facts that prove it',
    ),
  ],
  objective: 'Write the answer to the customer from what the trajectory shows, and from nothing else.',
  grounded: true,
};

const summary: Signature = {
  name: 'summary',
  kind: 'summary',
  role: 'agent/summary',
  inputs: [
    { name: 'user_query', description: 'what the customer wanted' },
    { name: 'workflow_actions', description: 'the commands that ran and the questions that were asked, with results' },
    { name: 'final_agent_response', description: 'what the customer was told in the end' },
  ],
  outputs: [
    reasoning,
    text('conversation_summary', 'one paragraph that keeps ids, amounts, decisions and everything still open'),
  ],
  objective: 'Sum up this part of the conversation for an agent who will go on with it and sees nothing else of it.',
  grounded: false,
};

/** The prompts of a run with these options. */
export function signaturesFor(options: StrategyOptions): Readonly<Record<SignatureName, Signature>> {
  return { plan, replan, react: react(options), extract, summary, clarify: clarify(options), rank };
}

const HUMAN_NEEDED = 'whether only the customer can tell what is meant';

/** Asks which command was meant by one that is ambiguous or not understood. */
function clarify(options: StrategyOptions): Signature {
  // FastWorkflow leaves the type open, and takes whatever is written there as yes.
  const needsHuman: OutputField = hasCompat(options, 'fastworkflow-needs-human')
    ? optionalText('needs_human', HUMAN_NEEDED)
    : { name: 'needs_human', kind: 'flag', description: HUMAN_NEEDED };
  return {
    name: 'clarify',
    kind: 'clarify',
    role: 'agent/clarification',
    inputs: [
      { name: 'original_command', description: 'what the agent wrote, which was not carried out' },
      { name: 'error_message', description: 'why not, with the commands that come into question' },
      { name: 'agent_inputs', description: 'what the agent is working on, with its plan' },
      { name: 'agent_trajectory', description: 'what the agent has done about it so far' },
    ],
    outputs: [
      reasoning,
      optionalText(
        'clarified_command',
        "the complete command that was meant: the command's name, then its parameters in XML tags; empty when " +
          'needs_human is true',
      ),
      needsHuman,
      optionalText('clarification_question', 'the question to the customer when needs_human is true, else empty'),
    ],
    objective: [
      'An agent has written a command that cannot be matched with one of the commands there are. Find out from its task,',
      'its plan and its steps so far which command it meant, and write that command out in full.',
      '',
      "Use only command names that the error message gives, and only values that the agent's words or steps contain.",
      'The customer is needed only when nothing that you are given tells which command is meant.',
    ].join('\n'),
    grounded: false,
  };
}

/** Asks how likely each command is meant by words that name none. */
const rank: Signature = {
  name: 'rank',
  kind: 'rank',
  role: 'agent/ranker',
  inputs: [
    { name: 'commands', description: 'the commands there are' },
    { name: 'utterance', description: 'what was written in place of a command' },
  ],
  outputs: [
    reasoning,
    {
      name: 'command_confidences',
      kind: 'object',
      description:
        'from 0 to 1, how likely it is that each command is meant, by command name; commands that are not meant may ' +
        'be left out, all of them when none is',
    },
  ],
  objective: 'Say which of the commands the utterance asks for. Judge what it wants done, not which words it shares.',
  grounded: false,
};
