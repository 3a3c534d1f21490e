/**
 * Defects and habits of FastWorkflow 2.24.1, and of the tau-bench fork that published its scores, which this port
 * mends, each under a name (`--compat`) that brings it back, so that its effect can be measured.
 */

import type { StrategyOptions } from '../port.ts';

export const FASTWORKFLOW_COMPAT = {
  'fastworkflow-iterations':
    'count iterations per episode instead of per turn: after 25 without a question, a turn has one tool call',
  'fastworkflow-legacy-catalogue':
    'show the command list without parameter names, required or optional, allowed values and defaults',
  'fastworkflow-core-commands': 'offer go_up, reset_context and what_is_current_context among the commands',
  'fastworkflow-self-exchange': 'refuse to exchange an item for itself, which three test tasks of retail ask for',
  'fastworkflow-any-reason': "take any reason for a cancellation, and 'ordered by mistake' where none is given",
  'fastworkflow-example-refusal': 'read parameters with a model when one of them equals an example of its field',
  'fastworkflow-flat-plan': 'put the planned steps on one line',
  'fastworkflow-forgotten-answers': 'forget what was answered in a turn without commands or questions',
  'fastworkflow-restart': 'start the turn again, commands included, when a reply cannot be read',
  'fastworkflow-bare-json': 'leave the command list out when an answer is asked for again as JSON',
  'fastworkflow-needs-human': "take any needs_human but an empty one as yes, 'False' too",
  'fastworkflow-clarified-name': 'take only the name from a clarified command, the parameters from the first wording',
  'fastworkflow-labels': "give the agent the command's label and the raw observation instead of JSON",
  'fastworkflow-stale-data': 'show the agent data without its own earlier changes, as the fork did',
  'fastworkflow-double-grading': 'grade as the fork did: the data always count as right, only outputs are checked',
} as const satisfies Record<`fastworkflow-${string}`, string>;

export type FastWorkflowCompat = keyof typeof FASTWORKFLOW_COMPAT;

export function hasCompat({ compat }: Pick<StrategyOptions, 'compat'>, name: FastWorkflowCompat): boolean {
  return compat?.includes(name) ?? false;
}
