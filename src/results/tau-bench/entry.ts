/**
 * One episode as tau-bench's results file has it: same keys, same order, same numbers, so that the benchmark's own
 * tools read it.
 */

import { PyFloat, dumpJson } from '../../benchmark/python/index.ts';
import { RESPOND } from '../../benchmark/index.ts';
import { episodeName } from '../../wire/index.ts';
import { withFloats, type EpisodeRecord } from '../log/index.ts';

const FLOATS: ReadonlySet<string> = new Set(['reward', 'r_actions', 'r_outputs']);

/**
 * The entry as text, indented to stand in the file's list (from its second line on); null for an episode that is no
 * result: it was cancelled, or its actions were only decided, which other tools would average in as a failure.
 */
export function resultsEntry(record: EpisodeRecord): string | null {
  if (record.outcome.kind === 'cancelled' || record.outcome.kind === 'decision_only') return null;
  const error = errorOf(record);
  const entry = {
    task_id: record.task_id,
    reward: new PyFloat(error === null ? record.reward : 0),
    info: error ?? infoOf(record),
    traj: error === null ? record.trajectory : [],
    trial: record.trial,
  };
  return dumpJson(entry, { indent: 2 }).replaceAll('\n', '\n  ');
}

/** What the reference's steps leave in `info`, merged: the task, the last step's source, and the grade if there is one. */
function infoOf(record: EpisodeRecord) {
  const { task, reward_info } = record;
  const last = record.steps.at(-1);
  return {
    task: { user_id: task.user_id, actions: task.actions, instruction: task.instruction, outputs: task.outputs },
    source: last === undefined || last.name === RESPOND ? 'user' : last.name,
    user_cost: record.outcome.kind === 'max_steps' ? null : userCost(record),
    reward_info: withFloats(reward_info, FLOATS),
  };
}

/**
 * The reference's figure: the cost of the simulated user's last completion, supervisors not counted. The sums are in
 * the episode's record.
 */
function userCost(record: EpisodeRecord): PyFloat | null {
  const cost = record.usage.find((usage) => usage.role === 'user')?.last_call_cost_usd;
  if (cost !== undefined) return cost === null ? null : new PyFloat(cost);
  return record.config.user_strategy === 'human' ? new PyFloat(0) : null;
}

function errorOf(record: EpisodeRecord): { error: string; traceback: string } | null {
  const { outcome } = record;
  if (outcome.kind === 'agent_error' || outcome.kind === 'infrastructure_error') {
    return described(record, outcome.kind, outcome.error, outcome.message);
  }
  // Out of steps: never graded by the reference, so its grading cannot raise.
  if (record.grade_error === null || outcome.kind === 'max_steps') return null;
  return described(record, 'agent_error', 'ungradable_content', record.grade_error);
}

/** Nothing of when and where it ran: equal runs have equal results files. */
function described(record: EpisodeRecord, kind: string, error: string, message: string) {
  const steps = `after ${String(record.steps.length)} steps`;
  return {
    error: message,
    traceback: `${kind} (${error}): ${message}\n  ${steps}, in ${episodeName({ taskId: record.task_id, trial: record.trial })}\n`,
  };
}
