import { expect, it } from 'vitest';

import { fastWorkflow } from '../../../src/agents/fastworkflow/index.ts';
import type { Message } from '../../../src/agents/index.ts';
import { fakeSession, OPTIONS } from '../fake-session.ts';
import { answerReply, finishReply, planReply, summaryReply } from './replies.ts';
import { observation, OPENING, promptName, shownCycles, userText } from './rig.ts';

function called(id: string, name: string, seen: string): Message[] {
  const call = { id, type: 'function', function: { name, arguments: '{"order_id": "#W1"}' } } as const;
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, name, content: seen },
  ];
}

it('the agent continues a conversation of another strategy, and keeps the turns of both apart', async () => {
  const replies = [summaryReply('It was looked up.'), planReply(), finishReply(), answerReply()];
  const session = fakeSession({ strategy: fastWorkflow, firstMessage: OPENING, replies });
  session.trajectory.push(
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: OPENING },
    ...called('a', 'get_order_details', 'first seen'),
    { role: 'assistant', content: 'Shall I cancel it?' },
    { role: 'user', content: 'Look once more.' },
    ...called('b', 'get_order_details', 'second seen'),
  );
  expect(await fastWorkflow.takeOver?.(session, OPTIONS)).toBe('done');
  expect(session.asked.map(promptName)).toEqual(['summary', 'replan', 'react', 'extract']);
  const [summary, plan, react] = session.asked;
  // What was done and said in the turn that has ended, and nothing of the one under way.
  for (const text of [OPENING, 'first seen', 'Shall I cancel it?']) expect(userText(summary)).toContain(text);
  expect(userText(summary)).not.toContain('second seen');
  expect(userText(plan)).toContain('Look once more.');
  // What was done in the turn under way, once and in its place.
  expect(shownCycles(react)).toEqual([0]);
  expect(observation(react, 0)).toContain('second seen');
  expect(userText(react)).not.toContain('first seen');
  expect(session.counts.get('turns')).toBe(2);
});

it("the agent does not see the user's own tool calls", async () => {
  const replies = [summaryReply('It was looked up.'), planReply(), finishReply(), answerReply()];
  const session = fakeSession({ strategy: fastWorkflow, firstMessage: OPENING, replies });
  const toggled = { id: 'u', type: 'function', function: { name: 'toggle_data', arguments: '{}' } } as const;
  session.trajectory.push(
    { role: 'user', content: OPENING },
    ...called('a', 'get_order_details', 'seen'),
    { role: 'assistant', content: 'Please switch it on.' },
    { role: 'user', content: '', tool_calls: [toggled] },
    { role: 'tool', tool_call_id: 'u', name: 'toggle_data', content: 'switched', requestor: 'user' },
    { role: 'user', content: 'Done.' },
  );
  await fastWorkflow.takeOver?.(session, OPTIONS);
  expect(session.asked.map(userText).join('\n')).toContain('Done.');
  expect(session.asked.map(userText).join('\n')).not.toContain('switched');
});
