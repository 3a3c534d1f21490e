/**
 * The activities on a run log: `openRun`, `findRecorded`, `sumRecorded`, `summarize`, `supersede`, `record`, `closeRun`,
 * and, for episodes whose workflow code cannot end them, `endStuckEpisodes` and `recordLost`. Each may run twice with the
 * same effect, so a retried one neither loses nor doubles anything.
 */

import { Context } from '@temporalio/activity';
import type { StrategyLookup } from '../src/agents/index.ts';
import { analyzeOrWarn } from '../src/analysis/index.ts';
import { SweepOrder, taskData } from '../src/benchmarks/index.ts';
import { expandMessages } from '../src/models/prompts/index.ts';
import type { TranscriptStore } from '../src/models/index.ts';
import {
  ResultsError,
  ResultsProblem,
  buildEpisodeRecord,
  openRun,
  refuseOtherConfiguration,
  removeOpenEpisode,
  removeOpenEpisodes,
  summarizeRecord,
  type RunFacts,
  type RunLog,
} from '../src/run-log/index.ts';
import { episodeOfRecord } from '../src/results/regrade/index.ts';
import { describeMissing, prepareTaskNotes, publishRun } from '../src/results/report/index.ts';
import { RUN_HEAD, WHOLE_RUN, recordsOf } from '../src/run-log/store/index.ts';
import {
  FailureType,
  NO_TOTALS,
  addCost,
  addEpisode,
  episodeName,
  episodeSeed,
  isFinal,
  parseWorkflowId,
  type CloseRunInput,
  type EpisodeSummary,
  type RunInput,
  type SweepTotals,
} from '../src/evaluation/index.ts';
import { addCosts, type RecordInput } from '../src/episode/index.ts';
import type {
  ArchiveInput,
  ArchiveOutput,
  CloseRunOutput,
  EndStuckInput,
  EndStuckOutput,
  FindRecordedInput,
  FindRecordedOutput,
  OpenRunOutput,
  RecordLostInput,
  SumRecordedInput,
  SumRecordedOutput,
  SummarizeInput,
} from '../src/orchestration/index.ts';
import { withAttempts } from './attempts.ts';
import type { EpisodeWatch } from './open-episodes.ts';
import {
  executedActions,
  forgetTranscripts,
  loadPack,
  resolveTranscript,
  strategyOf,
  taskOf,
  type PackLookup,
  type RunFolders,
} from './lookups.ts';
import { CANCELLED_PATIENCE, PATIENCE, blamedFor, endIfStuck, readLostEpisode } from '../src/temporal/client/index.ts';

export interface RunLogDeps {
  readonly findPack: PackLookup;
  readonly findStrategy: StrategyLookup;
  readonly transcripts: TranscriptStore;
  /** Versions of the program and its parts, by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** Damaged files of a run log, and analyses that could not be made, one sentence each. */
  readonly warn: (message: string) => void;
}

/** About an hour: somebody repairs a share that is away. A full disk is waited for without a bound. */
const MOST_ATTEMPTS = 60;

/**
 * An episode that was paid for waits until there is space again, and the sweep with it: further episodes would end the
 * same way. One that was canceled does not keep its run from ending.
 */
function isDiskFull(error: unknown, { outcome }: RecordInput): boolean {
  const isFull = error instanceof ResultsError && error.problem === ResultsProblem.DiskFull;
  return isFull && outcome.kind !== 'cancelled';
}

