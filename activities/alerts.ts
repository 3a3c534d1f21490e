/** How an alert reaches somebody: a POST to a webhook, or a command on the worker's machine. */

import { spawn } from 'node:child_process';
import { snakeKeys, type WrittenComparison } from '../src/results/log/index.ts';
import { findWebhookProblem, type RunComparison, type RunRef } from '../src/wire/index.ts';

export interface AlertMessage {
  readonly run: RunRef;
  readonly schedule: string;
  readonly verdict: RunComparison;
  /** null when its file is gone. */
  readonly comparison: WrittenComparison | null;
  /** Absolute path of `comparison.json`. */
  readonly file: string;
}

/** What became of an alert, in one sentence that names no address: a part of it may be a secret. */
export class AlertRefused extends Error {
  override readonly name = 'AlertRefused';

  constructor(
    message: string,
    /** True if trying again is of no use. */
    readonly isFinal: boolean,
  ) {
    super(message);
  }
}

const POST_TIMEOUT_MS = 30_000;
const COMMAND_TIMEOUT_MS = 300_000;

/**
 * Posts the comparison as JSON. `text` is what chat services show; the key lets a receiver know a repetition.
 * @throws AlertRefused
 */
export async function postAlert(url: string, message: AlertMessage, cancelled: AbortSignal): Promise<void> {
  const problem = findWebhookProblem(url);
  if (problem !== null) throw new AlertRefused(`the webhook ${problem}`, true);
  const { run, schedule, verdict, comparison } = message;
  const text = `${schedule}: ${verdict.runId} is ${verdict.sentence}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': `${run.runId}/${verdict.verdict}` },
    body: JSON.stringify({ text, ...(snakeKeys({ schedule, ...verdict, logDir: run.logDir, comparison }) as object) }),
    // A redirected POST arrives as a GET without its body.
    redirect: 'manual',
    signal: AbortSignal.any([cancelled, AbortSignal.timeout(POST_TIMEOUT_MS)]),
  }).catch((error: unknown) => {
    if (cancelled.aborted) throw error;
    throw new AlertRefused(`the webhook could not be reached: ${causeOf(error)}`, false);
  });
  await response.body?.cancel();
  if (response.ok) return;
  const { status } = response;
  // Waiting may help where the receiver is slow, busy or broken; where it refuses the message it does not.
  const isFinal = status < 500 && ![408, 425, 429].includes(status);
  throw new AlertRefused(`the webhook answered with HTTP status ${String(status)}`, isFinal);
}

/** What the error of a failed request says of the network, such as `ECONNREFUSED`; never its address. */
function causeOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'it did not answer in 30 s';
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : 'no connection';
}

export interface CommandSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the command says goes to the worker's log, never into a history. */
  readonly warn: (message: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Runs a command in a shell, with the night in its environment.
 * @throws AlertRefused when it does not end with 0, or not in five minutes
 */
export async function runAlertCommand(
  command: string,
  message: AlertMessage,
  { env, warn, signal }: CommandSurroundings,
): Promise<void> {
  const { run, schedule, verdict, file } = message;
  const own = {
    TAUFLOW_SCHEDULE: schedule,
    TAUFLOW_RUN: run.runId,
    TAUFLOW_LOG_DIR: run.logDir,
    TAUFLOW_COMPARISON: file,
    TAUFLOW_VERDICT: verdict.verdict,
    TAUFLOW_DELTA: verdict.delta === null ? '' : String(verdict.delta),
    TAUFLOW_SENTENCE: verdict.sentence,
  };
  const timeout = AbortSignal.timeout(COMMAND_TIMEOUT_MS);
  const stop = AbortSignal.any([signal, timeout]);
  const child = spawn('/bin/sh', ['-c', command], {
    env: { ...env, ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what the shell has started ends with it.
    detached: true,
  });
  const said = tailOf(child.stdout, child.stderr);
  const end = new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, name) => resolve(code === null ? `was ended by ${String(name)}` : String(code)));
  });
  const kill = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  stop.addEventListener('abort', kill, { once: true });
  try {
    const ended = await end;
    if (ended === '0') return;
    warn(`the alert command of ${schedule} ${endWords(ended)}${said() === '' ? '' : `: ${said()}`}`);
    if (timeout.aborted) throw new AlertRefused('the command did not end in 5 minutes', false);
    throw new AlertRefused(`the command ${endWords(ended)}; what it said is in the worker's log`, false);
  } finally {
    stop.removeEventListener('abort', kill);
  }
}

function endWords(ended: string): string {
  return /^\d+$/.test(ended) ? `ended with code ${ended}` : ended;
}

const MOST_SAID_CHARS = 2_000;

/** The end of what was printed. */
function tailOf(...streams: readonly NodeJS.ReadableStream[]): () => string {
  let text = '';
  for (const stream of streams) {
    stream.setEncoding('utf8');
    stream.on('data', (piece: string) => {
      text = `${text}${piece}`.slice(-MOST_SAID_CHARS);
    });
  }
  return () => text.trim();
}
