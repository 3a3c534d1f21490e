/**
 * `endStuckEpisodes` and `recordLost`: what is done from outside about episodes whose workflow code cannot end them.
 */

import { Context } from '@temporalio/activity';
import { buildEpisodeRecord, summarizeRecord } from '../src/results/log/index.ts';
import { CANCELLED_PATIENCE, PATIENCE, blamedFor, endIfStuck, readLostEpisode } from '../src/temporal/client/index.ts';
import {
  FailureType,
  parseWorkflowId,
  type EndStuckInput,
  type EndStuckOutput,
  type EpisodeSummary,
  type RecordInput,
  type RecordLostInput,
} from '../src/wire/index.ts';
import { withAttempts } from './attempts.ts';
import { loadPack, taskOf, type PackLookup } from './lookups.ts';
import type { RunFolders } from './run-folder.ts';

export interface StuckEpisodesDeps {
  readonly findPack: PackLookup;
  readonly warn: (message: string) => void;
}

/** About an hour, as for a run's records. */
const MOST_ATTEMPTS = 60;

export function createStuckEpisodeActivities({ findPack, warn }: StuckEpisodesDeps, folders: RunFolders) {
  return {
    /** Ends those of the calling sweep's open episodes whose workflow task fails again and again. */
    endStuckEpisodes: withAttempts(
      MOST_ATTEMPTS,
      async ({ config, isCancelled }: EndStuckInput): Promise<EndStuckOutput> => {
        const { client, info } = Context.current();
        const { workflowId, runId } = info.workflowExecution ?? { workflowId: '' };
        const { raw } = await client.workflow.getHandle(workflowId, runId).describe();
        const patience = isCancelled ? CANCELLED_PATIENCE : PATIENCE;
        let [ended, failing] = [0, 0];
        for (const { workflowId: id } of raw.pendingChildren ?? []) {
          if (!id) continue;
          const { task, trial } = parseWorkflowId(id);
          if (task === undefined || trial === undefined) continue;
          const end = await endIfStuck(client, id, patience, blamedFor({ taskId: task, trial }, config));
          if (end.kind === 'failing') failing += 1;
          if (end.kind !== 'ended') continue;
          ended += 1;
          warn(end.message);
        }
        return { ended, failing };
      },
    ),

    /**
     * Records an episode that has ended without doing so itself: as an infrastructure error, with what its model calls
     * cost, and without its conversation.
     */
    recordLost: withAttempts(MOST_ATTEMPTS, async (input: RecordLostInput): Promise<EpisodeSummary> => {
      const { run, episode, config, workflowId, workflowRunId } = input;
      const log = await folders.open(run);
      for await (const record of log.records([episode], warn)) {
        if (record.workflowRunId === workflowRunId) return summarizeRecord(record);
      }
      const pack = await loadPack(findPack, config.pack);
      const lost = await readLostEpisode(Context.current().client, workflowId, workflowRunId);
      const message = lost.reason ?? input.message;
      const record: RecordInput = {
        run,
        episode,
        config,
        workflowId,
        workflowRunId,
        trajectory: { thread: 'trajectory', keep: 0, digest: '', items: [] },
        outcome: { kind: 'infrastructure_error', error: FailureType.EpisodeLost, message },
        reward: 0,
        grade: null,
        wouldBeGrade: null,
        steps: [],
        counts: {},
        usage: lost.ledger.roles(),
        served: lost.ledger.served(),
        startedAt: lost.startedAt.toISOString(),
        endedAt: lost.endedAt.toISOString(),
      };
      const task = taskOf(pack, config.split, episode.taskId);
      const built = buildEpisodeRecord(record, { task, messages: [], actions: [] });
      await log.writeEpisode(built);
      return { ...summarizeRecord(built), fault: FailureType.EpisodeLost };
    }),
  };
}
