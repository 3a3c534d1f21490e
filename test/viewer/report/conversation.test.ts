/** Conversations of the strategies whose messages say in their own ways what is done. */

import { expect, test } from 'vitest';

import { toConversation } from '../../../src/viewer/data/testing.ts';
import { episodeOfEntry } from '../../../src/results/regrade/index.ts';
import type { TrajectoryForm } from '../../../src/benchmarks/index.ts';
import type { ResultsFileMessage } from '../../../src/benchmarks/results.ts';
import { TASK } from '../../results/fixtures.ts';

const FACTS = { analysis: null, verdict: null, steps: [], roles: [], workflowId: null, historyUrl: null };

function shown(traj: ResultsFileMessage[], form: TrajectoryForm) {
  const episode = episodeOfEntry({ task_id: 0, reward: 0, traj }, TASK, form);
  return toConversation(episode, traj, form, FACTS);
}

test('a text agent’s thoughts stand apart from its action, and tools’ answers are no words of the user', () => {
  const { steps, opening } = shown(
    [
      { role: 'system', content: 'Policy' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Thought:\nLook it up.\nAction:\n{"name": "find", "arguments": {"zip": 131.0}}' },
      { role: 'user', content: 'API output: Error: user not found' },
      { role: 'assistant', content: 'Action:\n{"name": "respond", "arguments": {"content": "Who are you?"}}' },
      { role: 'user', content: '###STOP###' },
    ],
    'text',
  );
  expect(opening).toBe('Hello');
  expect(steps).toMatchObject([
    { name: 'find', text: '{"zip": 131.0}', thought: 'Look it up.', observation: 'Error: user not found' },
    { name: 'respond', text: 'Who are you?', thought: null, observation: '###STOP###' },
  ]);
});

test('words beside a tool call are a thought, and a call that cannot be read is shown as it was written', () => {
  const call = (text: string) => [{ id: 'c', function: { name: 'find', arguments: text } }];
  const { steps, unread } = shown(
    [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Let me look.', tool_calls: call('{}') },
      { role: 'tool', content: 'ada_1', name: 'find', tool_call_id: 'c' },
      { role: 'assistant', content: null, tool_calls: call('{"zip": ') },
    ],
    'tools',
  );
  expect(steps).toMatchObject([{ name: 'find', text: '{}', thought: 'Let me look.', observation: 'ada_1' }]);
  expect(unread).toBe('find {"zip": ');
});
