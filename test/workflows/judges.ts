/** Judges that tests play, and run logs with failed episodes for them. */

import type { CallModel, ModelRequest } from '../../src/models/index.ts';
import { startErrors, type ErrorsHandle } from '../../src/temporal/client/index.ts';
import type { EpisodeKey } from '../../src/benchmarks/index.ts';
import { errorsWorkflowId, parseEpisodeName, type RunRef, type JudgeRunInput } from '../../src/evaluation/index.ts';
import type { RecordInput } from '../../src/episode/index.ts';
import { RunLog } from '../../src/run-log/index.ts';
import { record } from '../results/fixtures.ts';
import { replyOf, type Line } from './models.ts';
import type { Rig } from './rig-on-server.ts';

/** A judge's question. */
export interface AskedQuestion extends EpisodeKey {
  readonly question: 'author' | 'fault';
  /** 1-based; from the second on, the answer before could not be read. */
  readonly attempt: number;
}

export interface PlayedJudge {
  readonly callModel: CallModel;
  /** Requests in the order in which they were asked. */
  readonly asked: AskedQuestion[];
  readonly requests: ModelRequest[];
}

export function playJudge(say: (asked: AskedQuestion) => Line): PlayedJudge {
  const asked: AskedQuestion[] = [];
  const requests: ModelRequest[] = [];
  const callModel: CallModel = async (request, { signal = new AbortController().signal, onSent }) => {
    await onSent?.();
    const question = questionOf(request);
    asked.push(question);
    requests.push(request);
    let line = say(question);
    while (typeof line === 'function') line = await line(request, signal);
    return replyOf(line);
  };
  return { callModel, asked, requests };
}

function questionOf({ idempotencyKey }: ModelRequest): AskedQuestion {
  const [, name = '', question = '', attempt] = /judge\/([^/]+)\/(author|fault)\/(\d+)/.exec(idempotencyKey) ?? [];
  const key = parseEpisodeName(name);
  if (key === null) throw new Error(`no judge is asked with the key ${idempotencyKey}`);
  return { ...key, question: question as AskedQuestion['question'], attempt: Number(attempt) };
}

/** @param letter of the option */
export function answering(letter: string, quotes: readonly string[] = ['That is 10.']): string {
  return JSON.stringify({ classification: letter, description: `It was ${letter}.`, quotes });
}

/** B is the agent, of the author's question; and of the fault's, a wrong argument. */
export const blamesAgent = () => answering('B');

/** Writes records of episodes that have failed, one a task. */
export async function writeFailures(run: RunRef, tasks: number, changes: Partial<RecordInput> = {}): Promise<void> {
  const log = new RunLog(run);
  for (let taskId = 0; taskId < tasks; taskId++) {
    await log.writeEpisode(record(taskId, 0, { reward: 0, grade: null, run, ...changes }));
  }
}

export function errorsInput(
  { run, queues }: Pick<Rig, 'run' | 'queues'>,
  changes: Partial<JudgeRunInput> = {},
): JudgeRunInput {
  return {
    source: { kind: 'run', run },
    judge: {
      model: { provider: 'scripted', model: 'judge', temperature: 0 },
      maxRetries: 0,
      callTimeoutMs: 600_000,
    },
    maxConcurrency: 2,
    maxFailures: null,
    maxCostUsd: null,
    queues,
    indexed: true,
    ...changes,
  };
}

export function startJudge(rig: Rig, changes: Partial<JudgeRunInput> = {}): Promise<ErrorsHandle> {
  const { runId } = rig.run;
  return startErrors(rig.client, errorsWorkflowId(runId), runId, errorsInput(rig, changes));
}
