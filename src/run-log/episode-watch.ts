/**
 * Lines that activities write into the run log during an episode: its progress, for people who watch it, and the bodies
 * of its model calls, if requested. Writing never delays an episode or makes it fail. A worker whose disk does not have
 * the run's folder writes nothing.
 */

import { LRUCache } from 'lru-cache';
import type { CompleteInput, StepInput, StepOutput } from '../episode/index.ts';
import { systemErrorCode } from '../errors/index.ts';
import { parseWorkflowId, type CompleteOutput, type EpisodeKey, type RunRef } from '../evaluation/index.ts';
import { describeSystemError } from './files.ts';
import { appendOpenLines, type OpenEpisodeLine } from './open-episodes.ts';
import type { RunPaths } from './paths.ts';
import { appendRequest, type LoggedRequest } from './requests.ts';
import type { RunLog } from './run-log.ts';

/** The activity that writes a line, by Temporal's names. */
interface Writer {
  readonly activityId: string;
  readonly workflowExecution?: { readonly workflowId: string; readonly runId: string };
}

export interface EpisodeWatch {
  /** Writes a line about a step. */
  step(writer: Writer, input: StepInput, output: StepOutput): void;
  /** Writes a line about a model's reply. */
  reply(writer: Writer, input: CompleteInput, output: CompleteOutput): void;
  /** Records the bodies of a model call. @default not recorded */
  exchange(writer: Writer, input: CompleteInput): ((exchange: WatchedExchange) => void) | undefined;
  /** Drops unwritten lines of the activity's episode, because it now has its record. */
  recorded(writer: Writer, logDir: string): void;
}

/** The bodies of one HTTP request. */
type WatchedExchange = Omit<LoggedRequest, 'call' | 'role' | 'workflowRunId'>;

interface WatchDeps {
  /** Finds the log of a run; null if this worker does not write to it. */
  readonly findLog: (run: RunRef) => Promise<RunLog | null>;
  readonly warn: (message: string) => void;
  /**
   * Interval at which lines of an episode are written together, in milliseconds. @default 1,000 One file operation per
   * line took 3 % of an episode's CPU time with models that reply at once, and most of the lines were removed within
   * the second.
   */
  readonly lineDelayMs?: number;
}

const LINE_DELAY_MS = 1_000;

/** Most characters that wait for a slow disk; further lines are dropped until the disk has caught up. */
const MAX_WAITING_CHARS = 64_000_000;
/** Estimated characters of a line without its texts. */
const LINE_CHARS = 300;
const MAX_RUNS = 100;

/** Unwritten lines of an open episode. */
interface UnwrittenLines {
  readonly logDir: string;
  readonly workflowId: string;
  readonly lines: OpenEpisodeLine[];
  chars: number;
}

/** An open episode's place in a run log. */
interface RecordPlace {
  readonly paths: RunPaths;
  readonly key: EpisodeKey;
}

export function watchOpenEpisodes({ findLog, warn, lineDelayMs = LINE_DELAY_MS }: WatchDeps): EpisodeWatch {
  const known = new LRUCache<string, Promise<RunPaths | null>>({ max: MAX_RUNS });
  /** Lines by log folder and workflow. */
  const unwritten = new Map<string, UnwrittenLines>();
  let waiting = 0;
  let hasWarned = false;

  const findRecordPlace = async (logDir: string, workflowId: string): Promise<RecordPlace | null> => {
    const { run: runId, task: taskId, trial, condition, fork } = parseWorkflowId(workflowId);
    if (taskId === undefined || trial === undefined || fork !== undefined) return null;
    const name = `${logDir}\0${runId}`;
    const paths = known.get(name) ?? findLog({ logDir, runId }).then((log) => log?.paths ?? null);
    known.set(name, paths);
    const found = await paths;
    return found === null ? null : { paths: found, key: { taskId, trial, condition } };
  };

  /**
   * @returns false if too many characters are waiting; otherwise the new ones wait until they are written or dropped
   */
  const admit = (chars: number): boolean => {
    if (waiting + chars > MAX_WAITING_CHARS) return false;
    waiting += chars;
    return true;
  };

  /** @param chars number of admitted characters */
  const write = (
    logDir: string,
    workflowId: string,
    chars: number,
    append: (place: RecordPlace) => Promise<void>,
  ): void => {
    const writing = async (): Promise<void> => {
      const place = await findRecordPlace(logDir, workflowId);
      if (place !== null) await append(place);
    };
    writing()
      .catch((error: unknown) => {
        // The folder is on another worker's disk.
        if (systemErrorCode(error) === 'ENOENT' || hasWarned) return;
        hasWarned = true;
        warn(`episodes in ${logDir} go on, but cannot be watched meanwhile: ${describeSystemError(error)}`);
      })
      .finally(() => {
        waiting -= chars;
      });
  };

  const writeLines = (): void => {
    for (const { logDir, workflowId, lines, chars } of unwritten.values()) {
      write(logDir, workflowId, chars, ({ paths, key }) => appendOpenLines(paths, key, lines));
    }
    unwritten.clear();
  };

  const note = (
    writer: Writer,
    logDir: string,
    line: Pick<OpenEpisodeLine, 'role' | 'tool' | 'text' | 'observation' | 'costUsd'>,
  ) => {
    const chars = countLineChars(line.text, line.observation);
    if (!admit(chars)) return;
    const { activityId, workflowExecution } = writer;
    const { workflowId = '', runId: workflowRunId = '' } = workflowExecution ?? {};
    // The timer does not keep an ending process alive.
    if (unwritten.size === 0) setTimeout(writeLines, lineDelayMs).unref();
    const name = `${logDir}\0${workflowId}`;
    const episode = unwritten.get(name) ?? { logDir, workflowId, lines: [], chars: 0 };
    unwritten.set(name, episode);
    episode.lines.push({ at: new Date().toISOString(), activityId, workflowRunId, ...line });
    episode.chars += chars;
  };

  return {
    step(writer, { logDir, action }, { observation }) {
      if (logDir === undefined) return;
      const { name, kwargsJson } = action;
      note(writer, logDir, { role: null, tool: name, text: kwargsJson, observation, costUsd: 0 });
    },
    reply(writer, { logDir, role }, output) {
      if (logDir === undefined) return;
      // Calls in the reply have lines of their own, as steps.
      const text = output.message.content ?? '';
      note(writer, logDir, { role, tool: null, text, observation: null, costUsd: output.costUsd });
    },
    exchange({ workflowExecution }, { logDir, keepRequests, call, role }) {
      if (logDir === undefined || keepRequests !== true) return undefined;
      const { workflowId = '', runId: workflowRunId = '' } = workflowExecution ?? {};
      return (exchange) => {
        const chars = countLineChars(exchange.request, exchange.reply);
        if (!admit(chars)) return;
        write(logDir, workflowId, chars, ({ paths, key }) =>
          appendRequest(paths, key, { call, role, workflowRunId, ...exchange }),
        );
      };
    },
    recorded({ workflowExecution }, logDir) {
      const name = `${logDir}\0${workflowExecution?.workflowId ?? ''}`;
      waiting -= unwritten.get(name)?.chars ?? 0;
      unwritten.delete(name);
    },
  };
}

function countLineChars(...texts: readonly (string | null)[]): number {
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), LINE_CHARS);
}
