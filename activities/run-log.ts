/**
 * The activities on a run log: `openRun`, `findRecorded`, `sumRecorded`, `summarize`, `supersede`, `record` and `closeRun`.
 * Each may run twice with the same effect, so a retried one neither loses nor doubles anything.
 */

import { Context } from '@temporalio/activity';
import type { StrategyLookup } from '../src/agents/index.ts';
import { analyzeOrWarn, isSuspect } from '../src/analysis/index.ts';
import { countEpisodes, SweepOrder, listActions, taskData } from '../src/benchmarks/index.ts';
import { alteredBy, restoreConversation } from '../src/conditions/index.ts';
import { expandMessages } from '../src/models/prompts/index.ts';
import type { TranscriptStore } from '../src/models/index.ts';
import {
  ResultsError,
  ResultsProblem,
  archiveEpisodes,
  buildEpisodeRecord,
  findSummary,
  openRun,
  readRecorded,
  refuseOtherConfiguration,
  removeOpenEpisode,
  removeOpenEpisodes,
  type EpisodeWatch,
  type RunFacts,
} from '../src/run-log/index.ts';
import { analyzedRecord } from '../src/results/regrade/index.ts';
import { describeMissing, prepareTaskNotes, publishRun, sumSpending } from '../src/results/report/index.ts';
import { RUN_HEAD, WHOLE_RUN, selectRecords, type RunFolders } from '../src/run-log/store/index.ts';
import {
  conditionOf,
  episodeName,
  episodeSeed,
  hasUser,
  type CloseRunInput,
  type EpisodeSummary,
  type RunInput,
} from '../src/evaluation/index.ts';
import type { RecordInput, RecordOutput } from '../src/episode/index.ts';
import type {
  ArchiveInput,
  ArchiveOutput,
  CloseRunOutput,
  FindRecordedInput,
  FindRecordedOutput,
  OpenRunOutput,
  SumRecordedInput,
  SumRecordedOutput,
  SummarizeInput,
} from '../src/orchestration/index.ts';
import { withAttempts } from './attempts.ts';
import {
  forgetTranscripts,
  loadPack,
  loadTaskPack,
  resolveTranscript,
  lookUpStrategy,
  lookUpTask,
  type PackLookup,
} from './lookups.ts';

export interface RunLogDeps {
  readonly findPack: PackLookup;
  readonly findStrategy: StrategyLookup;
  readonly transcripts: TranscriptStore;
  /** Versions of the program and its parts, by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** Reports damaged files of a run log, and analyses that could not be made, one sentence each. */
  readonly warn: (message: string) => void;
}

/** Most attempts, for about an hour, so that a missing network share can be restored. A full disk has no limit. */
const MOST_ATTEMPTS = 60;

/**
 * True if the disk is full. A paid episode then waits, and so does its sweep, because further episodes would fail too.
 * A canceled episode does not wait, so that its run can end.
 */
function isDiskFull(error: unknown, { outcome }: RecordInput): boolean {
  const isFull = error instanceof ResultsError && error.problem === ResultsProblem.DiskFull;
  return isFull && outcome.kind !== 'cancelled';
}

/** Most tasks that `run.json` names, because the command `list` reads this file for each of its lines. */
const MOST_NAMED = 1_000;

/** Returns the names of a run's tasks by number; undefined if no task has a name, or the pack is not found. */
async function nameTasks(
  findPack: PackLookup,
  { config, plan: { taskIds } }: RunInput,
): Promise<RunFacts['taskNames'] | undefined> {
  // Episodes report a pack that cannot be found.
  const pack = taskIds.length > MOST_NAMED ? undefined : await loadPack(findPack, config.pack).catch(() => undefined);
  const tasks = pack?.splits[config.split] ?? [];
  const names = taskIds.flatMap((id) => (tasks[id]?.name === undefined ? [] : [[id, tasks[id].name] as const]));
  return names.length === 0 ? undefined : Object.fromEntries(names);
}

