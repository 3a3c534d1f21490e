import { describe, expect, it } from 'vitest';

import { compareMany, compareRuns, comparisonDocument, manyDocument } from '../../../src/results/compare/testing.ts';
import { renderMarkdown } from '../../../src/results/document/index.ts';
import { comparisonToJson, type EpisodeRow } from '../../../src/run-log/index.ts';
import { measureAgreement } from '../../../src/stats/index.ts';
import { row } from '../fixtures.ts';
import { manifest, quick, run } from './runs.ts';

const user = (model: string) => ({ userModel: { provider: 'openai', model, temperature: null } });

/** Ten tasks with four trials, of which as many are solved as given. */
function solved(...successes: readonly number[]): EpisodeRow[] {
  return successes.flatMap((count, task) => [0, 1, 2, 3].map((trial) => row(task, trial, trial < count ? 1 : 0)));
}

const GOOD = solved(4, 4, 4, 4, 4, 4, 4, 3, 1, 0);
const FAIR = solved(4, 4, 4, 4, 4, 1, 1, 0, 0, 0);
const POOR = solved(4, 4, 4, 1, 0, 0, 0, 0, 0, 0);

const old = (id: string, rows: EpisodeRow[], config = {}) =>
  run(id, rows, manifest(id, { ...user('gpt-4o'), ...config }));
const next = (id: string, rows: EpisodeRow[], config = {}) =>
  run(id, rows, manifest(id, { ...user('gpt-6-luna'), ...config }));

describe('agreement', () => {
  it('is that of random trials, and kappa what is beyond chance', () => {
    expect(measureAgreement([])).toBeNull();
    const same = [1, 1, 0, 0].map((rate) => ({ before: rate, after: rate }));
    expect(measureAgreement(same)).toEqual({ share: 1, kappa: 1 });
    const unrelated = [1, 1, 0, 0].map((before, task) => ({ before, after: task % 2 }));
    expect(measureAgreement(unrelated)).toEqual({ share: 0.5, kappa: 0 });
    expect(measureAgreement([{ before: 0.5, after: 0.5 }])).toEqual({ share: 0.5, kappa: 0 });
    expect(measureAgreement([{ before: 1, after: 1 }])).toEqual({ share: 1, kappa: null });
  });
});

describe('two runs', () => {
  it('whose user alone differs are a simulator study', () => {
    const comparison = compareRuns(old('a', GOOD), next('b', FAIR), quick);
    expect(comparison.study).toMatchObject({ simulators: ['gpt-4o', 'gpt-6-luna'], flipped: [5, 6, 7] });
    expect(comparison.study?.agreement.share).toBeCloseTo((6 + 0.25 + 0.25 + 0.25 + 0.75) / 10, 9);
    expect(comparison.study?.withinBefore).toBeCloseTo(0.9, 9);
    expect(comparison.warnings.join()).not.toContain('Not only the agents differ');
    const text = renderMarkdown(comparisonDocument(comparison));
    expect(text).toContain('Simulator study: gpt-4o → gpt-6-luna');
    expect(text).toMatch(/bridge \| −0\.250 \|.*a score with gpt-4o/);
    expect(text).toMatch(/tasks that flip \| 3 \|.*: 5, 6, 7/);
    expect(text).toMatch(/trials to show 0\.1 \|/);
    expect(comparisonToJson(comparison)).toMatchObject({
      study: { agreement: { kappa: expect.any(Number) as number } },
    });
  });

  it.each([
    ['the agent', { strategy: 'act' }],
    ['another condition', { maxSteps: 5 }],
  ])('that differ in %s too are none', (_, config) => {
    const comparison = compareRuns(old('a', GOOD), next('b', FAIR, config), quick);
    expect(comparison.study).toBeNull();
    expect(comparison.warnings.join()).toContain('Not only the agents differ');
    expect(JSON.stringify(comparisonToJson(comparison))).not.toContain('"study"');
  });

  it('that differ in the agent’s model alone are none', () => {
    const other = { agentModel: { provider: 'openai', model: 'gpt-5', temperature: 0 } };
    expect(compareRuns(old('a', GOOD), old('b', FAIR, other), quick).study).toBeNull();
  });
});

describe('several agents with two users', () => {
  const act = { strategy: 'act' };

  it('have a difference each; pairs whose order changes are listed', () => {
    const runs = [old('a', GOOD), old('b', FAIR, act), next('a2', POOR), next('b2', GOOD, act)];
    const { study } = compareMany(runs, quick);
    expect(study?.agents.map(({ before, after }) => [before, after])).toEqual([
      ['a', 'a2'],
      ['b', 'b2'],
    ]);
    expect(study?.reversals).toEqual([{ agents: ['a', 'b'], p: expect.any(Number) as number }]);
    const text = renderMarkdown(manyDocument(compareMany(runs, quick)));
    expect(text).toMatch(/The order of a and b changes; the simulator changes their difference with p = 0\.0\d+\./);
  });

  it('are said to keep their order if no pair changes', () => {
    const runs = [old('a', GOOD), old('b', FAIR, act), next('a2', FAIR), next('b2', POOR, act)];
    expect(renderMarkdown(manyDocument(compareMany(runs, quick)))).toContain(
      'The order of the 2 agents is the same with both.',
    );
    expect(
      compareMany([old('a', GOOD), old('b', FAIR, act), old('c', POOR, { strategy: 'react' })], quick).study,
    ).toBeNull();
  });
});
