/** The bundle of the workflows, the flags of the engine that runs it, and recorded histories that it replays. */

import { execFile } from 'node:child_process';
import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it, afterAll } from 'vitest';
import { ReplayError, Worker, type ReplayWorkerOptions } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { historyFromJSON, historyToJSON } from '../../src/temporal/sdk-internals/testing.ts';
import { workflowBundle, engineFlags, tracingModule, writeBundle } from '../../src/temporal/worker/testing.ts';
import { listHistories, listNewestHistories, readHistory, type HistoryEventJson } from './histories.ts';
import { ensureRuntime } from './rig-on-server.ts';

let code = '';
beforeAll(async () => {
  code = await readFile(inject('workflowBundle'), 'utf8');
});

/** Paths of this project's modules in the bundle, relative to the repository. */
function bundledModules(): string[] {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const paths = sourceMap().sources.map((source) =>
    source
      .replace(/^webpack:\/\/[^/]*\//, '')
      .replace(root, '')
      .replace(/^(?:\.?\/)+/, ''),
  );
  // `ignored|…`: webpack's stand-in for what the SDK looks for and may leave out.
  return paths.filter((path) => !/^(?:node_modules\/|webpack\/|ignored\|)/.test(path));
}

function sourceMap(): { readonly sources: readonly string[] } {
  const [, base64] = /sourceMappingURL=data:application\/json;(?:charset=[^;]+;)?base64,(\S+)/.exec(code) ?? [];
  if (base64 === undefined) throw new Error('the bundle has no source map');
  return JSON.parse(Buffer.from(base64, 'base64').toString('utf8')) as { sources: string[] };
}

describe("the workflows' bundle", () => {
  it.each([
    ...['zod', 'openai', 'lru-cache', 'undici', '@temporalio/client', '@temporalio/activity'],
    ...['@opentelemetry', '@temporalio/interceptors-opentelemetry'],
  ])('has nothing of %s: every cached workflow would hold a copy', (name) => {
    expect(code).not.toContain(`node_modules/${name}/`);
  });

  it('has no modules but the workflows and the pure modules', () => {
    const modules = bundledModules();
    expect(modules).toContain('workflows/episode.ts');
    const pure =
      /^(?:workflows|src\/(?:benchmarks|agents|agent-service|conditions|episode|errors|evaluation|orchestration))\/|^data\/(?:intent-training|(?:tau3\/)?\w+\/(?:intent-weights|commands))\.json$/;
    expect(modules.filter((path) => !pure.test(path))).toEqual([]);
  });
});

/** Modules that a bundle evaluates once for all workflows of a worker. */
function sharedModules(bundle: string): string[] {
  const [, body = ''] = /exports\.preloadModules = function preloadModules\(\) \{([^}]*)\}/.exec(bundle) ?? [];
  return [...body.matchAll(/"([^"]+)"\);/g)].map(([, path = '']) => path);
}

describe('modules that workflows share', () => {
  it('are those that are pure', () => {
    const names = sharedModules(code).map((path) => /(\w+\/(?:index|pure)|fastworkflow)\.[jt]s$/.exec(path)?.[1]);
    expect(names).toEqual(['fastworkflow', 'agents/index', 'benchmarks/pure', 'episode/index', 'evaluation/index']);
  });

  it(
    'are data alone with an agent from a file: what it keeps belongs to one workflow',
    { timeout: 60_000 },
    async () => {
      const file = { path: 'counting.ts', digest: 'a'.repeat(64) };
      const strategy = { solve: () => Promise.resolve('done') } as never;
      const own = 'let episodes = 0; module.exports = { solve: () => (episodes += 1) };';
      const bundle = await workflowBundle({ isTraced: false, conditions: [], agents: [{ strategy, file, code: own }] });
      if (!('code' in bundle)) throw new Error('an agent from a file is bundled as the worker starts');
      expect(bundle.code).toContain('let episodes = 0');
      expect(sharedModules(bundle.code)).toEqual([expect.stringMatching(/fastworkflow\.[jt]s$/)]);
    },
  );
});

describe('protobufjs', () => {
  it('is one copy for all of the SDK: with two no history can be written as JSON', () => {
    const mine = createRequire(import.meta.url);
    const copies = ['proto', 'common', 'client', 'worker'].map((name) =>
      createRequire(mine.resolve(`@temporalio/${name}`)).resolve('protobufjs'),
    );
    expect(new Set(copies).size).toBe(1);
  });

  it('reads and writes a history', () => {
    const history = {
      events: [
        {
          eventId: '1',
          eventType: 'EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED',
          workflowExecutionSignaledEventAttributes: { signalName: 'control' },
        },
      ],
    };
    expect(JSON.parse(historyToJSON(historyFromJSON(history)))).toMatchObject(history);
  });
});

