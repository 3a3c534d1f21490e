/** The chaos harness's draws, comparisons and counts: it must notice a broken guarantee. */

import { describe, expect, it } from 'vitest';

import type { LoggedCall, ScriptedStats } from '../../src/scripted-model/index.ts';
import { FAILURE_KINDS, planFailures } from './chaos/injections.ts';
import { compareRuns } from './chaos/compare.ts';
import { readOptions } from './chaos/options.ts';
import { accountFor } from './chaos/paid.ts';
import type { InjectedFailure } from './chaos/inject.ts';
import type { RunData } from './run-log.ts';

const NO_FAULTS = {
  faults: { rateLimit: 0, serverError: 0, reset: 0, hang: 0, malformedBody: 0, malformedArguments: 0 },
} as ScriptedStats;

function data(changes: Partial<RunData> = {}): RunData {
  const record = { actions: [{ name: 'a' }], steps: [], reward: 1, usage: [{ role: 'agent', calls: 2 }] };
  return {
    results: '[]',
    episodes: { 'task-0.trial-0': record },
    extraAttempts: 0,
    extraAttemptsByRole: {},
    calls: 2,
    ...changes,
  };
}

function call(digest: string, receivedAt: number): LoggedCall {
  return { digest, role: 'agent', episode: `e-${digest}`, model: 'm', receivedAt, completedAt: receivedAt + 200 };
}

const kill = (at: number): InjectedFailure => ({ kind: 'worker', at, kills: 1 });

describe('the injected failures', () => {
  it('follow from the seed, and are of every kind where there are as many', () => {
    const failures = planFailures(7, 20);
    expect(planFailures(7, 20)).toEqual(failures);
    expect(planFailures(8, 20)).not.toEqual(failures);
    const kindsOf = (planned: typeof failures) => new Set(planned.map(({ kind }) => kind));
    expect(kindsOf(planFailures(7, 20, 'several'))).toEqual(new Set(FAILURE_KINDS));
    const ofOne = FAILURE_KINDS.filter((kind) => kind !== 'service process');
    expect(kindsOf(planFailures(7, 20, 'one'))).toEqual(new Set(ofOne));
    expect(kindsOf(failures)).toEqual(new Set(FAILURE_KINDS.filter((kind) => !kind.startsWith('service'))));
    const moments = failures.map(({ at }) => at);
    expect([...moments].sort((a, b) => a - b)).toEqual(moments);
    expect(Math.min(...moments)).toBeGreaterThan(0);
    expect(Math.max(...moments)).toBeLessThan(1);
  });
});

describe('the comparison', () => {
  const differing = (changed: RunData) =>
    compareRuns(data(), changed).flatMap(({ what, differences }) => (differences.length > 0 ? [what] : []));

  it('finds nothing in equal runs', () => {
    expect(differing(data())).toEqual([]);
  });

  it.each([
    ['another action', { actions: [{ name: 'b' }] }, ['action sequences', 'whole records']],
    ['another reward', { reward: 0 }, ['rewards', 'whole records']],
    ['another count of calls', { usage: [] }, ['usage per role (calls, tokens)', 'whole records']],
  ])('finds %s', (_, change, expected) => {
    const [record = {}] = Object.values(data().episodes) as object[];
    expect(differing(data({ episodes: { 'task-0.trial-0': { ...record, ...change } } }))).toEqual(expected);
  });

  it('finds a missing record, another file and another number of calls', () => {
    expect(differing(data({ episodes: {}, results: '[1]', calls: 1 }))).toHaveLength(6);
  });
});

describe('the account of what was paid', () => {
  const reference = [call('a', 0), call('b', 10_000)];

  it('explains a call that was under way at a kill, and is recorded', () => {
    const calls = [...reference, call('a', 5_000)];
    const recorded = data({ extraAttempts: 1, extraAttemptsByRole: { agent: 1 } });
    expect(accountFor(calls, reference, [kill(100)], recorded, NO_FAULTS, 4)).toEqual({
      completions: 3,
      again: 1,
      underWay: 1,
      unexplained: [],
      extraAttempts: 1,
      afterFaults: 0,
      hidden: [],
    });
  });

  it('takes the parts of an agent together, whose names are its own', () => {
    const calls = [...reference, call('a', 5_000)];
    const recorded = data({ extraAttempts: 1, extraAttemptsByRole: { 'agent/router': 1 } });
    expect(accountFor(calls, reference, [kill(100)], recorded, NO_FAULTS, 4).hidden).toEqual([]);
  });

  it('does not explain one that nothing was killed under, or that the records hide', () => {
    const calls = [...reference, call('b', 20_000)];
    const paid = accountFor(calls, reference, [kill(100)], data(), NO_FAULTS, 4);
    expect(paid.unexplained).toHaveLength(1);
    expect(paid.hidden).toHaveLength(1);
  });

  it('counts an episode once a failure, and no more than there are open', () => {
    const calls = ['a', 'b', 'c'].map((digest) => call(digest, 0));
    const twice = [...calls, { ...call('d', 300), episode: 'e-a' }];
    expect(accountFor(twice, twice, [kill(250)], data(), NO_FAULTS, 9).underWay).toBe(3);
    expect(accountFor(twice, twice, [kill(250)], data(), NO_FAULTS, 2).underWay).toBe(2);
  });
});

describe('the flags', () => {
  it('are numbers where they should be', () => {
    expect(readOptions(['--kills', '0', '--seed', '5'])).toMatchObject({ kills: 0, seed: 5, workers: 3 });
    expect(() => readOptions(['--workers', '0'])).toThrow('--workers 0 is no count');
    expect(() => readOptions(['--worker', '2'])).toThrow(TypeError);
    expect(() => readOptions(['--agent', 'a', '--environment', 'b'])).toThrow('not both');
    expect(readOptions(['--help'])).toContain('npm run chaos');
  });
});