export function createRunLogActivities(deps: RunLogDeps, folders: RunFolders, watch: Pick<EpisodeWatch, 'recorded'>) {
  return {
    /** Writes `run.json` where it is missing, and marks the run as running. */
    openRun: withAttempts(MOST_ATTEMPTS, async (input: RunInput): Promise<OpenRunOutput> => {
      const { label } = strategyOf(deps.findStrategy, input.config);
      const facts: RunFacts = { label, versions: deps.versions, temporal: null, notes: input.notes ?? [] };
      return folders.use(input.run, RUN_HEAD, async (log) => {
        // Those of a sweep that was terminated.
        if (input.isUnderWay !== true) await removeOpenEpisodes(log.paths);
        await openRun(log, input, facts);
        return { token: await log.ensureToken() };
      });
    }),

    /** Finds the episodes of a part of the plan that need not run again: those recorded without an infrastructure error. */
    findRecorded: withAttempts(MOST_ATTEMPTS, async (input: FindRecordedInput): Promise<FindRecordedOutput> => {
      const { plan, seed, start, end } = input;
      const order = new SweepOrder(plan, seed);
      const episodes = Array.from({ length: end - start }, (_, index) => order.at(start + index));
      return folders.use(input.run, recordsOf(episodes), async (log) => {
        const { failed: _, ...recorded } = await readRecorded(log, input, deps.warn);
        return recorded;
      });
    }),

    /** Sums over the recorded episodes of the whole plan. */
    sumRecorded: withAttempts(MOST_ATTEMPTS, async (input: SumRecordedInput): Promise<SumRecordedOutput> => {
      const end = input.plan.taskIds.length * input.plan.numTrials;
      return folders.use(input.run, WHOLE_RUN, async (log) => {
        const { failed, totals } = await readRecorded(log, { ...input, start: 0, end }, deps.warn);
        return { failed, totals };
      });
    }),

    /** Summary of an episode; null if that workflow run has not recorded it. */
    summarize: withAttempts(
      MOST_ATTEMPTS,
      async ({ run, episode, workflowRunId }: SummarizeInput): Promise<EpisodeSummary | null> => {
        return folders.use(run, recordsOf([episode]), async (log) => {
          for await (const record of log.records([episode], deps.warn)) {
            const isMeant = workflowRunId === null || record.workflowRunId === workflowRunId;
            return isMeant ? summarizeRecord(record) : null;
          }
          return null;
        });
      },
    ),

    /** Moves records aside, so that their episodes run again. */
    supersede: withAttempts(MOST_ATTEMPTS, async ({ run, episodes, counted }: ArchiveInput): Promise<ArchiveOutput> => {
      const names = new Set(counted.map(episodeName));
      return folders.use(run, recordsOf(episodes), async (log) => {
        let totals = NO_TOTALS;
        for await (const record of log.records(episodes, deps.warn)) {
          const summary = summarizeRecord(record);
          const isCounted = isFinal(summary.outcome) || names.has(episodeName(summary.episode));
          if (isCounted) totals = addEpisode(totals, summary);
        }
        for (const key of episodes) await log.archiveEpisode(key);
        return { totals };
      });
    }),

    /** Writes the episode's full record; that of another workflow run is archived. */
    record: withAttempts(
      MOST_ATTEMPTS,
      async (input: RecordInput): Promise<void> => {
        const { config, episode } = input;
        const pack = await loadPack(deps.findPack, config.pack);
        const trajectory = resolveTranscript(deps.transcripts, input.trajectory);
        const task = taskOf(pack, config.split, episode.taskId);
        const strategy = strategyOf(deps.findStrategy, config);
        const messages = expandMessages(trajectory, {
          pack,
          split: config.split,
          taskId: episode.taskId,
          strategy,
          options: config.strategyOptions,
          seed: episodeSeed(config.seed, episode),
        });
        const record = buildEpisodeRecord(input, {
          task,
          messages,
          // What was only decided is all there, though no step was taken.
          actions: executedActions(
            trajectory,
            strategy.form,
            input.outcome.kind === 'decision_only' ? Infinity : input.steps.length,
          ),
          analyze: (made) =>
            analyzeOrWarn(
              taskData(pack, task),
              () => episodeOfRecord(made, strategy.form),
              episodeName(episode),
              deps.warn,
            ),
        });
        await folders.use(input.run, recordsOf([episode]), async (log) => {
          await log.writeEpisode(record, input.reusedCalls);
          if (input.fork === undefined) await removeOpenEpisode(log.paths, episode);
        });
        watch.recorded(input.run.logDir);
        forgetTranscripts(deps.transcripts);
        // While other episodes wait for their models; the worker that closes the run has recorded some of it, as a rule.
        setImmediate(prepareTaskNotes, pack, config.split);
      },
      isDiskFull,
    ),

    /** Assembles the results file and the metrics, and marks the run as ended. */
    closeRun: withAttempts(MOST_ATTEMPTS, async (input: CloseRunInput): Promise<CloseRunOutput> => {
      const { metrics, missing, subject } = await folders.use(input.run, WHOLE_RUN, async (log) => {
        // One that has run nothing has nothing to write back: the folder is another run's.
        const manifest = input.ended === 0 ? await log.readRun() : null;
        if (manifest !== null) refuseOtherConfiguration(manifest, input, `the run ${log.runId} exists`);
        const published = await publishRun(log, deps.warn, { findPack: deps.findPack, ending: input });
        await removeOpenEpisodes(log.paths);
        return published;
      });
      if (missing.length > 0) deps.warn(`the run ${input.run.runId} is incomplete: ${describeMissing(missing)}`);
      return {
        status: subject.status === 'incomplete' ? subject.status : input.status,
        averageReward: metrics.errorsAsFailures.averageReward,
        costUsd: addCosts(metrics.costs.totalUsd, metrics.superseded.costUsd),
      };
    }),
  };
}