describe('the flags of the engine', () => {
  /** Objects that live for a while, beside some that stay: the peak of the heap over what is alive. */
  const CHURN = `
  import { getHeapStatistics } from 'node:v8';
  const make = (count) => Array.from({ length: count }, (_, i) => ({ number: i, list: [i, i + 1], text: 'x' + i }));
  const staying = make(300_000);
  const passing = [];
  const used = () => getHeapStatistics().used_heap_size;
  const turn = () => {
    passing.push(make(3_000));
    if (passing.length > 30) passing.shift();
  };
  for (let i = 0; i < 40; i++) turn();
  gc();
  const alive = used();
  let peak = 0;
  for (let i = 0; i < 600; i++) {
    turn();
    if (i > 200) peak = Math.max(peak, used());
    await new Promise(setImmediate);
  }
  console.log(peak / alive, staying.length);
`;

  const SET_FLAGS = `
  import { setFlagsFromString } from 'node:v8';
  ${JSON.stringify(engineFlags(100))}.forEach((flag) => setFlagsFromString(flag));
`;

  async function churn(start: string) {
    const args = ['--expose-gc', '--input-type=module', '--eval', start + CHURN];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { encoding: 'utf8' });
    return { ratio: Number.parseFloat(stdout), stderr };
  }

  describe('The engine of a worker process', () => {
    it('collects garbage before the heap is several times what is alive, and accepts its flags', async () => {
      // 4.3 to 4.6, and 2.2 to 2.6 with the flags, on Node 20, 22 and 24.
      expect((await churn('')).ratio).toBeGreaterThan(3.4);
      const bounded = await churn(SET_FLAGS);
      expect(bounded.stderr).toBe('');
      expect(bounded.ratio).toBeLessThan(3.4);
    });

    it('collects garbage sooner where many episodes may be open', () => {
      const growth = (maxConcurrency: number) => Number(engineFlags(maxConcurrency)[0]?.split('=')[1]);
      expect(growth(1_000)).toBeLessThan(growth(100));
    });

    it('gives the threads that it starts little space for young objects', async () => {
      const thread = `
      import { getHeapSpaceStatistics } from 'node:v8';
      const young = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size;
      const kept = [];
      let most = 0;
      for (let i = 0; i < 400; i++) {
        kept.push(Array.from({ length: 5000 }, (_, number) => ({ number })));
        if (kept.length > 20) kept.shift();
        most = Math.max(most, young());
      }
      console.log(most);
    `;
      const start = `import { Worker } from 'node:worker_threads'; new Worker(${JSON.stringify(thread)}, { eval: true });`;
      const args = ['--input-type=module', '--eval', SET_FLAGS + start];
      const { stdout } = await promisify(execFile)(process.execPath, args, { encoding: 'utf8' });
      expect(Number(stdout)).toBeGreaterThan(0);
      expect(Number(stdout)).toBeLessThanOrEqual(16 * 1024 * 1024);
    });
  });
});

ensureRuntime();

const tested = { codePath: inject('workflowBundle') };

/** Replays the named histories with one worker. @returns errors by name */
async function replayAll(histories: readonly string[], options: ReplayWorkerOptions): Promise<Record<string, string>> {
  const recorded = await Promise.all(histories.map(readHistory));
  const errors: Record<string, string> = {};
  let replayed = 0;
  // Their results come in the same order.
  for await (const { error } of Worker.runReplayHistories(options, recorded)) {
    const name = histories[replayed++] ?? '';
    if (error !== undefined) errors[name] = String(error);
  }
  expect(replayed).toBe(histories.length);
  return errors;
}

const names = await listHistories();
const newest = await listNewestHistories();

describe('the workflows replay what earlier versions of them did', () => {
  it('in every way that a run can go', () => {
    const shapes = new Set(names.map((name) => name.replace(/^v\d+\//, '')));
    for (const shape of [
      'episode-tool-calling',
      'episode-fastworkflow',
      'episode-fastworkflow-question',
      'episode-retried-call',
      'episode-agent-error',
      'episode-max-steps',
      'episode-cancelled',
      'episode-transcript-missing',
      'sweep-plain',
      'sweep-resumed',
      'sweep-continued-as-new-first',
      'sweep-lanes',
      'sweep-lanes-short',
      'sweep-cancelled',
      'episode-fork',
      'episode-human',
      'episode-outside',
      'episode-service',
      'episode-service-restarted',
      'episode-environment',
      'episode-tau3',
      'sweep-retried',
      'sweep-extended',
      'sweep-limits',
      'sweep-lanes-steered',
      'sweep-outage',
      'sweep-refused-resumed',
      'sweep-refused-cancelled',
      'scheduled-run',
      'errors',
      'errors-unread',
      'errors-halted',
      'errors-continued-as-new-first',
      'errors-cancelled',
    ]) {
      expect(shapes).toContain(shape);
    }
  });

  it('without a difference', { timeout: 300_000 }, async () => {
    expect(await replayAll(names, { workflowBundle: tested })).toEqual({});
  });
});

describe('a history that is not theirs', () => {
  const isStep = (event: HistoryEventJson) => event.activityTaskScheduledEventAttributes?.activityType.name === 'step';

  it('does not replay', async () => {
    const { workflowId, history } = await readHistory('v1/episode-tool-calling');
    const events = history.events.map((event) =>
      isStep(event)
        ? {
            ...event,
            activityTaskScheduledEventAttributes: {
              ...event.activityTaskScheduledEventAttributes,
              activityType: { name: 'grade' },
            },
          }
        : event,
    );
    expect(history.events.some(isStep)).toBe(true);
    const replayed = Worker.runReplayHistory({ workflowBundle: tested }, { events }, workflowId);
    await expect(replayed).rejects.toSatisfy(
      (error) => error instanceof DeterminismViolationError || error instanceof ReplayError,
    );
  });
});

/** Traces are turned on and off by the worker, in the middle of a run too: what was done without them must replay with. */
describe('traces that are turned on in the middle of a run', () => {
  let folder = '';
  let codePath = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tauflow-traced-'));
    codePath = join(folder, 'traced.cjs');
    await writeBundle(codePath, { workflowInterceptorModules: [tracingModule] });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('the bundle for traces has the interceptors', async () => {
    const code = await readFile(codePath, 'utf8');
    expect(code).toContain('node_modules/@temporalio/interceptors-opentelemetry/');
  });

  /** Receiver of the spans. */
  const sinks = { exporter: { export: { fn: () => undefined } } };

  // Interceptors see no version: all of them are replayed above, and here one of each shape will do.
  it('histories of each shape replay with traces on', { timeout: 300_000 }, async () => {
    expect(await replayAll(newest, { workflowBundle: { codePath }, sinks })).toEqual({});
  });
});
