/** Options and model roles of FastWorkflow. Flags, config file keys and the names of variants derive from them. */

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

/** Options of a run; absent ones have their defaults. */
export type FastWorkflowOptions = StrategyOptions &
  Partial<OptionValues<typeof FASTWORKFLOW_OPTIONS>> & {
    /**
     * Set by the workflow for an episode that started with version 1, in which the agent refused and shortened nothing.
     */
    readonly isOfVersion1?: boolean;
  };

/**
 * Roles that can have models of their own. By default the agent's model makes every call, as in FastWorkflow's example
 * settings. The answer at the end of a turn (`agent/extract`) is always by the agent's model.
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
