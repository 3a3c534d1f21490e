/**
 * Options, model roles and reproducible defects of FastWorkflow: flags, config file keys and the names of variants derive
 * from them.
 */

import type { OptionValues } from '../options.ts';
import type { ModelRole, StrategyOption, StrategyOptions } from '../port.ts';

export const FASTWORKFLOW_OPTIONS = [
  {
    key: 'toolNames',
    help: 'tools that commands stand for under another name',
    value: { kind: 'pairs', of: 'command', to: 'tool' },
  },
  {
    key: 'parameterTries',
    help: "how often a command's parameters may be given",
    value: { kind: 'integer', min: 1, default: 1 },
  },
  {
    key: 'intentRanker',
    help: 'ranks commands for words that name none',
    value: { kind: 'choice', choices: ['trained', 'lexical', 'llm'], default: 'trained' },
  },
] as const satisfies readonly StrategyOption[];

/** Absent options have their defaults. */
export type FastWorkflowOptions = StrategyOptions & Partial<OptionValues<typeof FASTWORKFLOW_OPTIONS>>;

/**
 * Roles that can have models of their own. By default the agent's model makes every call, as FastWorkflow's own example settings give all roles one model.
 * Writing the answer at the end of a turn (`agent/extract`) is always the agent's.
 */
export const FASTWORKFLOW_ROLES: readonly ModelRole[] = [
  {
    name: 'planner',
    description: 'plans a turn, plans anew, and sums finished turns up',
    calls: ['agent/planner', 'agent/summary'],
  },
  {
    name: 'param-extraction',
    description: 'reads the parameters of a command that its tags do not give',
    calls: ['agent/extraction'],
    // The original draws up to three readings at this temperature.
    temperature: 1,
  },
  {
    name: 'clarification',
    description: 'decides what a command was meant to be that is ambiguous or not understood',
    calls: ['agent/clarification'],
  },
  {
    name: 'ranker',
    description: 'ranks the commands for words that name none, where a model does that',
    calls: ['agent/ranker'],
  },
];

export function optionNotes({ toolNames, parameterTries, intentRanker }: FastWorkflowOptions): string[] {
  const notes: string[] = [];
  if (toolNames !== undefined) {
    const pairs = Object.entries(toolNames).map(([command, tool]) => `${command}=${tool}`);
    notes.push(`Commands went to tools of other names (--tool-names): ${pairs.join(', ')}.`);
  }
  if (parameterTries !== undefined) {
    notes.push(`A command’s parameters could be given ${parameterTries} times (--parameter-tries).`);
  }
  if (intentRanker === 'llm') notes.push('A model ranked commands for words that name none (--intent-ranker llm).');
  return notes;
}

/**
 * Behaviour that published scores rest on and the port does not have: what 3.6.0 does otherwise than 2.24.1, and defects and
 * habits that decide how they were graded, what the model read at every step, and what lost tasks. Each has a name
 * (`--compat`) that brings it back, so that its effect can be measured.
 */
export const FASTWORKFLOW_COMPAT = {
  'fastworkflow-iterations':
    'count iterations per episode instead of per turn: after 25 without a question, a turn has one tool call',
  'fastworkflow-legacy-catalogue':
    "show the command list in FastWorkflow's form and with its content: no parameter names, rules or defaults",
  'fastworkflow-core-commands':
    'list go_up, reset_context, what_can_i_do and what_is_current_context among the commands',
  'fastworkflow-transfer-last-resort': 'allow a transfer as a last resort, as the fork does',
  'fastworkflow-last-resort-questions': 'let the agent ask the user only as a last resort',
  'fastworkflow-example-refusal': 'read parameters with a model when one of them equals an example of its field',
  'fastworkflow-all-or-nothing-tags':
    'read all parameters with a model, from the whole text, when one of their tags is missing or empty',
  'fastworkflow-unconfirmed-writes': 'run a write on a likely reading of the words, without asking the clarifier',
  'fastworkflow-needs-human': "take any needs_human but an empty one as yes, 'False' too",
  'fastworkflow-labels': "give the agent the command's label and the raw observation",
  'fastworkflow-stale-data': 'show the agent data without its own earlier changes, as the fork did',
  'fastworkflow-first-command': 'run the first of several commands in one text, as 2.24.1 does',
  'fastworkflow-repeated-commands': 'let a command run again right after it repeated its own result, as 2.24.1 does',
  'fastworkflow-full-observations': 'show every observation of a turn in full, as 2.24.1 does',
  'fastworkflow-double-grading': 'grade as the fork did: the data always count as right, only outputs are checked',
} as const satisfies Record<`fastworkflow-${string}`, string>;

export type FastWorkflowCompat = keyof typeof FASTWORKFLOW_COMPAT;

/** Workflows of version 1 began when the agent did as 2.24.1 here. */
const OF_VERSION_1: readonly FastWorkflowCompat[] = [
  'fastworkflow-first-command',
  'fastworkflow-repeated-commands',
  'fastworkflow-full-observations',
];

/** @returns the options under which an episode that a workflow of this version began goes on as it began */
export function optionsOfVersion(version: number, options: StrategyOptions): StrategyOptions {
  return version > 1 ? options : { ...options, compat: [...(options.compat ?? []), ...OF_VERSION_1] };
}

export function hasCompat({ compat }: Pick<StrategyOptions, 'compat'>, name: FastWorkflowCompat): boolean {
  return compat?.includes(name) ?? false;
}
