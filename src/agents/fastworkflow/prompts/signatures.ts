/**
 * The prompts of FastWorkflow as data: input fields, output fields, and objective of each.
 *
 * Field names are FastWorkflow's own; the scripted model recognizes a prompt by its output fields.
 */

import type { CallRole, StrategyOptions } from '../../port.ts';

/** Returns the marker line before a field. */
export function marker(field: string): string {
  return `[[ ## ${field} ## ]]`;
}

export interface InputField {
  readonly name: string;
  readonly description: string;
}

interface OutputFieldBase {
  readonly name: string;
  readonly description: string;
  /** True if a reply without the field can still be used; its value is then the empty text. @default false */
  readonly optional?: boolean;
}

/** Type of a field: a `choice` is from a closed set, an `object` is a JSON object, a `flag` is `true` or `false`. */
export type OutputField =
  | (OutputFieldBase & { readonly kind: 'text' | 'flag' })
  | (OutputFieldBase & {
      readonly kind: 'object';
      /** The object's only key, with a text value, for each choice; null for no key. @default any keys */
      readonly argumentOf?: Readonly<Record<string, string | null>>;
    })
  | (OutputFieldBase & { readonly kind: 'choice'; readonly choices: readonly string[] });

export type SignatureName = 'plan' | 'replan' | 'react' | 'extract' | 'summary' | 'clarify' | 'rank';

