/** Telemetry of a sweep, sent to a collector, to Prometheus and to its log: real processes and a real server. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import getPort from 'get-port';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { startOtlpCollector, type OtlpCollector, type ReceivedSpan } from '../helpers/otlp-collector.ts';
import { environment, namesIn, run, scratchFolder, type Ended, type Place } from './in-process.ts';
import { endAll, runApart, start } from './processes.ts';

/** Each process bundles the workflows anew, which takes its time on a busy machine. */
const SLOW = { timeout: 180_000 };
const KEY = 'sk-nobodys-0123456789abcdef';
const HEADER_SECRET = 'collector-secret-0123456789';

const cwd = scratchFolder();
let collector: OtlpCollector;

beforeAll(async () => {
  collector = await startOtlpCollector();
});
afterAll(async () => {
  await endAll();
  await collector.close();
});

/** Says at its end whether the process has loaded anything of OpenTelemetry. */
const spy = join(cwd, 'spy.cjs');
writeFileSync(
  spy,
  `process.on('exit', () => {
    const loaded = Object.keys(require.cache).filter((path) => path.includes('@opentelemetry'));
    require('node:fs').writeSync(2, JSON.stringify({ message: 'spied', loaded: loaded.length }) + '\\n');
  });`,
);

function place(env: Readonly<Record<string, string>>): Place {
  const { address, namespace } = inject('temporal');
  const temporal = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
  const quiet = { OTEL_SDK_DISABLED: '', OTEL_EXPORTER_OTLP_ENDPOINT: '', TAUFLOW_METRICS: '', TAUFLOW_LOG: '' };
  const more = { ...quiet, ...temporal, OPENAI_API_KEY: KEY, NODE_OPTIONS: `--require ${spy}`, ...env };
  return { cwd, env: environment(more) };
}

/** Two episodes on a task queue of their own. */
function sweep(runId: string, ...more: string[]): string[] {
  const tasks = ['--task-ids', '1', '2', '--num-trials', '1', '--max-concurrency', '2'];
  return ['run', ...tasks, '--run-id', runId, '--task-queue', runId, ...more];
}

function spied({ stderr }: Ended): number {
  const [, loaded] = /"message":"spied","loaded":(\d+)/.exec(stderr) ?? [];
  return Number(loaded);
}

interface EpisodeRecord {
  readonly task_id: number;
  readonly actions: readonly { readonly name: string; readonly kwargs: Record<string, unknown> }[];
  readonly usage: readonly { readonly role: string; readonly calls: number }[];
  readonly trajectory: readonly { readonly role: string; readonly content: string | null }[];
}

function records(runId: string): EpisodeRecord[] {
  const folder = join(cwd, 'results', runId, 'episodes');
  return namesIn(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as EpisodeRecord);
}