/** A part of the plan as the run log has it; one record is in memory at a time. */
async function readRecorded(
  log: RunLog,
  { plan, seed, only, start, end }: FindRecordedInput,
  warn: (sentence: string) => void,
): Promise<FindRecordedOutput & SumRecordedOutput> {
  const order = new SweepOrder(plan, seed);
  const positionOf = new Map<string, number>();
  for (let position = start; position < end; position++) positionOf.set(episodeName(order.at(position)), position);
  const chosen = only === undefined ? null : new Set(only.map(episodeName));
  const mayRun = (name: string) => chosen === null || chosen.has(name);
  const positions = [...positionOf].flatMap(([name, position]) => (mayRun(name) ? [] : [position]));
  let failed = 0;
  const begun: Record<string, string> = {};
  let totals: SweepTotals = NO_TOTALS;
  const { episodes } = await log.listEpisodes();
  const wanted = episodes.filter((key) => positionOf.has(episodeName(key)));
  for await (const record of log.records(wanted, warn)) {
    const summary = summarizeRecord(record);
    const name = episodeName(summary.episode);
    const position = positionOf.get(name);
    const isLost = position === undefined || !isFinal(summary.outcome);
    if (isLost) failed += 1;
    // One that infrastructure has ended begins anew: what it was answered may have been the reason.
    if (summary.outcome === 'cancelled') begun[name] = record.workflowRunId;
    if (isLost && mayRun(name)) {
      totals = addCost(totals, summary);
    } else {
      if (position !== undefined && mayRun(name)) positions.push(position);
      totals = addEpisode(totals, summary);
    }
  }
  for await (const record of log.archivedRecords(warn, (key) => positionOf.has(episodeName(key)))) {
    totals = addCost(totals, summarizeRecord(record));
  }
  const sorted = positions.sort((a, b) => a - b);
  return { positions: sorted, failed, totals, ...(Object.keys(begun).length === 0 ? {} : { begun }) };
}

export interface StuckEpisodesDeps {
  readonly findPack: PackLookup;
  readonly warn: (message: string) => void;
}

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
      const recorded = await folders.use(run, recordsOf([episode]), async (log) => {
        for await (const record of log.records([episode], warn)) {
          if (record.workflowRunId === workflowRunId) return summarizeRecord(record);
        }
        return null;
      });
      if (recorded !== null) return recorded;
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
      await folders.use(run, recordsOf([episode]), async (log) => {
        await log.writeEpisode(built);
        await removeOpenEpisode(log.paths, episode);
      });
      return { ...summarizeRecord(built), fault: FailureType.EpisodeLost };
    }),
  };
}
