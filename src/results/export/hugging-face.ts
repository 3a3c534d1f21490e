/** The score of a run as a file for `.eval_results/` of a model's repository on Hugging Face. Pure. */

import { stringify } from 'yaml';
import type { RunManifest } from '../../run-log/index.ts';
import type { Report } from '../report/index.ts';

/** @returns YAML with a placeholder for the data set, a benchmark on the Hub; null without a score */
export function huggingFaceResult(
  { metrics }: Report,
  { config, plan, startedAt, versions }: RunManifest,
): string | null {
  const { averageReward } = metrics.errorsAsFailures;
  if (averageReward === null) return null;
  const trials = `${String(plan.taskIds.length)} tasks, ${String(plan.numTrials)} trials each`;
  const entry = {
    dataset: { id: 'FILL IN', task_id: config.env },
    value: Number((100 * averageReward).toFixed(2)),
    date: startedAt.slice(0, 10),
    notes: `pass^1 in percent; ${trials}, split ${config.split}, strategy ${config.strategy}, user ${config.userModel.model}; Tauflow ${versions['tauflow'] ?? ''}`,
  };
  return stringify([entry], { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' });
}
