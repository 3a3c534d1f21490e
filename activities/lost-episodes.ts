/** The activities for episodes whose workflow code cannot end them: `endStuckEpisodes` and `recordLost`. */

import { Context } from '@temporalio/activity';
import { FailureType, type EpisodeSummary } from '../src/evaluation/index.ts';
import type { EndStuckInput, EndStuckOutput, RecordLostInput } from '../src/orchestration/index.ts';
import { buildLostRecord, findSummary, removeOpenEpisode, summarizeRecord } from '../src/run-log/index.ts';
import { selectRecords, type RunFolders } from '../src/run-log/store/index.ts';
import { endStuckChildren, readLostEpisode } from '../src/temporal/client/index.ts';
import { withAttempts } from './attempts.ts';
import { loadPack, lookUpTask, type PackLookup } from './lookups.ts';

/** Most attempts, for about an hour, as for a run's records. */
const MOST_ATTEMPTS = 60;

export interface StuckEpisodesDeps {
  readonly findPack: PackLookup;
  readonly warn: (message: string) => void;
}

export function createStuckEpisodeActivities({ findPack, warn }: StuckEpisodesDeps, folders: RunFolders) {
  return {
    /** Ends the open episodes of the calling sweep whose workflow task fails again and again. */
    endStuckEpisodes: withAttempts(
      MOST_ATTEMPTS,
      async ({ config, isCancelled }: EndStuckInput): Promise<EndStuckOutput> => {
        const { client, info } = Context.current();
        return endStuckChildren(client, info.workflowExecution, { config, isCancelled, warn });
      },
    ),

    /**
     * Records an episode that ended without writing its own record: as an infrastructure error, with the cost of its
     * model calls, and without its conversation.
     */
    recordLost: withAttempts(MOST_ATTEMPTS, async (input: RecordLostInput): Promise<EpisodeSummary> => {
      const { run, episode, config, workflowId, workflowRunId } = input;
      const recorded = await folders.use(run, selectRecords([episode]), (log) =>
        findSummary(log, episode, workflowRunId, warn),
      );
      if (recorded !== null) return recorded;
      const pack = await loadPack(findPack, config.pack);
      const lost = await readLostEpisode(Context.current().client, workflowId, workflowRunId);
      const task = lookUpTask(pack, config.split, episode.taskId);
      const built = buildLostRecord(input, lost, task);
      await folders.use(run, selectRecords([episode]), async (log) => {
        await log.writeEpisode(built);
        await removeOpenEpisode(log.paths, episode);
      });
      return { ...summarizeRecord(built), fault: FailureType.EpisodeLost };
    }),
  };
}
