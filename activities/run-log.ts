/**
 * `openRun`, `findRecorded`, `record`, `closeRun`: what a sweep leaves behind. Each may run twice with the same effect,
 * so a retried one neither loses nor doubles anything.
 */

import { Context } from '@temporalio/activity';
import type { StrategyDefinition } from '../src/agents/port.ts';
import { SweepOrder } from '../src/bench/plan.ts';
import { expandMessages } from '../src/llm/prompts.ts';
import type { TranscriptStore } from '../src/llm/transcripts.ts';
import { openRun, type RunFacts } from '../src/results/open-run.ts';
import { buildEpisodeRecord } from '../src/results/record.ts';
import { summarizeRecord } from '../src/results/record-summary.ts';
import { publishRun } from '../src/results/publish-run.ts';
import { RunLog } from '../src/results/run-log.ts';
import type {
  CloseRunInput,
  FindRecordedInput,
  FindRecordedOutput,
  RecordInput,
  RunInput,
} from '../src/wire/activities.ts';
import { episodeName } from '../src/wire/names.ts';
import type { SweepTotals } from '../src/wire/sweep.ts';
import { addEpisode, NO_TOTALS } from '../src/wire/totals.ts';
import { startHeartbeat } from './heartbeat.ts';
import { executedActions, loadPack, resolveTranscript, strategyOf, taskOf, type PackLookup } from './lookups.ts';

export interface RunLogDeps {
  readonly findPack: PackLookup;
  readonly findStrategy: (name: string) => StrategyDefinition | undefined;
  readonly transcripts: TranscriptStore;
  /** Versions of the program and its parts, by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** Damaged files of a run log, one sentence each. */
  readonly warn: (message: string) => void;
}

export function createRunLogActivities(deps: RunLogDeps) {
  return {
    /** Writes `run.json` where it is missing, and marks the run as running. */
    async openRun(input: RunInput): Promise<void> {
      const { label } = strategyOf(deps.findStrategy, input.config.strategy);
      const facts: RunFacts = { label, versions: deps.versions, temporal: null, notes: [] };
      await openRun(new RunLog(input.run), input, facts);
    },

    /** Which episodes of a part of the plan need not run again: those recorded without an infrastructure error. */
    findRecorded: beating(async (input: FindRecordedInput): Promise<FindRecordedOutput> => {
      const log = new RunLog(input.run);
      const { episodes } = await log.listEpisodes();
      if (episodes.length === 0) return { positions: [], totals: NO_TOTALS };
      const recorded = new Set(episodes.map(episodeName));
      const order = new SweepOrder(input.plan, input.seed);
      const wanted = [];
      for (let position = input.start; position < input.end; position++) {
        const key = order.at(position);
        if (recorded.has(episodeName(key))) wanted.push({ position, key });
      }
      const positions: number[] = [];
      let totals: SweepTotals = NO_TOTALS;
      const keys = wanted.map(({ key }) => key);
      const positionOf = new Map(wanted.map(({ key, position }) => [episodeName(key), position]));
      for await (const record of log.records(keys, deps.warn)) {
        const summary = summarizeRecord(record);
        const position = positionOf.get(episodeName(summary.episode));
        if (position === undefined || !isFinal(summary.outcome)) continue;
        positions.push(position);
        totals = addEpisode(totals, summary);
      }
      return { positions: positions.sort((a, b) => a - b), totals };
    }),

    /** Writes the episode's full record. */
    async record(input: RecordInput): Promise<void> {
      const { config, episode } = input;
      const trajectory = resolveTranscript(deps.transcripts, input.trajectory);
      const pack = await loadPack(deps.findPack, config.pack);
      const task = taskOf(pack, config.split, episode.taskId);
      const messages = expandMessages(trajectory, {
        pack,
        split: config.split,
        taskId: episode.taskId,
        strategy: strategyOf(deps.findStrategy, config.strategy),
        options: config.strategyOptions,
      });
      const record = buildEpisodeRecord(input, {
        task,
        messages,
        // What was only decided is all there, though no step was taken.
        actions: executedActions(trajectory, input.outcome.kind === 'decision_only' ? Infinity : input.steps.length),
      });
      await new RunLog(input.run).writeEpisode(record);
    },

    /** Assembles the results file and the metrics, and marks the run as ended. */
    closeRun: beating(async (input: CloseRunInput): Promise<void> => {
      const log = new RunLog(input.run);
      await publishRun(log, deps.warn);
      const manifest = await log.readRun();
      if (manifest === null) return;
      await log.writeRun({ ...manifest, status: input.status, endedAt: new Date().toISOString() });
    }),
  };
}

/** What reads a whole run log takes its time, and says meanwhile that it is alive. */
function beating<Input, Output>(work: (input: Input) => Promise<Output>): (input: Input) => Promise<Output> {
  return async (input) => {
    const heartbeat = startHeartbeat(Context.current(), null);
    try {
      return await work(input);
    } finally {
      heartbeat.stop();
    }
  };
}

/** Cancelled episodes and those that infrastructure ended are run again when a run is taken up again. */
function isFinal(outcome: string): boolean {
  return outcome !== 'infrastructure_error' && outcome !== 'cancelled';
}
