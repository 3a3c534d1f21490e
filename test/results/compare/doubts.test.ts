import { describe, expect, it } from 'vitest';

import { compareRuns, compareMany, settingSections } from '../../../src/results/compare/testing.ts';
import { renderMarkdown } from '../../../src/results/document/index.ts';
import { CONFIG, row } from '../fixtures.ts';
import { manifest, quick, run, twenty } from './runs.ts';

const plain = run('a', twenty(16));

function against(config: Parameters<typeof manifest>[1], changes: Parameters<typeof manifest>[2] = {}) {
  return compareRuns(plain, run('b', twenty(15), manifest('b', config, changes)), quick);
}

describe('settings that differ', () => {
  it('are grouped by what they concern', () => {
    const { settings, warnings } = against(
      {
        agentModel: { provider: 'openai', model: 'gpt-5', temperature: 1 },
        userModel: { ...CONFIG.userModel, model: 'gpt-5' },
        maxSteps: 20,
        seed: 11,
      },
      { versions: { tauflow: '0.2.0' } },
    );
    const sections = settingSections(settings, ({ name, values }) => `${name}: ${values.join(', now ')}`);
    expect(renderMarkdown(sections).split('\n').filter(Boolean)).toEqual([
      '## Different agent',
      '- agent_model.model: gpt-4o, now gpt-5',
      '- agent_model.temperature: 0, now 1',
      '## Different conditions, which should be the same',
      '- user_model.model: gpt-4o, now gpt-5',
      '- max_steps: 30, now 20',
      '- versions.tauflow: 0.1.0, now 0.2.0',
      '## Different sample',
      '- seed: 10, now 11',
    ]);
    expect(warnings).toEqual([
      'Not only the agents differ: user_model.model, max_steps, versions.tauflow. The difference of the scores may come from these settings.',
    ]);
  });

  it('give no warning where only the agent’s model or only the seed is another', () => {
    expect(against({ agentModel: { ...CONFIG.agentModel, model: 'gpt-5' } }).warnings).toEqual([]);
    expect(against({ seed: 11 }).warnings).toEqual([]);
  });

  it('count a role that has the agent’s model in both runs as one thing with it', () => {
    const of = (model: string, role = model) => ({
      agentModel: { ...CONFIG.agentModel, model },
      roleModels: { 'agent/extraction': { ...CONFIG.agentModel, model: role } },
    });
    const between = (one: object, other: object) =>
      compareRuns(run('a', twenty(15), manifest('a', one)), run('b', twenty(15), manifest('b', other)), quick).warnings;
    expect(between(of('gpt-4o'), of('gpt-5'))).toEqual([]);
    expect(between(of('gpt-4o'), of('gpt-5', 'gpt-4o-mini'))).toEqual([
      expect.stringContaining('(agent_model, role_models.agent/extraction)'),
    ]);
  });

  it('give one where the agents differ in several things, or the trials in number', () => {
    const { warnings } = against(
      { strategy: 'react', strategyOptions: { omitPolicy: true, useReasoning: true } },
      { plan: { ...manifest('b').plan, numTrials: 4 } },
    );
    expect(warnings).toEqual([
      expect.stringMatching(/differ in several settings at once \(strategy, strategy_options\.omit_policy\)/),
      expect.stringMatching(/numbers of trials differ/),
    ]);
  });

  it('count leaving displays out as a condition, the displays as the agent’s', () => {
    const { settings } = against({
      strategyOptions: { ...CONFIG.strategyOptions, fewShots: { leaveOut: true, file: { path: '/x', digest: 'ab' } } },
    });
    expect(settings).toEqual([
      { name: 'strategy_options.few_shots.file.digest', concern: 'agent', values: ['none', 'ab'] },
      { name: 'strategy_options.few_shots.leave_out', concern: 'conditions', values: ['none', 'true'] },
    ]);
  });

  it('are the name and version of an agent that is a service, wherever it runs', () => {
    const service = (agentUrl: string, agentName?: string) => ({
      strategy: 'agent-service',
      strategyOptions: { ...CONFIG.strategyOptions, agentUrl, ...(agentName === undefined ? {} : { agentName }) },
    });
    const between = (...[one, other]: [ReturnType<typeof service>, ReturnType<typeof service>]) => {
      const runs = [run('a', twenty(16), manifest('a', one)), run('b', twenty(15), manifest('b', other))] as const;
      return compareRuns(...runs, quick).settings.map(({ name }) => name);
    };
    expect(between(service('http://a', 'x 1'), service('http://b', 'x 1'))).toEqual([]);
    expect(between(service('http://a', 'x 1'), service('http://b', 'x 2'))).toEqual(['strategy_options.agent_name']);
    expect(between(service('http://a'), service('http://b'))).toEqual(['strategy_options.agent_url']);
  });

  it('include what was served for the same name, without fingerprints', () => {
    const served = (model: string) => ({ servedModels: [model] });
    const old = run('a', twenty(16, served('gpt-4o-2024-05-13 (fp_1)')));
    const other = run('b', twenty(16, served('gpt-4o-2024-08-06 (fp_2)')));
    expect(compareRuns(old, other, quick).settings).toEqual([
      { name: 'served models', concern: 'conditions', values: ['gpt-4o-2024-05-13', 'gpt-4o-2024-08-06'] },
    ]);
    const again = run('b', twenty(16, served('gpt-4o-2024-05-13 (fp_3)')));
    expect(compareRuns(old, again, quick).settings).toEqual([]);
  });

  it('are not known of a results file', () => {
    const { warnings, settings } = compareRuns(plain, run('file', twenty(15), null), quick);
    expect(settings).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(/^Only results are known of file: /)]);
  });
});

