/**
 * Logs and metrics of a process. A log has one line per entry of the SDK, the workflows and the activities; each names the
 * run, task and trial where the entry knows its workflow. Activities are logged and measured by interceptors, and know
 * nothing of them.
 */

import {
  DefaultLogger,
  type LogEntry,
  type TelemetryOptions,
  type ActivityInterceptors,
  type ActivityInterceptorsFactory,
} from '@temporalio/worker';
import {
  parseWorkflowId,
  FailureType,
  sumUsage,
  type CompleteInput,
  type CompleteOutput,
  type EpisodeKey,
  type JudgeInput,
  type JudgeOutput,
  type ModelSettings,
  type RecordInput,
  type StepInput,
} from '../../wire/index.ts';
import type { Context } from '@temporalio/activity';
import { ApplicationFailure, type MetricMeter, type MetricTags } from '@temporalio/common';
import type { AdaptiveLimits } from '../../models/index.ts';
import type { CallRole } from '../../agents/index.ts';

/** Exporter of the SDK's metrics and this program's. A process has one exporter. */
export type MetricsSettings =
  /** Served for scraping under `/metrics`; the address is `host:port`. */
  | { readonly kind: 'prometheus'; readonly bindAddress: string }
  /** Sent by OTLP/HTTP, to the whole URL. */
  | {
      readonly kind: 'otlp';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly intervalMs: number;
    };

/** Address, headers and limits are OpenTelemetry's own variables, which its exporter reads by itself. */
export interface TraceSettings {
  readonly protocol: 'http/protobuf' | 'http/json';
  /** Named by a warning when it does not answer. */
  readonly endpoint: string;
  /** Of this program, for the resource. */
  readonly version: string;
}

export const LOG_LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogSettings {
  readonly level: LogLevel;
  /** One line of a log, without its end. */
  readonly format: 'text' | 'json';
  /** Takes keys out of whatever is written. */
  readonly redact: (text: string) => string;
  readonly write: (line: string) => void;
}

export type LogLine = Pick<LogEntry, 'level' | 'message' | 'meta' | 'timestampNanos'>;
type Format = Pick<LogSettings, 'format' | 'redact'>;

export function formatLogLine(line: LogLine, { format, redact }: Format): string {
  return format === 'json' ? jsonLine(line, redact) : redact(textLine(line));
}

/** The SDK's names of fields, and their names in a log; null: left out. Other fields keep their names. */
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

function fieldsOf({ meta = {} }: LogLine): Record<string, unknown> {
  const workflowId: unknown = meta['workflowId'];
  const place = typeof workflowId === 'string' && workflowId !== '' ? parseWorkflowId(workflowId) : {};
  const own = Object.entries(meta).flatMap(([name, value]) => {
    const known = NAMES[name];
    return known === null ? [] : [[known ?? name, plain(value)] as const];
  });
  return { ...place, ...Object.fromEntries(own) };
}

/** Keys are taken out text by text, so that the line stays JSON. */
function jsonLine(line: LogLine, redact: (text: string) => string): string {
  const { level, message } = line;
  return JSON.stringify({ timestamp: timeOf(line), level, message, ...fieldsOf(line) }, (_, value: unknown) =>
    typeof value === 'string' ? redact(value) : value,
  );
}

/** Printed in front of the message or behind it, or of no use to a person who reads along. */
const NOT_SHOWN = new Set([
  ...['run', 'lane', 'task', 'trial', 'fork', 'error', 'namespace', 'task_queue', 'component', 'attempt', 'workflow'],
  ...['workflow_id', 'workflow_run_id', 'activity', 'activity_id', 'trace_id', 'span_id', 'trace_flags'],
]);

function textLine(line: LogLine): string {
  const fields = fieldsOf(line);
  const { run, activity, attempt, error } = fields;
  const place = ['lane', 'task', 'trial', 'fork'].filter((name) => name in fields).map((name) => [name, fields[name]]);
  const who = run === undefined ? '' : `${[run, ...place.flat()].join(' ')}: `;
  const what = isSentence(error) ? `${line.message} (${error.type}): ${error.message}` : line.message;
  const where = typeof activity === 'string' ? ` [${activity}, attempt ${String(attempt)}]` : '';
  const shown = Object.entries(fields).filter(([name, value]) => !NOT_SHOWN.has(name) && value !== undefined);
  const rest = shown.map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const text = `${timeOf(line)} ${line.level.padEnd(5)} ${who}${what}${where}${rest.join('')}`;
  return text.replace(/\s+/g, (space) => (space.includes('\n') ? ' ' : space));
}

function timeOf({ timestampNanos }: LogLine): string {
  return new Date(Number(timestampNanos / 1_000_000n)).toISOString();
}

