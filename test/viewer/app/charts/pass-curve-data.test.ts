import { describe, expect, it } from 'vitest';

import { passCurves, passCurveSentence } from '../../../../src/viewer/app/testing.ts';
import { episode, episodesOf, run } from '../../payloads.ts';

const NOTES = {
  ...{ formatVersion: 1 as const, env: 'retail', split: 'test', pack: { name: 'shop', digest: 'abc' } },
  ...{ doNothing: [3], floor: 0.25, ceiling: 0.75, defects: [] },
};

describe('passCurves', () => {
  it('is one curve where every reading says the same', () => {
    const { curves } = passCurves(run(episodesOf([[1, 1], [1, 0]]))); // prettier-ignore
    expect(curves.map(({ name }) => name)).toEqual(['errors as failures']);
    expect(curves[0]?.points.map(({ k, value }) => [k, value])).toEqual([
      [1, 0.75],
      [2, 0.5],
    ]);
  });

  it('has the intervals of the run’s score', () => {
    const data = run(episodesOf([[1, 1], [1, 0], [0, 0]])); // prettier-ignore
    const [first] = passCurves(data).curves;
    expect(first?.points.map(({ interval }) => interval)).toEqual(
      data.metrics.uncertainty.passHatK.map(({ interval }) => interval),
    );
    expect(first?.points[0]?.interval).not.toBeNull();
  });

  it('adds a curve where there are errors of the infrastructure to leave out', () => {
    const data = run([episode(), episode({ trial: 1, reward: 0, outcome: 'infrastructure_error' })]);
    const curves = passCurves(data).curves.map(({ name, points }) => [name, points.map(({ value }) => value)]);
    expect(curves).toEqual([
      ['errors as failures', [0.5, 0]],
      ['infrastructure errors left out', [1]],
    ]);
  });

  it('says floor and ceiling where they are known', () => {
    const data = run(episodesOf([[1], [0]]));
    expect(passCurveSentence(passCurves(data))).not.toMatch('doing nothing');
    expect(passCurveSentence(passCurves({ ...data, notes: NOTES }))).toMatch(
      'doing nothing comes to 0.250, and the pack’s own errors leave at most 0.750.',
    );
  });

  it('says so where there is no score', () => {
    expect(passCurveSentence(passCurves(run([episode({ outcome: 'cancelled' })])))).toBe('No episode has a score yet.');
  });
});
