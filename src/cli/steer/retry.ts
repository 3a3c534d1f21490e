/** The body of `tauflow retry`: episodes of a run once more, those that were lost or those that are named. */

import { retry } from '../../../workflows/client.ts';
import { readSteering, readSweepInput } from '../../temporal/client/index.ts';
import { sweepWorkflowId, type EpisodeKey } from '../../wire/index.ts';
import type { CliContext } from '../context.ts';
import { parseSelection, selectEpisodes, type EpisodeFlags, type Selection } from './episodes.ts';
import { findRun, type RunAtRest, type RunUnderWay } from '../find-run.ts';
import { setAside } from './set-aside.ts';
import { requireLog, takeUp, type HostFlags } from './take-up.ts';
import { askProgress, episodes, steer, tellSteered } from './update.ts';

export interface RetryFlags extends HostFlags, EpisodeFlags {}

/** @param names `task-17.trial-0`; none, and no flags: what infrastructure ended or somebody cancelled */
export async function retryEpisodes(
  runId: string,
  names: readonly string[],
  flags: RetryFlags,
  context: CliContext,
): Promise<void> {
  const selection = parseSelection(names, flags);
  const atRest = await findRun<{ readonly only: readonly EpisodeKey[] | null } | null>(runId, flags, context, {
    underWay: async (run) => {
      await retryUnderWay(run, selection, flags, context);
      return null;
    },
    atRest: async (run) => ({ only: await retryAtRest(run, selection, context) }),
  });
  if (atRest !== null) context.end(await takeUp(runId, flags, context, atRest.only));
}

async function retryUnderWay(
  run: RunUnderWay,
  selection: Selection | null,
  { json }: RetryFlags,
  context: CliContext,
): Promise<void> {
  const { runId } = run;
  const count = await steer(run, retry, selection === null ? 'failed' : await chosenOf(run, selection));
  const progress = await askProgress(run);
  const sentence = count === 0 ? `${runId} has no episode to run again` : `${runId} runs ${episodes(count)} again`;
  tellSteered({ runId, request: 'retry', retried: count, progress }, sentence, json, context);
}

async function chosenOf({ runId, temporal: { client } }: RunUnderWay, selection: Selection): Promise<EpisodeKey[]> {
  const workflowId = sweepWorkflowId(runId);
  const input = await readSweepInput(client, workflowId);
  const { numTrials } = await readSteering(client, workflowId, input);
  return selectEpisodes(selection, { ...input.plan, numTrials });
}

/**
 * What was cancelled, or ended by infrastructure, runs again whenever a run is resumed: nothing has to be moved.
 * @returns the only episodes to run; null: whatever is not done
 */
async function retryAtRest(
  run: RunAtRest,
  selection: Selection | null,
  context: CliContext,
): Promise<readonly EpisodeKey[] | null> {
  await requireLog(run);
  if (selection === null || run.manifest === null) return null;
  const chosen = selectEpisodes(selection, run.manifest.plan);
  const count = await setAside(run.log, chosen);
  context.log(`${episodes(count)} of ${run.runId} set aside, to run again`);
  return chosen;
}
