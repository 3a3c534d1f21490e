import { expect, it } from 'vitest';

import { grade, type Grade, type Action } from '../../src/benchmarks/index.ts';
import { action, readDomain, readTasks } from '../benchmarks/helpers.ts';
import { describeWithReference } from '../helpers/reference.ts';

/** Actions of an agent that only greets until the user gives up. */
const NOTHING: readonly Action[] = [action('respond', '{"content": "Hello, how can I help you?"}')];

describeWithReference('An agent that does nothing', (dir) => {
  const data = readDomain(dir, 'retail');
  const tasks = readTasks(dir, 'retail', 'test');
  // The hash is no part of the verdict, and costs a pass over all data.
  function gradesOf(actions: readonly Action[]): Grade[] {
    return tasks.map((task) => {
      const graded = grade(data, task, actions, { hash: () => '' });
      if (graded.kind === 'raised') throw new Error(graded.message);
      return graded.grade;
    });
  }
  const sum = (rewards: readonly number[]) => rewards.reduce((a, b) => a + b, 0);

  it('solves 7 of the 115 test tasks', () => {
    const grades = gradesOf(NOTHING);
    expect(grades).toHaveLength(115);
    expect(sum(grades.map(({ reward }) => reward))).toBe(7);
  });

  it('is graded alike however often it is asked', () => {
    expect(gradesOf(NOTHING)).toEqual(gradesOf(NOTHING));
  });
});
