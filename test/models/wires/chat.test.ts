/** The reader of chat completions, where an answer is long and broken. */

import { expect, it } from 'vitest';

import { UnusableReplyError } from '../../../src/models/failures.ts';
import { outlineRequest } from '../../../src/models/outline.ts';
import { readChatReply } from '../../../src/models/wires/chat.ts';

it.each([
  ['moonshot', 'none', { thinking: { type: 'disabled' } }],
  ['zai', 'high', { thinking: { type: 'enabled' } }],
  ['deepseek', 'high', { reasoning_effort: 'high' }],
])('asks %s for the effort %s as it takes one', async (provider, reasoning_effort, fields) => {
  const settings = { provider, model: 'm', temperature: null, reasoning_effort };
  expect((await outlineRequest(settings, {})).settings).toEqual(fields);
});

const envelope = { requestedModel: 'm', requestId: null, latencyMs: 1, removeKey: (text: string) => text };

it.each(['tool_calls', 'content'])('stops at the first of a million bad items in %s', (field) => {
  const message = { content: 'Hi', [field]: new Array(1_000_000).fill(1) };
  const read = () => readChatReply(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }), envelope);
  expect(read).toThrow(UnusableReplyError);
  expect(read).toThrow(`message.${field}[0]`);
});
