/**
 * Lines that activities write into the run log while their episode goes on: what it did, for people who watch it, and
 * the bodies of its model calls where they are to be kept. An episode is never delayed by them, and never fails for
 * them: a worker whose disk does not have the run's folder writes nothing.
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

/** The activity that writes, as Temporal names it. */
interface Writer {
  readonly activityId: string;
  readonly workflowExecution?: { readonly workflowId: string; readonly runId: string };
}

export interface EpisodeWatch {
  /** Writes down a step that was taken. */
  step(writer: Writer, input: StepInput, output: StepOutput): void;
  /** Writes down a model's reply. */
  reply(writer: Writer, input: CompleteInput, output: CompleteOutput): void;
  /** Records the bodies of a model call. @default not recorded */
  exchange(writer: Writer, input: CompleteInput): ((exchange: Exchange) => void) | undefined;
  /** Forgets lines of the activity's episode that are not written yet: it has its record. */
  recorded(writer: Writer, logDir: string): void;
}

/** The bodies of one HTTP request. */
type Exchange = Omit<LoggedRequest, 'call' | 'role' | 'workflowRunId'>;

interface WatchDeps {
  /** Finds the log of a run; null for one that this worker does not write to. */
  readonly findLog: (run: RunRef) => Promise<RunLog | null>;
  readonly warn: (message: string) => void;
  /**
   * Lines of an episode are written together this often: opening, writing and closing a file for each took 3 % of an
   * episode's CPU time where models reply at once, and most of them were removed within the second.
   * @unit milliseconds @default 1000
   */
  readonly lineDelayMs?: number;
}

const LINE_DELAY_MS = 1_000;

/** Most characters that wait for a slow disk; further lines are dropped until it has caught up. */
const MAX_WAITING_CHARS = 64_000_000;
/** Estimated characters of a line without its texts. */
const LINE_CHARS = 300;
const MAX_RUNS = 100;

/** Lines of an open episode that are to be written. */
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

  /** @returns false where too much waits already; else the characters wait until they are written or forgotten */
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
    // A process that ends does not wait for them.
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
      // The calls that it makes have lines of their own, as steps.
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
