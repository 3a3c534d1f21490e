/**
 * Lines that activities write into the run log while their episode goes on: what it did, for people who watch it, and
 * the bodies of its model calls where they are to be kept. An episode is never delayed by them, and never fails for
 * them: a worker whose disk does not have the run's folder writes nothing.
 */

import { Context } from '@temporalio/activity';
import { LRUCache } from 'lru-cache';
import type { Exchange } from '../src/models/index.ts';
import {
  appendOpenLine,
  appendRequest,
  describeSystemError,
  systemErrorCode,
  type OpenEpisodeLine,
  type RunPaths,
} from '../src/results/log/index.ts';
import {
  parseWorkflowId,
  type CompleteInput,
  type CompleteOutput,
  type EpisodeKey,
  type StepInput,
  type StepOutput,
} from '../src/wire/index.ts';
import type { RunFolders } from './lookups.ts';

export interface EpisodeWatch {
  /** Writes down a step that was taken. */
  step(input: StepInput, output: StepOutput): void;
  /** Writes down a model's reply. */
  reply(input: CompleteInput, output: CompleteOutput): void;
  /** Keeps the bodies of a model call where the run asks for it; absent: it does not. */
  exchange(input: CompleteInput): ((exchange: Exchange) => void) | undefined;
}

export interface WatchDeps {
  readonly warn: (message: string) => void;
}

/** Characters that may wait for a slow disk, in all; beyond them no more are written until it has caught up. */
const MAX_WAITING_CHARS = 64_000_000;
/** Of a line beside its texts. */
const LINE_CHARS = 300;
const MAX_RUNS = 100;

/** An open episode's place in a run log. */
interface Place {
  readonly paths: RunPaths;
  readonly key: EpisodeKey;
}

export function watchOpenEpisodes({ warn }: WatchDeps, folders: RunFolders): EpisodeWatch {
  const known = new LRUCache<string, Promise<RunPaths | null>>({ max: MAX_RUNS });
  let waiting = 0;
  let hasWarned = false;

  const placeOf = async (logDir: string, workflowId: string): Promise<Place | null> => {
    const { run: runId, task: taskId, trial, fork } = parseWorkflowId(workflowId);
    if (taskId === undefined || trial === undefined || fork !== undefined) return null;
    const name = `${logDir}\0${runId}`;
    const paths = known.get(name) ?? folders.find({ logDir, runId }).then((log) => log?.paths ?? null);
    known.set(name, paths);
    const found = await paths;
    return found === null ? null : { paths: found, key: { taskId, trial } };
  };

  /** @param texts that are held until they are written */
  const write = (
    logDir: string,
    workflowId: string,
    texts: readonly (string | null)[],
    append: (place: Place) => Promise<void>,
  ): void => {
    const chars = texts.reduce((sum, text) => sum + (text?.length ?? 0), LINE_CHARS);
    if (waiting + chars > MAX_WAITING_CHARS) return;
    waiting += chars;
    const writing = async (): Promise<void> => {
      const place = await placeOf(logDir, workflowId);
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

  const note = (logDir: string, line: Pick<OpenEpisodeLine, 'role' | 'tool' | 'text' | 'observation' | 'costUsd'>) => {
    const { activityId, workflowExecution } = Context.current().info;
    const { workflowId = '', runId: workflowRunId = '' } = workflowExecution ?? {};
    const at = new Date().toISOString();
    write(logDir, workflowId, [line.text, line.observation], ({ paths, key }) =>
      appendOpenLine(paths, key, { at, activityId, workflowRunId, ...line }),
    );
  };

  return {
    step({ logDir, action }, { observation }) {
      if (logDir === undefined) return;
      const { name, kwargsJson } = action;
      note(logDir, { role: null, tool: name, text: kwargsJson, observation, costUsd: 0 });
    },
    reply({ logDir, role }, output) {
      if (logDir === undefined) return;
      // The calls that it makes have lines of their own, as steps.
      const text = output.message.content ?? '';
      note(logDir, { role, tool: null, text, observation: null, costUsd: output.costUsd });
    },
    exchange({ logDir, keepRequests, call, role }) {
      if (logDir === undefined || keepRequests !== true) return undefined;
      const { workflowId = '', runId: workflowRunId = '' } = Context.current().info.workflowExecution ?? {};
      return (exchange) =>
        write(logDir, workflowId, [exchange.request, exchange.reply], ({ paths, key }) =>
          appendRequest(paths, key, { call, role, workflowRunId, ...exchange }),
        );
    },
  };
}
