/** The body of `tauflow resume`: goes on with a run, whether it is paused, has lost episodes, or is at rest. */

import { resume, retry } from '../../../workflows/client.ts';
import type { SweepProgress } from '../../wire/index.ts';
import type { CliContext } from '../context.ts';
import { findRun, type RunUnderWay } from '../find-run.ts';
import { requireLog, takeUp, type HostFlags } from './take-up.ts';
import { askProgress, episodes, steer, tellSteered } from './update.ts';

export async function resumeRun(runId: string, flags: HostFlags, context: CliContext): Promise<void> {
  const isUnderWay = await findRun(runId, flags, context, {
    underWay: async (run) => {
      await resumeSweep(run, flags, context);
      return true;
    },
    atRest: async (run) => {
      await requireLog(run);
      return false;
    },
  });
  if (!isUnderWay) context.end(await takeUp(runId, flags, context));
}

async function resumeSweep(run: RunUnderWay, { json }: HostFlags, context: CliContext): Promise<void> {
  const { runId } = run;
  await steer(run, resume);
  const before = await askProgress(run);
  const again = before !== null && brokenOf(before) > 0 ? await steer(run, retry, 'failed') : 0;
  const progress = again === 0 ? before : await askProgress(run);
  const sentence = `${runId} goes on${again === 0 ? '' : `, and runs ${episodes(again)} again`}`;
  tellSteered({ runId, request: 'resume', retried: again, progress }, sentence, json, context);
}

/** Episodes that infrastructure ended or somebody cancelled. */
function brokenOf({ outcomes }: SweepProgress): number {
  return (outcomes.infrastructure_error ?? 0) + (outcomes.cancelled ?? 0);
}