export function createRunLogActivities(deps: RunLogDeps, folders: RunFolders, watch: Pick<EpisodeWatch, 'recorded'>) {
  return {
    /** Writes `run.json` where it is missing, and marks the run as running. */
    openRun: withAttempts(MOST_ATTEMPTS, async (input: RunInput): Promise<OpenRunOutput> => {
      const { label } = lookUpStrategy(deps.findStrategy, input.config);
      const taskNames = await nameTasks(deps.findPack, input);
      const facts: RunFacts = { label, versions: deps.versions, temporal: null, notes: input.notes ?? [], taskNames };
      return folders.use(input.run, RUN_HEAD, async (log) => {
        // Removes the open episodes of a sweep that was terminated.
        if (input.isUnderWay !== true) await removeOpenEpisodes(log.paths);
        await openRun(log, input, facts);
        return { token: await log.ensureToken() };
      });
    }),

    /**
     * Finds the episodes in a part of the plan that have a record without an infrastructure error, so that they need
     * not run again.
     */
    findRecorded: withAttempts(MOST_ATTEMPTS, async (input: FindRecordedInput): Promise<FindRecordedOutput> => {
      const { plan, seed, start, end } = input;
      const order = new SweepOrder(plan, seed);
      const episodes = Array.from({ length: end - start }, (_, index) => order.at(start + index));
      return folders.use(input.run, selectRecords(episodes), async (log) => {
        const { failed: _, ...recorded } = await readRecorded(log, input, deps.warn);
        return recorded;
      });
    }),

    /** Sums over the recorded episodes of the whole plan. */
    sumRecorded: withAttempts(MOST_ATTEMPTS, async (input: SumRecordedInput): Promise<SumRecordedOutput> => {
      const end = countEpisodes(input.plan);
      return folders.use(input.run, WHOLE_RUN, async (log) => {
        const { failed, totals } = await readRecorded(log, { ...input, start: 0, end }, deps.warn);
        return { failed, totals };
      });
    }),

    /** Returns the summary of an episode; null if that workflow run has not recorded it. */
    summarize: withAttempts(
      MOST_ATTEMPTS,
      async ({ run, episode, workflowRunId }: SummarizeInput): Promise<EpisodeSummary | null> => {
        return folders.use(run, selectRecords([episode]), (log) => findSummary(log, episode, workflowRunId, deps.warn));
      },
    ),

    /** Moves records aside, so that their episodes run again. */
    supersede: withAttempts(MOST_ATTEMPTS, async ({ run, episodes, counted }: ArchiveInput): Promise<ArchiveOutput> => {
      return folders.use(run, selectRecords(episodes), async (log) => ({
        totals: await archiveEpisodes(log, episodes, counted, deps.warn),
      }));
    }),

    /** Writes the episode's full record, and archives the record of another workflow run. */
    record: withAttempts(
      MOST_ATTEMPTS,
      async (input: RecordInput): Promise<RecordOutput> => {
        const { config, episode } = input;
        const pack = await loadPack(deps.findPack, config.pack);
        const trajectory = resolveTranscript(deps.transcripts, input.trajectory);
        const condition = conditionOf(config, episode);
        const task = lookUpTask(pack, config.split, episode.taskId);
        const strategy = lookUpStrategy(deps.findStrategy, config);
        const expand = async () =>
          expandMessages(trajectory, {
            pack: await loadTaskPack(deps.findPack, { ...config, taskId: episode.taskId, condition }),
            split: config.split,
            taskId: episode.taskId,
            strategy,
            options: config.strategyOptions,
            seed: episodeSeed(config.seed, episode, input.repeat),
          });
        // An environment service that refuses to start the task has no prompts for it.
        const messages = trajectory.length === 0 ? [] : await expand();
        const record = buildEpisodeRecord(input, {
          task,
          messages,
          // Decisions are complete although no step was taken.
          actions: listActions(
            condition === undefined
              ? trajectory
              : restoreConversation(trajectory, strategy.form, alteredBy(condition, input.steps)),
            strategy.form,
            input.outcome.kind === 'decision_only' ? Infinity : input.steps.length,
          ),
          analyze: (made) =>
            analyzeOrWarn(
              taskData(pack, task),
              () => ({
                ...analyzedRecord(made, strategy.form),
                hasUser: hasUser(config.pack),
              }),
              episodeName(episode),
              deps.warn,
            ),
        });
        await folders.use(input.run, selectRecords([episode]), async (log) => {
          await log.writeEpisode(record, input.reusedCalls);
          if (input.fork === undefined) await removeOpenEpisode(log.paths, episode);
        });
        watch.recorded(Context.current().info, input.run.logDir);
        forgetTranscripts(deps.transcripts);
        // Runs while other episodes wait for their models. The worker that closes the run has usually recorded some of
        // its episodes.
        setImmediate(prepareTaskNotes, pack, config.split);
        return record.analysis !== undefined && isSuspect(record.analysis) ? { isSuspect: true } : null;
      },
      isDiskFull,
    ),

    /** Assembles the results file and the metrics, and marks the run as ended. */
    closeRun: withAttempts(MOST_ATTEMPTS, async (input: CloseRunInput): Promise<CloseRunOutput> => {
      const report = await folders.use(input.run, WHOLE_RUN, async (log) => {
        // A run without ended episodes has nothing to write: the folder belongs to another run.
        const manifest = input.ended === 0 ? await log.readRun() : null;
        if (manifest !== null) refuseOtherConfiguration(manifest, input, `the run ${log.runId} exists`);
        const published = await publishRun(log, deps.warn, { findPack: deps.findPack, ending: input });
        await removeOpenEpisodes(log.paths);
        return published;
      });
      const { metrics, missing, subject } = report;
      if (missing.length > 0) deps.warn(`the run ${input.run.runId} is incomplete: ${describeMissing(missing)}`);
      return {
        status: subject.status === 'incomplete' ? subject.status : input.status,
        averageReward: metrics.errorsAsFailures.averageReward,
        costUsd: sumSpending(report).totalUsd,
      };
    }),
  };
}
