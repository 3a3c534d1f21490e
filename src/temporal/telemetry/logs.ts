/**
 * Logs of a process. Each entry of the SDK, the workflows and the activities is one line, which names run, task and
 * trial if the entry has its workflow. An interceptor logs activities, so their code does not.
 */

import type { ActivityInterceptors, LogEntry } from '@temporalio/worker';
import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { parseWorkflowId, FailureType } from '../../evaluation/index.ts';
import { sumUsage, type RecordInput, type StepInput } from '../../episode/index.ts';
import { toModelCall, type TracedCall } from './model-calls.ts';

export const LOG_LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogSettings {
  readonly level: LogLevel;
  /** Form of the lines. */
  readonly format: 'text' | 'json';
  /** Removes keys and terminal control sequences from all output. */
  readonly redact: (text: string) => string;
  readonly write: (line: string) => void;
}

export type LogLine = Pick<LogEntry, 'level' | 'message' | 'meta' | 'timestampNanos'>;
type Format = Pick<LogSettings, 'format' | 'redact'>;

export function formatLogLine(line: LogLine, { format, redact }: Format): string {
  return format === 'json' ? jsonLine(line, redact) : redact(textLine(line));
}

/** Names of the SDK's fields in a log; null: left out. Other fields keep their names. */
const NAMES: Readonly<Record<string, string | null>> = {
  workflowId: 'workflow_id',
  runId: 'workflow_run_id',
  workflowRunId: 'workflow_run_id',
  workflowType: 'workflow',
  activityType: 'activity',
  activityId: 'activity_id',
  taskQueue: 'task_queue',
  sdkComponent: 'component',
  durationMs: 'duration_ms',
  isLocal: null,
  taskToken: null,
};

function toLogFields({ meta = {} }: LogLine): Record<string, unknown> {
  const workflowId: unknown = meta['workflowId'];
  const place = typeof workflowId === 'string' && workflowId !== '' ? parseWorkflowId(workflowId) : {};
  const own = Object.entries(meta).flatMap(([name, value]) => {
    const known = NAMES[name];
    return known === null ? [] : [[known ?? name, toLogValue(value)] as const];
  });
  return { ...place, ...Object.fromEntries(own) };
}

/** Redacts each text separately, so that the line stays JSON. */
function jsonLine(line: LogLine, redact: (text: string) => string): string {
  const { level, message } = line;
  return JSON.stringify({ timestamp: formatTime(line), level, message, ...toLogFields(line) }, (_, value: unknown) =>
    typeof value === 'string' ? redact(value) : value,
  );
}

/** Fields that are printed before or after the message, or that do not help a reader. */
const NOT_SHOWN = new Set([
  ...['run', 'lane', 'task', 'trial', 'fork', 'error', 'namespace', 'task_queue', 'component', 'attempt', 'workflow'],
  ...['workflow_id', 'workflow_run_id', 'activity', 'activity_id', 'trace_id', 'span_id', 'trace_flags'],
]);

function textLine(line: LogLine): string {
  const fields = toLogFields(line);
  const { run, activity, attempt, error } = fields;
  const place = ['lane', 'task', 'trial', 'fork'].filter((name) => name in fields).map((name) => [name, fields[name]]);
  const who = run === undefined ? '' : `${[run, ...place.flat()].join(' ')}: `;
  const what = isSentence(error) ? `${line.message} (${error.type}): ${error.message}` : line.message;
  const where = typeof activity === 'string' ? ` [${activity}, attempt ${String(attempt)}]` : '';
  const shown = Object.entries(fields).filter(([name, value]) => !NOT_SHOWN.has(name) && value !== undefined);
  const rest = shown.map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const text = `${formatTime(line)} ${line.level.padEnd(5)} ${who}${what}${where}${rest.join('')}`;
  return text.replace(/\s+/g, (space) => (space.includes('\n') ? ' ' : space));
}

function formatTime({ timestampNanos }: LogLine): string {
  return new Date(Number(timestampNanos / 1_000_000n)).toISOString();
}

/** Converts a value for JSON; an error becomes its type and message, without the stack, which has local paths. */
function toLogValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (!(value instanceof Error)) return value;
  const type = 'type' in value && typeof value.type === 'string' ? value.type : value.name;
  return { type, message: value.message } satisfies Sentence;
}

interface Sentence {
  readonly type: string;
  readonly message: string;
}

function isSentence(error: unknown): error is Sentence {
  return typeof error === 'object' && error !== null && 'type' in error && 'message' in error;
}

/** Creates the function that the SDK's logger calls for each entry. */
export function createLogSink(settings: LogSettings): (line: LogLine) => void {
  return (line) => {
    if (settings.level === 'DEBUG' || !isChatter(line)) settings.write(formatLogLine(line, settings));
  };
}

/**
 * True for the SDK's entries about the creation and state of Workers, and its warnings about Workers without workflows,
 * which make model calls. This process logs its own start instead.
 */
function isChatter({ level, message, meta }: LogLine): boolean {
  if (meta?.['sdkComponent'] !== 'worker') return false;
  return level === 'INFO' || message.startsWith('No workflows registered');
}

export function logActivities({ info, log }: Context): ActivityInterceptors {
  return {
    inbound: {
      async execute(input, next) {
        const [first] = input.args;
        const call = toModelCall(info.activityType, first);
        try {
          const output = await next(input);
          if (info.activityType === 'record') logEpisodeEnd(log, first as RecordInput);
          if (info.activityType === 'step') log.debug('step taken', { action: (first as StepInput).action.name });
          if (call !== null) log.debug('model called', fieldsOfCall(call));
          return output;
        } catch (error) {
          if (call !== null) logFailedCall(log, call, error);
          throw error;
        }
      },
    },
  };
}

const NOT_LOGGED: ReadonlySet<string> = new Set([FailureType.TranscriptMissing, FailureType.NoTurn]);

type Log = Context['log'];

function logEpisodeEnd(log: Log, { outcome, reward, steps, usage }: RecordInput): void {
  const { costUsd, extraAttempts } = sumUsage(usage);
  const figures = { outcome: outcome.kind, reward, cost_usd: costUsd, steps: steps.length, repeated: extraAttempts };
  if (outcome.kind === 'infrastructure_error') log.warn('episode failed', { ...figures, failure: outcome.error });
  else log.info('episode ended', figures);
}

function logFailedCall(log: Log, call: TracedCall, error: unknown): void {
  // Not logged: an unknown conversation, which is sent again, and a call without a turn, which was not made.
  if (!(error instanceof ApplicationFailure) || NOT_LOGGED.has(error.type ?? '')) return;
  const { nonRetryable, type, message } = error;
  const delay: unknown = error.nextRetryDelay;
  if (nonRetryable === true) return;
  const wait = typeof delay === 'number' ? { retry_after_ms: delay } : {};
  log.warn('model call failed and will be made again', {
    ...fieldsOfCall(call),
    failure: type,
    reason: message,
    ...wait,
  });
}

function fieldsOfCall({ call, role, model, episode }: TracedCall): Record<string, unknown> {
  const { taskId: task, trial } = episode;
  return { task, trial, call, role, provider: model.provider, model: model.model };
}
