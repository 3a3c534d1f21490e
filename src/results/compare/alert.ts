/** The alert after a scheduled run: its comparison posted to a webhook, or passed to a command. */

import { spawn } from 'node:child_process';
import { hostname } from 'node:os';
import type { AlertInput } from '../../evaluation/index.ts';
import { isLoopback } from '../../io/index.ts';
import { snakeKeys, type WrittenComparison } from '../../run-log/index.ts';

/** Resources of a worker that alerts may use. */
export interface AlertResources {
  /** The worker's environment: addresses of webhooks by name, and variables for commands. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True if commands from schedules may be run on this machine. */
  readonly commands: boolean;
}

export interface AlertMessage extends Omit<AlertInput, 'target'> {
  /** The written comparison; null if its file no longer exists. */
  readonly comparison: WrittenComparison | null;
  /** Absolute path of `comparison.json`; for a run in a store, of a copy that is removed when the alert is sent. */
  readonly file: string;
}

interface AlertDeps extends AlertResources {
  /** Receives the command's output for the worker's log; it never enters a history. */
  readonly warn: (message: string) => void;
  readonly signal: AbortSignal;
}

/** Sends the alert of a scheduled run. @throws AlertError */
export async function sendAlert(target: AlertInput['target'], message: AlertMessage, deps: AlertDeps): Promise<void> {
  const { env, commands, signal } = deps;
  switch (target.kind) {
    case 'webhook':
      return postAlert(target.url, message, signal);
    case 'webhook_from_env': {
      const { variable } = target;
      const url = env[variable];
      if (url !== undefined && url !== '') return postAlert(url, message, signal);
      // Another worker may have the variable.
      throw new AlertError(`the worker on ${hostname()} has no variable ${variable} with the webhook's address`, false);
    }
    case 'command':
      if (commands) return runAlertCommand(target.command, message, deps);
      throw new AlertError(
        `the worker on ${hostname()} runs no commands of schedules; start one with \`npx tauflow worker --allow-commands\``,
        false,
      );
  }
}

/**
 * Returns the problem of a webhook address, as a predicate to "the webhook"; null for a valid one. An address on
 * another machine must be encrypted, because comparisons name models and tasks.
 */
export function findWebhookProblem(address: string): string | null {
  const [, scheme = '', authority = ''] = /^([a-z]+):\/\/([^/?#\s]+)(?:[/?#]\S*)?$/i.exec(address) ?? [];
  switch (scheme.toLowerCase()) {
    case 'https':
      return null;
    case 'http':
      return isLoopback(authority) ? null : 'must be an https:// address (http:// only on this machine)';
    default:
      return 'must be an https:// address';
  }
}

/** Error of an alert. The message is one sentence without the address, part of which may be secret. */
export class AlertError extends Error {
  override readonly name = 'AlertError';

  constructor(
    message: string,
    /** True if another attempt would not help. */
    readonly isFinal: boolean,
  ) {
    super(message);
  }
}

const POST_TIMEOUT_MS = 30_000;
const COMMAND_TIMEOUT_MS = 300_000;

/**
 * Posts the comparison as JSON. Chat services show `text`; the key lets a receiver recognize a repetition.
 * @throws AlertError
 */
export async function postAlert(url: string, message: AlertMessage, cancelled: AbortSignal): Promise<void> {
  const problem = findWebhookProblem(url);
  if (problem !== null) throw new AlertError(`the webhook ${problem}`, true);
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
    throw new AlertError(`the webhook could not be reached: ${findCause(error)}`, false);
  });
  await response.body?.cancel();
  if (response.ok) return;
  const { status } = response;
  // Waiting may help if the receiver is slow, busy or broken, but not if it refuses the message.
  const isFinal = status < 500 && ![408, 425, 429].includes(status);
  throw new AlertError(`the webhook answered with HTTP status ${String(status)}`, isFinal);
}

/** Returns the network error code of a failed request, such as `ECONNREFUSED`; never its address. */
function findCause(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'it did not answer in 30 s';
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : 'no connection';
}

/**
 * Runs a command in a shell, with the result of the scheduled run in its environment.
 * @throws AlertError unless it ends with 0 within five minutes
 */
export async function runAlertCommand(
  command: string,
  message: AlertMessage,
  { env, warn, signal }: Omit<AlertDeps, 'commands'>,
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
    // A process group of its own, so that processes of the shell end with it.
    detached: true,
  });
  const output = readTail(child.stdout, child.stderr);
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
    warn(`the alert command of ${schedule} ${endWords(ended)}${output() === '' ? '' : `: ${output()}`}`);
    if (timeout.aborted) throw new AlertError('the command did not end in 5 minutes', false);
    throw new AlertError(`the command ${endWords(ended)}; its output is in the worker's log`, false);
  } finally {
    stop.removeEventListener('abort', kill);
  }
}

function endWords(ended: string): string {
  return /^\d+$/.test(ended) ? `ended with code ${ended}` : ended;
}

const MAX_OUTPUT_CHARS = 2_000;

/** Returns a function that returns the end of the output. */
function readTail(...streams: readonly NodeJS.ReadableStream[]): () => string {
  let text = '';
  for (const stream of streams) {
    stream.setEncoding('utf8');
    stream.on('data', (piece: string) => {
      text = `${text}${piece}`.slice(-MAX_OUTPUT_CHARS);
    });
  }
  return () => text.trim();
}