/** A value as JSON takes it; of an error its type and sentence, without the stack, which holds paths of the machine. */
function plain(value: unknown): unknown {
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

export function loggerOf(settings: LogSettings): DefaultLogger {
  return new DefaultLogger(settings.level, (line) => {
    if (settings.level === 'DEBUG' || !isChatter(line)) settings.write(formatLogLine(line, settings));
  });
}

/**
 * The SDK reports how each Worker is made and which state it is in, and warns of those without workflows, which are those
 * of model calls. The process itself says when it works.
 */
function isChatter({ level, message, meta }: LogLine): boolean {
  if (meta?.['sdkComponent'] !== 'worker') return false;
  return level === 'INFO' || message.startsWith('No workflows registered');
}

export function metricsOptions(settings: MetricsSettings): NonNullable<TelemetryOptions['metrics']> {
  const shared = { useSecondsForDurations: true, histogramBucketOverrides: { ...BUCKETS } };
  if (settings.kind === 'prometheus') {
    // Prometheus' own convention; over OTLP the receiver adds it.
    return { prometheus: { ...shared, countersTotalSuffix: true, bindAddress: settings.bindAddress } };
  }
  const { url, headers, intervalMs } = settings;
  return { otel: { ...shared, url, http: true, headers: { ...headers }, metricsExportInterval: intervalMs } };
}

/** Upper bounds of the histograms' buckets. A histogram's sum is the total: there are no counters of fractions. */
const BUCKETS: Readonly<Record<string, number[]>> = {
  tauflow_model_call_latency_seconds: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600],
  tauflow_model_call_cost_usd: [0.0001, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
  tauflow_episode_steps: [1, 2, 5, 10, 15, 20, 25, 30, 50, 100],
  ...conventionalBuckets('.'),
  ...conventionalBuckets('_'),
};

/** Bounds that the conventions advise, with names as a meter takes them. */
function conventionalBuckets(separator: string): Readonly<Record<string, number[]>> {
  const named = (...words: readonly string[]) => words.join(separator);
  return {
    [named('gen_ai', 'client', 'token', 'usage')]: Array.from({ length: 14 }, (_, power) => 4 ** power),
    [named('gen_ai', 'client', 'operation', 'duration')]: Array.from({ length: 14 }, (_, power) => 0.01 * 2 ** power),
  };
}

/** Failures before a model was asked that are part of how things go. */
const NOT_COUNTED: ReadonlySet<string> = new Set([
  FailureType.TranscriptMissing,
  FailureType.NoTurn,
  FailureType.EpisodeGone,
]);

interface MeasureOptions {
  /** Limits that the process's model calls go through. @default none */
  readonly limits?: AdaptiveLimits;
  /** The meter refuses names with dots, as Prometheus does. @default it takes them */
  readonly isWithoutDots?: boolean;
}

/** @param meter the runtime's: without the activity's tags, which would say the same of every call */
export function measureActivities(
  meter: MetricMeter,
  { limits, isWithoutDots = false }: MeasureOptions = {},
): ActivityInterceptorsFactory {
  const named = (name: string) => (isWithoutDots ? name.replaceAll('.', '_') : name);
  const calls = meter.createCounter('tauflow_model_calls', 'calls', 'Attempts of model calls, by how they ended');
  const tokens = meter.createCounter('tauflow_model_tokens', 'tokens', 'Tokens of model calls that were answered');
  const latency = meter.createHistogram('tauflow_model_call_latency_seconds', 'float', 's', 'Time to the whole answer');
  const cost = meter.createHistogram(
    'tauflow_model_call_cost_usd',
    'float',
    'USD',
    'Price of calls whose model has one',
  );
  // Of OpenTelemetry's conventions for generative AI, for dashboards that know them.
  const usage = meter.createHistogram(named('gen_ai.client.token.usage'), 'int', '{token}', 'Tokens of a model call');
  const duration = meter.createHistogram(
    named('gen_ai.client.operation.duration'),
    'float',
    's',
    'Time of a model call',
  );
  const episodes = meter.createCounter('tauflow_episodes', 'episodes', 'Episodes that have ended, by how they did');
  const steps = meter.createHistogram('tauflow_episode_steps', 'int', 'steps', 'Environment steps of an episode');

  const atOnce = meter.createGauge(
    'tauflow_model_calls_at_once_limit',
    'int',
    'calls',
    'Calls in flight at most, to a provider that has answered 429',
  );
  const waiting = meter.createGauge('tauflow_model_calls_waiting', 'int', 'calls', 'Calls that wait for their turn');

  const paced = (provider: string): void => {
    const pace = limits?.of(provider).pace() ?? null;
    if (pace === null) return;
    atOnce.set(pace.callsAtOnce, { provider });
    waiting.set(pace.waiting, { provider });
  };
  const answered = (answer: ModelAnswer, model: ModelSettings, tags: MetricTags): void => {
    const { cached, usage: used, latencyMs, costUsd, servedModel } = answer;
    calls.add(1, { ...tags, outcome: cached === true ? 'cached' : 'ok' });
    // What a response cache has answered was paid and waited for once, long ago.
    if (cached === true) return;
    tokens.add(used.promptTokens, { ...tags, direction: 'input' });
    tokens.add(used.completionTokens, { ...tags, direction: 'output' });
    latency.record(latencyMs / 1000, tags);
    if (costUsd !== null) cost.record(costUsd, tags);
    const conventional = {
      [named('gen_ai.operation.name')]: 'chat',
      [named('gen_ai.provider.name')]: model.provider,
      [named('gen_ai.request.model')]: model.model,
      [named('gen_ai.response.model')]: servedModel,
    };
    usage.record(used.promptTokens, { ...conventional, [named('gen_ai.token.type')]: 'input' });
    usage.record(used.completionTokens, { ...conventional, [named('gen_ai.token.type')]: 'output' });
    duration.record(latencyMs / 1000, conventional);
  };
  const failed = (error: unknown, tags: MetricTags): void => {
    const outcome = error instanceof ApplicationFailure ? (error.type ?? 'ApplicationFailure') : 'cancelled';
    if (!NOT_COUNTED.has(outcome)) calls.add(1, { ...tags, outcome });
  };
  const ended = ({ config, outcome, reward, steps: taken }: RecordInput): void => {
    const tags = { env: config.env, strategy: config.strategy };
    episodes.add(1, { ...tags, outcome: outcome.kind, solved: reward === 1 });
    steps.record(taken.length, tags);
  };

  return ({ info }: Context) => ({
    inbound: {
      async execute(input, next) {
        if (info.activityType === 'record') {
          const output = await next(input);
          ended(input.args[0] as RecordInput);
          return output;
        }
        const call = modelCallOf(info.activityType, input.args[0]);
        if (call === null) return next(input);
        const { model, role } = call;
        const tags = { provider: model.provider, model: model.model, role };
        let output: unknown;
        try {
          output = await next(input);
        } catch (error) {
          failed(error, tags);
          throw error;
        } finally {
          paced(model.provider);
        }
        const answer = modelAnswerOf(output);
        if (answer !== null) answered(answer, model, tags);
        return output;
      },
    },
  });
}

export interface ModelCall {
  readonly role: CallRole | 'judge';
  /** Names it within its episode: `agent 3`, `judge author`. */
  readonly call: string;
  /** The one that it belongs to, which a judge's workflow is not named after. */
  readonly episode: EpisodeKey;
  readonly model: ModelSettings;
  readonly maxCompletionTokens?: number;
  readonly format: CompleteInput['format'];
  /** null: none is sent. */
  readonly seed: number | null;
}

export type ModelAnswer = Pick<
  CompleteOutput,
  'usage' | 'servedModel' | 'finishReason' | 'latencyMs' | 'costUsd' | 'cached'
>;

/**
 * @param input what the activity is given
 * @returns null for an activity that asks no model
 */
export function modelCallOf(activityType: string, input: unknown): ModelCall | null {
  switch (activityType) {
    case 'complete':
      return input as CompleteInput;
    case 'judge': {
      const { episode, judge, question } = input as JudgeInput;
      const { model, maxCompletionTokens: cap } = judge;
      const capped = cap === undefined ? {} : { maxCompletionTokens: cap };
      return { role: 'judge', call: `judge ${question}`, episode, model, ...capped, format: 'json', seed: null };
    }
    default:
      return null;
  }
}

/**
 * @param output what an activity that asks a model has returned
 * @returns null where another version of it has answered in another shape: a call that is paid for does not fail for
 *   what is only reported of it
 */
export function modelAnswerOf(output: unknown): ModelAnswer | null {
  if (typeof output !== 'object' || output === null || !('latencyMs' in output)) return null;
  if ('usage' in output) return output as CompleteOutput;
  if (!('promptTokens' in output)) return null;
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens, ...answer } =
    output as JudgeOutput;
  const written = cacheWriteTokens === undefined ? {} : { cacheWriteTokens };
  return { ...answer, usage: { promptTokens, completionTokens, cachedTokens, ...written, reasoningTokens } };
}

export function logActivities({ info, log }: Context): ActivityInterceptors {
  return {
    inbound: {
      async execute(input, next) {
        const [first] = input.args;
        const call = modelCallOf(info.activityType, first);
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

function logFailedCall(log: Log, call: ModelCall, error: unknown): void {
  // A conversation that the worker does not know is sent once more, and a call without a turn was not made.
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

function fieldsOfCall({ call, role, model, episode }: ModelCall): Record<string, unknown> {
  const { taskId: task, trial } = episode;
  return { task, trial, call, role, provider: model.provider, model: model.model };
}
