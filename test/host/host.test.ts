import { describe, expect, it } from 'vitest';

import { UnreachableError } from '../../src/errors/index.ts';
import { withHost } from '../../src/host/index.ts';
import { putUp, type HostParts, type ProcessHost, type WorkerNeeds } from '../../src/host/testing.ts';
import { taskQueues } from '../../src/evaluation/index.ts';

const NEEDS: WorkerNeeds = {
  taskQueue: 'tauflow',
  queues: [taskQueues('tauflow')],
  providers: ['scripted'],
  endpoints: {},
  rateLimits: {},
  scripted: null,
  maxConcurrency: 1,
  agents: [],
};
const WORKERS = { logLevel: 'ERROR', providers: [], maxConcurrency: 1 } as const;

/** Parts that write down what is done with them. @param failing the part that cannot be put up */
function fakeHost(failing = '') {
  const events: string[] = [];
  let endWorkers: (error: Error) => void = () => undefined;
  const part = <T>(name: string, value: T) => {
    if (name === failing) return Promise.reject(new Error(`${name} failed`));
    events.push(name);
    return Promise.resolve(value);
  };
  const down = (name: string) => () => {
    events.push(`${name} down`);
    return Promise.resolve();
  };
  const parts = {
    startTelemetry: () =>
      part('telemetry', { tracing: null, client: {}, loadWorkers: () => Promise.resolve(), stop: down('telemetry') }),
    connect: () => part('connection', { close: down('connection') }),
    checkTaskQueue: () => part('check', undefined),
    applyRateLimits: () => part('limits', {}),
    watchLocalServer: () => part('watch', { stop: down('watch') }),
    startActivities: () => part('activities', { close: down('activities') }),
    startWorkers: () =>
      part('workers', {
        ended: new Promise<void>((_, reject) => {
          endWorkers = reject;
        }),
        calls: () => 0,
        stop: down('workers'),
      }),
  } as unknown as HostParts;
  const surroundings = {
    env: {},
    cwd: '/work',
    home: '/home',
    debug: false,
    stderr: { write: () => true },
    log: () => undefined,
  };
  const run = <T>(body: (host: ProcessHost) => Promise<T>) => withHost(surroundings, { workers: WORKERS }, body, parts);
  return { events, run, failWorkers: (error: Error) => endWorkers(error) };
}

const UP = ['telemetry', 'connection', 'check', 'limits', 'watch', 'activities', 'workers'];
const DOWN = ['workers down', 'activities down', 'watch down', 'connection down', 'telemetry down'];

describe('putUp', () => {
  it('takes down in reverse order, each step once, and goes on behind a step that fails', async () => {
    const steps: string[] = [];
    const ended = putUp((defer) => {
      defer((end) => steps.push(`first ${end}`));
      defer(() => {
        steps.push('second');
        throw new Error('second failed');
      });
      defer((end) => steps.push(`third ${end}`));
      return Promise.resolve('value');
    });
    await expect(ended).rejects.toThrow('second failed');
    expect(steps).toEqual(['third done', 'second', 'first failed']);
  });

  it('throws the error of the work, not that of the take-down', async () => {
    const ended = putUp((defer) => {
      defer(() => Promise.reject(new Error('take-down')));
      return Promise.reject(new Error('work'));
    });
    await expect(ended).rejects.toThrow('work');
  });
});

describe('withHost', () => {
  it('puts up and takes down in reverse order', async () => {
    const { events, run } = fakeHost();
    const value = await run(async (host) => {
      await host.startWorkers(NEEDS);
      events.push('body');
      return 'value';
    });
    expect(value).toBe('value');
    expect(events).toEqual([...UP, 'body', ...DOWN]);
  });

  it.each([
    ['telemetry', []],
    ['connection', ['telemetry', 'telemetry down']],
    ['limits', ['telemetry', 'connection', 'check', 'connection down', 'telemetry down']],
    ['activities', [...UP.slice(0, 5), 'watch down', 'connection down', 'telemetry down']],
    ['workers', [...UP.slice(0, 6), ...DOWN.slice(1)]],
  ])('takes down what is up when %s cannot be put up', async (failing, expected) => {
    const { events, run } = fakeHost(failing);
    await expect(run((host) => host.startWorkers(NEEDS))).rejects.toThrow(`${failing} failed`);
    expect(events).toEqual(expected);
  });

  it('stops the workers once when the body has stopped them already', async () => {
    const { events, run } = fakeHost();
    await run(async (host) => {
      const workers = await host.startWorkers(NEEDS);
      await workers.stop();
    });
    expect(events).toEqual([...UP, ...DOWN]);
  });

  it('takes everything down when the body fails', async () => {
    const { events, run } = fakeHost();
    const body = async (host: ProcessHost) => {
      await host.startWorkers(NEEDS);
      throw new Error('body failed');
    };
    await expect(run(body)).rejects.toThrow('body failed');
    expect(events).toEqual([...UP, ...DOWN]);
  });

  it('reports workers that end although nobody has stopped them', async () => {
    const { events, run, failWorkers } = fakeHost();
    const ended = run(async (host) => {
      const workers = await host.startWorkers(NEEDS);
      failWorkers(new Error('no memory'));
      await workers.lost;
    });
    await expect(ended).rejects.toThrow(UnreachableError);
    await expect(ended).rejects.toThrow('the worker of this process has ended (no memory)');
    expect(events).toEqual([...UP, ...DOWN]);
  });

  it('starts no workers unless asked', async () => {
    const { events, run } = fakeHost();
    await run(() => Promise.resolve());
    expect(events).toEqual(['telemetry', 'connection', 'connection down', 'telemetry down']);
  });
});