export interface Signature {
  readonly name: SignatureName;
  /**
   * Name of the thread. Prompts of one thread show the same inputs, which enter the workflow's history once: `react`
   * and `extract` differ only in their instructions.
   */
  readonly thread: string;
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

/** First field of an answer, from which the other fields follow. */
const reasoning = optionalText('reasoning', 'step by step, how the other fields follow from the input');

/** The tools of the ReAct loop, in the order in which the model reads them. */
export const TOOLS = ['what_can_i_do', 'execute_workflow_query', 'intent_misunderstood', 'ask_user', 'finish'] as const;

export type ToolName = (typeof TOOLS)[number];

/** The argument of each tool, a text; null: the tool has none. */
export const ARGUMENTS = {
  what_can_i_do: null,
  execute_workflow_query: 'command',
  intent_misunderstood: null,
  ask_user: 'clarification_request',
  finish: null,
} as const satisfies Record<ToolName, string | null>;

const DESCRIPTIONS: Readonly<Record<Exclude<ToolName, 'ask_user'>, string>> = {
  what_can_i_do: 'Lists every command with its parameters. Costs nothing and changes nothing.',
  execute_workflow_query:
    "Runs one command and returns its result. Write the command's name as plain text, then one XML tag per parameter: " +
    'command_name <first_parameter>value</first_parameter> <second_parameter>value</second_parameter>. Use the ' +
    'parameter names of the command list. A list is a JSON array. Leave a tag empty only where the list says that a ' +
    'value may be empty. The example values in the list are invented: never use them. Give one command per call: of ' +
    'several, only the first is run. After a PARAMETER EXTRACTION ERROR, give the complete command again instead of ' +
    'answering the error.',
  intent_misunderstood: 'Lists the commands again. Use it when another command was run than the one you meant.',
  finish:
    'Ends the work on this message of the user. Use it when the trajectory has everything that the answer to the ' +
    'user needs; the answer is written afterwards.',
};

function describeTool(tool: ToolName, options: StrategyOptions): string {
  return tool === 'ask_user' ? describeQuestion(options) : DESCRIPTIONS[tool];
}

function describeQuestion({ omitPolicy }: StrategyOptions): string {
  const byPolicy = omitPolicy ? '' : '; and whenever the policy wants the user to be asked';
  return (
    'Puts a question to the user, in plain text without markup, and returns the answer. Use it for what no command ' +
    `returns: missing details, a choice, a confirmation${byPolicy}. Before you ask for a missing parameter, check in ` +
    'the command list that the command is the right one.'
  );
}

const nextSteps = text('next_steps', 'a numbered list of short sentences, one step per line');

function planningObjective({ omitPolicy }: StrategyOptions): string {
  return [
    'Study what the user wants and plan the next steps of an agent that can run the commands listed above and ask',
    'the user questions, nothing else. For a value that is not known yet, plan one of the commands that its',
    'available_from names.',
    '',
    'Nearly everything can be looked up with commands, so plan a look-up before a question. A question to the user is',
    'a step of its own. Plan one where',
    '- something is missing that no command returns;',
    omitPolicy
      ? '- a confirmation is needed first.'
      : '- the policy wants a confirmation, as before a change: the step names what will be changed.',
  ].join('\n');
}

function plan(options: StrategyOptions): Signature {
  return {
    name: 'plan',
    thread: 'plan',
    role: 'agent/planner',
    inputs: [{ name: 'user_query', description: 'what the user wrote' }],
    outputs: [reasoning, nextSteps],
    objective: planningObjective(options),
    grounded: true,
  };
}

function replan(options: StrategyOptions): Signature {
  return {
    name: 'replan',
    thread: 'replan',
    role: 'agent/planner',
    inputs: [
      { name: 'agent_inputs', description: 'what the agent was working on, with the plan that it had' },
      { name: 'agent_trajectory', description: 'what the agent has done about it so far' },
      { name: 'user_response', description: 'what came in since: an answer, an error, or a new message' },
    ],
    outputs: [reasoning, nextSteps],
    objective: `${planningObjective(options)}\n\nPlan only what is still to be done: leave out what the trajectory shows as done.`,
    grounded: true,
  };
}

const agentInputs: readonly InputField[] = [
  { name: 'user_query', description: 'what the user wants, with the planned steps' },
  { name: 'trajectory', description: 'the steps that were taken, each with its observation' },
];

function react(options: StrategyOptions): Signature {
  const thought: OutputField[] = options.useReasoning
    ? [optionalText('next_thought', 'where things stand and what to do next')]
    : [];
  return {
    name: 'react',
    thread: 'agent',
    role: 'agent',
    inputs: agentInputs,
    outputs: [
      ...thought,
      { name: 'next_tool_name', kind: 'choice', choices: TOOLS, description: 'the tool to use now' },
      {
        name: 'next_tool_args',
        kind: 'object',
        argumentOf: ARGUMENTS,
        description: 'the arguments of that tool',
      },
    ],
    objective: reactObjective(options),
    grounded: true,
  };
}

function reactObjective(options: StrategyOptions): string {
  const tools = TOOLS.map((tool, i) => {
    const argument = ARGUMENTS[tool];
    const args = argument === null ? '{}' : `{"${argument}": "..."}`;
    return `(${i + 1}) ${tool}: ${describeTool(tool, options)} Arguments: ${args}`;
  });
  return [
    'You are an agent that helps a user. Read the request with care, then carry out the planned steps with the tools.',
    ...(options.omitPolicy
      ? []
      : [
          'Follow the policy, also where the planned steps do not. Before you run a command that changes data, tell the',
          'user what it will change and get an explicit confirmation, if the policy asks for one.',
        ]),
    'Finish only when everything that the user asked for is done, or you know why it cannot be done.',
    '',
    `Choose one tool at a time${options.useReasoning ? ', after a thought' : ''}. Its observation is added to the trajectory, which you see when you choose the next one.`,
    'The tools:',
    '',
    ...tools,
    '',
    'next_tool_args is always a JSON object, {} for a tool without arguments.',
    '',
    'An example of an answer that runs a command. The command and its values are invented to show the form:',
    '',
    exampleChoice(options),
  ].join('\n');
}

function exampleChoice({ useReasoning }: StrategyOptions): string {
  const command = 'send_parcels <parcel_ids>["P-01", "P-02"]</parcel_ids> <speed>express</speed>';
  const values: readonly (readonly [field: string, value: string])[] = [
    ...(useReasoning
      ? [['next_thought', 'The user confirmed that both parcels go by express. I send them.'] as const]
      : []),
    ['next_tool_name', 'execute_workflow_query'],
    ['next_tool_args', `{"command": ${JSON.stringify(command)}}`],
  ];
  return [...values.map(([field, value]) => `${marker(field)}\n${value}`), marker('completed')].join('\n\n');
}

const extract: Signature = {
  name: 'extract',
  thread: 'agent',
  role: 'agent/extract',
  inputs: agentInputs,
  outputs: [
    reasoning,
    text(
      'final_answer',
      'the complete message to the user: the outcome of every request, with the facts that prove it',
    ),
  ],
  objective:
    'The agent has finished its work on this message of the user. Write the answer to the user from what the ' +
    'trajectory shows, and from nothing else.',
  grounded: true,
};

const summary: Signature = {
  name: 'summary',
  thread: 'summary',
  role: 'agent/summary',
  inputs: [
    { name: 'user_query', description: 'what the user wanted' },
    { name: 'workflow_actions', description: 'the commands that ran and the questions that were asked, with results' },
    { name: 'final_agent_response', description: 'what the user was told in the end' },
  ],
  outputs: [
    reasoning,
    text('conversation_summary', 'one paragraph that keeps ids, amounts, decisions and everything still open'),
  ],
  objective: 'Summarize this part of the conversation for an agent that continues it and sees nothing else of it.',
  grounded: false,
};

export function signaturesFor(options: StrategyOptions): Readonly<Record<SignatureName, Signature>> {
  return {
    plan: plan(options),
    replan: replan(options),
    react: react(options),
    extract,
    summary,
    clarify,
    rank,
  };
}

/** Prompt: which command does an ambiguous or unclear text mean? */
const clarify: Signature = {
  name: 'clarify',
  thread: 'clarify',
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
    { name: 'needs_human', kind: 'flag', description: 'whether only the user can tell what is meant' },
    optionalText('clarification_question', 'the question to the user when needs_human is true, else empty'),
  ],
  objective: [
    'An agent wrote a command that matches none of the available commands, or several. Find out from its task, its plan',
    'and its steps so far which command it meant, and write that command out in full.',
    '',
    "Use only command names that the error message gives, and only values that the agent's words or steps contain.",
    'The user is needed only when nothing that you are given shows which command is meant.',
  ].join('\n'),
  grounded: false,
};

/** Prompt: how likely does a text without a command's name mean each command? */
const rank: Signature = {
  name: 'rank',
  thread: 'rank',
  role: 'agent/ranker',
  inputs: [
    { name: 'commands', description: 'the available commands' },
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
  objective:
    'Say which of the commands the utterance asks for. Judge by what it wants done, not by the words that it shares ' +
    'with a command.',
  grounded: false,
};