describe('other tasks under the same numbers', () => {
  const other = run('b', twenty(4), manifest('b', { split: 'dev', env: 'airline' }));

  it('are refused, with every reason', () => {
    expect(compareRuns(plain, other, quick)).toMatchObject({
      verdict: 'incomparable',
      incomparable: 'the env was retail and is airline, and the task split was test and is dev',
    });
  });

  it('are found by their users, where only results are known of a run', () => {
    const rowsOf = (same: number) =>
      twenty(16).map((one) => ({ ...one, userId: one.taskId < same ? `ada_${String(one.taskId)}` : 'bob_2' }));
    const ours = run('a', rowsOf(20));
    expect(compareRuns(ours, run('file', rowsOf(9), null), quick).incomparable).toBe(
      '11 of the 20 common tasks have other users',
    );
    expect(compareRuns(ours, run('file', rowsOf(10), null), quick).incomparable).toBeNull();
  });

  it('are compared where that is asked for, with a warning that comes first', () => {
    const comparison = compareRuns(plain, other, { ...quick, allowDifferent: true });
    expect(comparison).toMatchObject({ verdict: 'regression', incomparable: null, errorsLeftOut: { tasks: 20 } });
    expect(comparison.warnings[0]).toMatch(/^DIFFERENT TASKS, .*the env was retail and is airline/);
  });
});

describe('too few tasks', () => {
  it.each([
    [5, true],
    [6, false],
  ])('%d: no difference is significant = %s', (tasks, isWarned) => {
    const rows = (reward: number) => Array.from({ length: tasks }, (_, id) => row(id, 0, reward));
    const { verdict, warnings } = compareRuns(run('a', rows(1)), run('b', rows(0)), quick);
    expect(warnings.some((warning) => warning.includes('no difference is significant'))).toBe(isWarned);
    expect(verdict === 'regression').toBe(!isWarned);
  });
});

describe('an interval that would decide otherwise', () => {
  it('is reported', () => {
    // One lost of seven that changed: resampled, the mean is hardly ever below 0; with random signs it often is.
    const half = (id: number, first: number, second: number) => [row(id, 0, first), row(id, 1, second)];
    const rows = (changed: (id: number) => readonly [number, number]) =>
      Array.from({ length: 30 }, (_, id) => half(id, ...changed(id))).flat();
    const before = rows((id) => (id < 6 ? [1, 0] : [1, 1]));
    const after = rows((id) => (id === 6 ? [1, 0] : [1, 1]));
    const comparison = compareRuns(run('a', before), run('b', after));
    expect(comparison.errorsLeftOut).toMatchObject({ changed: 7, permutation: { p: 0.125 } });
    expect(comparison.errorsLeftOut.interval?.low).toBeGreaterThan(0);
    expect(comparison.verdict).toBe('no_difference');
    expect(comparison.sentence).toMatch(
      /the interval excludes 0, but the permutation test over the 7 tasks that changed decides, and shows none;/,
    );
  });
});

describe('an interval without width', () => {
  it('is none for a difference, and Clopper and Pearson’s for a score', () => {
    const same = compareRuns(run('a', twenty(20)), run('b', twenty(20)), quick);
    expect(same.errorsLeftOut).toMatchObject({ delta: 0, interval: null, permutation: { p: 1 } });
    expect(same.sentence).toMatch(/0\.000 \(no CI, p = 1\.00\)$/);
    const { runs } = compareMany([run('a', twenty(20)), run('b', twenty(20)), run('c', twenty(0))], quick);
    expect(runs[0]?.interval?.low).toBeCloseTo(0.8316, 2);
    expect(runs[0]?.interval?.high).toBe(1);
  });
});