describe('a sweep with a collector', () => {
  let ended: Ended;
  let spans: readonly ReceivedSpan[];
  let byId: ReadonlyMap<string, ReceivedSpan>;

  beforeAll(async () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: `api-key=${HEADER_SECRET}`,
      OTEL_METRIC_EXPORT_INTERVAL: '500',
      OTEL_SERVICE_NAME: 'nightly-evaluation',
      TAUFLOW_LOG: 'json',
      TAUFLOW_LOG_LEVEL: 'info',
    };
    ended = await runApart(sweep('traced', '--scripted-faults', '429=0.2'), place(env));
    spans = collector.spans();
    byId = new Map(spans.map((span) => [span.spanId, span]));
  }, SLOW.timeout);

  const named = (name: string) => spans.filter((span) => span.name === name);
  const rootOf = (span: ReceivedSpan): ReceivedSpan => {
    const parent = byId.get(span.parentSpanId ?? '');
    return parent === undefined ? span : rootOf(parent);
  };
  const inEpisode = (name: RegExp, task: number) =>
    spans.filter((span) => name.test(span.name) && span.attributes['tau.task'] === task);

  it('ends as it would without', () => {
    expect(ended.code, ended.stderr).toBe(0);
    expect(records('traced').map((record) => record.task_id)).toEqual([1, 2]);
    expect(spied(ended)).toBeGreaterThan(0);
  });

  it('has one trace, from the command that started it, and one for each episode, linked to it', () => {
    const roots = spans.filter(({ parentSpanId }) => parentSpanId === null);
    expect(roots.map(({ name }) => name).sort()).toEqual([
      'RunWorkflow:episode',
      'RunWorkflow:episode',
      'StartWorkflow:sweep',
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(3);
    for (const span of spans) expect(roots).toContain(rootOf(span));
    for (const episode of named('RunWorkflow:episode')) {
      const opener = byId.get(episode.links[0] ?? '');
      expect(opener).toMatchObject({ name: 'StartChildWorkflow:episode' });
      expect(opener?.attributes['tau.child']).toBe(episode.attributes['temporalWorkflowId']);
      expect(opener && rootOf(opener).name).toBe('StartWorkflow:sweep');
    }
  });

  it('has every step and every call of an episode below its root', () => {
    for (const { task_id: task, actions, usage } of records('traced')) {
      const steps = inEpisode(/^RunActivity:step$/, task);
      const taken = actions.map(({ name }) => name).filter((name) => name !== 'respond');
      expect(steps.map(({ attributes }) => attributes['tau.action'])).toEqual(taken);
      const calls = inEpisode(/^chat /, task).filter(({ attributes }) => attributes['error.type'] === undefined);
      expect(calls).toHaveLength(usage.reduce((sum, role) => sum + role.calls, 0));
      for (const span of [...steps, ...calls]) {
        expect(rootOf(span)).toMatchObject({ name: 'RunWorkflow:episode', attributes: { 'tau.task': task } });
      }
    }
  });

  it('describes a model call by the conventions for generative AI, and its place in the run', () => {
    const [call] = inEpisode(/^chat oracle:0.8$/, 1);
    expect(call?.kind).toBe(3);
    expect(call?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.request.model': 'oracle:0.8',
      'gen_ai.response.model': 'oracle:0.8',
      'gen_ai.usage.input_tokens': expect.any(Number) as number,
      'gen_ai.usage.output_tokens': expect.any(Number) as number,
      'tau.run': 'traced',
      'tau.task': 1,
      'tau.trial': 0,
      'tau.role': 'agent',
      'tau.call': 'agent 1',
      'tau.attempt': 1,
      'tau.cost_usd': 0,
    });
  });

  it('describes an attempt that failed', () => {
    const ended = spans.filter(({ name, attributes }) => name.startsWith('chat ') && 'error.type' in attributes);
    // After a refusal others may have waited for their turn in vain: they have asked for nothing.
    const failed = ended.filter(({ attributes }) => attributes['error.type'] !== 'NoTurn');
    expect(failed.length).toBeGreaterThan(0);
    for (const { statusCode, attributes } of failed) {
      expect(statusCode).toBe(2);
      expect(attributes).toMatchObject({ 'error.type': 'RateLimited', 'http.response.status_code': 429 });
    }
  });

  it('reports how each episode ended', () => {
    for (const { attributes } of named('RunWorkflow:episode')) {
      expect(attributes).toMatchObject({ 'tau.outcome': 'user_stop', 'tau.reward': 1 });
    }
  });

  it('sends nothing of what was said or done, and no key', () => {
    const traces = collector.received.filter(({ path }) => path === '/v1/traces');
    expect(traces.length).toBeGreaterThan(0);
    expect(traces[0]?.headers['api-key']).toBe(HEADER_SECRET);
    const sent = traces.map(({ body }) => body.toString('utf8')).join('\n');
    expect(sent).toContain('nightly-evaluation');
    const texts = records('traced').flatMap(({ trajectory, actions }) => [
      ...trajectory.flatMap(({ content }) => (content === null ? [] : content.split('\n'))),
      ...actions.flatMap(({ kwargs }) => Object.values(kwargs).map(String)),
    ]);
    const long = texts.map((text) => text.trim()).filter((text) => text.length >= 12);
    expect(long.length).toBeGreaterThan(20);
    expect(long.filter((text) => sent.includes(text))).toEqual([]);
    for (const secret of [KEY, HEADER_SECRET, cwd, 'Rate limit']) expect(sent).not.toContain(secret);
  });

  it("sends the SDK's metrics and this program's", () => {
    const metrics = collector.received.filter(({ path }) => path === '/v1/metrics');
    expect(metrics[0]?.headers['api-key']).toBe(HEADER_SECRET);
    // Protobuf has texts as they are.
    const sent = Buffer.concat(metrics.map(({ body }) => body)).toString('latin1');
    for (const name of [
      'temporal_activity_schedule_to_start_latency',
      'tauflow_model_calls',
      'gen_ai.client.token.usage',
    ]) {
      expect(sent).toContain(name);
    }
  });

  it('logs a JSON object a line, with run, task and trial where an episode is meant', () => {
    const lines = ended.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const ends = lines.filter(({ message }) => message === 'episode ended');
    expect(ends.map(({ run, task, trial, outcome, reward }) => ({ run, task, trial, outcome, reward }))).toEqual(
      expect.arrayContaining(
        [1, 2].map((task) => ({ run: 'traced', task, trial: 0, outcome: 'user_stop', reward: 1 })),
      ),
    );
    expect(ends).toHaveLength(2);
    const retries = lines.filter(({ level }) => level === 'WARN');
    expect(retries.length).toBeGreaterThan(0);
    for (const retry of retries) {
      expect(retry).toMatchObject({ run: 'traced', trial: 0, activity: 'complete', failure: 'RateLimited' });
      expect(retry['attempt']).toBeTypeOf('number');
    }
    expect(ended.stderr).not.toContain(KEY);
  });
});

describe('a sweep without telemetry', () => {
  it('sends nothing, and loads nothing of OpenTelemetry', SLOW, async () => {
    const before = collector.received.length;
    const ended = await runApart(sweep('quiet'), place({}));
    expect(ended.code, ended.stderr).toBe(0);
    expect(spied(ended)).toBe(0);
    expect(collector.received.length).toBe(before);
  });
});

