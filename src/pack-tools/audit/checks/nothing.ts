/** Tasks whose final data are those of doing nothing. */

import { finding, isWrite, type AuditedTask, type PackContext } from '../task.ts';
import type { Finding } from '../types.ts';

export function isUnchanged({ replay }: AuditedTask): boolean {
  return replay.outcome.length === 0;
}

/** An agent that does and says nothing, and only lets the user stop, gets the reward. */
export function isDoNothing(audited: AuditedTask): boolean {
  return isUnchanged(audited) && audited.task.outputs.length === 0;
}

export function checkNothing(audited: AuditedTask, context: PackContext): Finding[] {
  if (!isUnchanged(audited)) return [];
  const { calls } = audited.replay;
  const writes = calls.filter((call) => isWrite(call, context)).length;
  const why =
    calls.length === 0
      ? 'The ground truth has no actions'
      : writes === 0
        ? 'The ground truth writes nothing'
        : writes === 1
          ? "The ground truth's one write comes to nothing"
          : "The ground truth's writes come to nothing";
  if (isDoNothing(audited)) {
    return [
      finding(audited, 'do-nothing', 'remark', `${why} and nothing has to be told, so an idle agent gets the reward.`),
    ];
  }
  const { outputs } = audited.task;
  const evidence = outputs.map((output) => JSON.stringify(output));
  return [finding(audited, 'words-only', 'remark', `${why}, so only what is told decides.`, evidence)];
}
