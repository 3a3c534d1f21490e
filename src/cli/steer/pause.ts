/** The body of `tauflow pause`. */

import { pause } from '../../../workflows/client.ts';
import type { CliContext } from '../context.ts';
import { findRun, notUnderWay, type PlaceFlags } from '../find-run.ts';
import { askProgress, steer, tellSteered } from './update.ts';

export interface SteerFlags extends PlaceFlags {
  readonly json?: boolean;
}

export async function pauseRun(runId: string, flags: SteerFlags, context: CliContext): Promise<void> {
  await findRun(runId, flags, context, {
    underWay: async (run) => {
      await steer(run, pause);
      const progress = await askProgress(run);
      const sentence = `${runId} is paused: what is open goes on to its end, nothing else is opened`;
      tellSteered({ runId, request: 'pause', progress }, sentence, flags.json, context);
    },
    atRest: (run) => Promise.reject(notUnderWay(run, context)),
  });
}