describe('a sweep whose content is to be traced', () => {
  it('sends what each role was sent and answered, as its record has it, and no key', SLOW, async () => {
    const before = collector.received.length;
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: `api-key=${HEADER_SECRET}`,
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'SPAN_ONLY',
    };
    const ended = await runApart(sweep('content', '--agent-strategy', 'fastworkflow'), place(env));
    expect(ended.code, ended.stderr).toBe(0);
    const spans = collector.spans().filter(({ attributes }) => attributes['tau.run'] === 'content');
    const calls = spans.filter(({ name }) => name.startsWith('chat '));
    for (const { task_id: task, usage, trajectory } of records('content')) {
      const ofTask = calls.filter(({ attributes }) => attributes['tau.task'] === task);
      const roles = new Set(ofTask.map(({ attributes }) => String(attributes['tau.role'])));
      expect([...roles].sort()).toEqual(usage.map(({ role }) => role).sort());
      expect(roles.size).toBeGreaterThan(2);
      const said = ofTask.map(({ attributes }) => String(attributes['gen_ai.output.messages'])).join('\n');
      for (const { content } of trajectory.filter(({ role }) => role === 'user')) {
        if (content !== null) expect(said).toContain(JSON.stringify(content).slice(1, -1));
      }
    }
    for (const { attributes } of calls) {
      const [first] = JSON.parse(String(attributes['gen_ai.input.messages'])) as [{ role: string; parts: unknown }];
      expect(first).toMatchObject({ role: 'system', parts: [{ type: 'text' }] });
    }
    const steps = spans.filter(({ name }) => name === 'RunActivity:step');
    for (const { attributes } of steps) expect(attributes['gen_ai.tool.call.result']).toBeTypeOf('string');
    const sent = collector.received.slice(before).map(({ body }) => body.toString('utf8'));
    for (const secret of [KEY, HEADER_SECRET]) expect(sent.join('\n')).not.toContain(secret);
  });
});

describe('a collector that is not there', () => {
  it('costs a warning, and the sweep goes on', SLOW, async () => {
    const port = await getPort({ host: '127.0.0.1' });
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_METRIC_EXPORT_INTERVAL: '500' };
    const ended = await runApart(sweep('unheard'), place(env));
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr).toMatch(/2\/2 ended/);
    const trouble = ended.stderr.split('\n').filter((line) => /warn|error|refused/i.test(line));
    expect(trouble.length, ended.stderr).toBeLessThanOrEqual(1);
    expect(trouble.join()).toMatch(/^(?:warning: traces cannot be sent to http:\/\/127\.0\.0\.1:\d+\/ .*)?$/);
  });
});

describe('a worker with an address for metrics', () => {
  it('serves them, and sends its traces as protobuf', SLOW, async () => {
    const port = await getPort({ host: '127.0.0.1' });
    const own = { TAUFLOW_METRICS: `127.0.0.1:${port}`, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const before = collector.received.length;
    const worker = start(['worker', '--task-queue', 'scraped'], place({ ...own, TAUFLOW_LOG: 'json' }));
    await worker.says(/worker on/);
    const { code, stderr } = await run(sweep('scraped', '--no-worker'), place({}));
    expect(code, stderr).toBe(0);
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toMatch(/^tauflow_episodes_total\{.*outcome="user_stop",solved="true".*\} 2$/m);
    expect(metrics).toMatch(
      /^tauflow_model_calls_total\{model="oracle:0.8",outcome="ok",provider="scripted",role="agent".*\} \d+$/m,
    );
    expect(metrics).toMatch(/^tauflow_model_tokens_total\{direction="input",.*\} \d+$/m);
    expect(metrics).toMatch(/^tauflow_model_call_latency_seconds_count\{/m);
    expect(metrics).toMatch(/^tauflow_model_call_cost_usd_sum\{/m);
    expect(metrics).toMatch(/^gen_ai_client_token_usage_sum\{.*gen_ai_token_type="input".*\} \d+$/m);
    expect(metrics).toMatch(/^gen_ai_client_operation_duration_count\{/m);
    expect(metrics).toMatch(/^temporal_worker_task_slots_available\{/m);
    worker.signal('SIGTERM');
    const ended = await worker.ended;
    expect(ended.code, ended.stderr).toBe(0);
    const sent = collector.received.slice(before);
    expect(new Set(sent.map(({ path, contentType }) => `${path} ${contentType}`))).toEqual(
      new Set(['/v1/traces application/x-protobuf']),
    );
    for (const line of ended.stderr.trim().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow();
  });

  it('says which address is taken', SLOW, async () => {
    const { port } = new URL(collector.url);
    const ended = await run(['worker', '--task-queue', 'taken'], place({ TAUFLOW_METRICS: `127.0.0.1:${port}` }));
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/^error: TAUFLOW_METRICS: metrics cannot be served at 127\.0\.0\.1:\d+ /m);
  });
});
