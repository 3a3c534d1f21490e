/** The note on sentences that a judge decides on. */

import { expect, it } from 'vitest';
import { judgeNote } from '../../src/run-setup/index.ts';

const task = { userId: '', instruction: 'x', actions: [], outputs: [], sentences: ['The agent is kind.'] };

it('calls sentences of a benchmark of one’s own by no name of another benchmark', () => {
  const pack = { domain: 'own:shop', splits: { test: [task, { ...task, sentences: [] }] } };
  const plan = { split: 'test', taskIds: [0, 1] };
  expect(judgeNote({}, pack, plan)).toBe(
    'Sentences are not judged (no --judge-model): the score is without the sentences of 1 of 2 tasks.',
  );
  expect(judgeNote({ judgeModel: { provider: 'openai', model: 'gpt-4.1', temperature: 0 } }, pack, plan)).toMatch(
    /^The sentences of 1 of 2 tasks are judged by /,
  );
});
