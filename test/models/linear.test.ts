/** Readers of models' and providers' replies take time linear in their length. */

import { readReplyFields } from '../../src/models/prompts/index.ts';
import { readChatReply, readMessagesReply, toTurns, readResponse } from '../../src/models/wires/testing.ts';
import { createRedactor, readRetryAfter } from '../../src/io/index.ts';
import { TranscriptStore } from '../../src/models/index.ts';
import { judgeAnswer, UnusableReplyError, withoutHalves } from '../../src/models/testing.ts';
import { userReply, readCycles, rankCommands, readStatement } from '../../src/scripted-model/testing.ts';
import { findCaseCode } from '../../src/scripted-model/case-code.ts';
import { TranscriptSender } from '../../src/evaluation/index.ts';
import { testLinear } from '../helpers/linear.ts';

const envelope = {
  requestedModel: 'm',
  requestId: null,
  latencyMs: 1,
  removeKey: createRedactor(['sk-a-secret-of-some-length']),
};
const redact = createRedactor(['sk-a-secret-of-some-length']);

testLinear(
  {
    'the reading of a reply': (text) =>
      readChatReply(JSON.stringify({ choices: [{ message: { content: text }, finish_reason: 'stop' }] }), envelope),
    'the sending of a body': (text) => withoutHalves(JSON.stringify(text)),
    'the reading of a body that is no reply': (text) => readChatReply(text, envelope),
    'the reading of a body that is no message': (text) => readMessagesReply(text, envelope),
    'the reading of a response': (text) => {
      const words = { type: 'message', content: [{ type: 'output_text', text }] };
      const call = { type: 'function_call', call_id: text, name: text, arguments: text };
      return readResponse(JSON.stringify({ output: [words, call, call] }), envelope);
    },
    'the reading of a response of unknown items': (text) =>
      readResponse(`{"output": [{"type": "reasoning", "summary": ${text}}, ${text}]}`, envelope),
  },
  { refusals: [UnusableReplyError] },
);

testLinear(
  {
    'the reading of a message of blocks': (text) => {
      const content = [
        { type: 'thinking', thinking: text, signature: text },
        { type: 'tool_use', id: text, name: text, input: { [text]: text } },
      ];
      const { message, continuation: data = '' } = readMessagesReply(JSON.stringify({ content }), envelope);
      const continuation = { provider: 'anthropic', model: 'm', wire: 'messages', data } as const;
      return toTurns([{ ...message, continuation }, message]);
    },
  },
  { longest: 2 ** 13 },
);

testLinear({
  'the removal of keys': redact,
  'the judging of an error': (text) => [
    judgeAnswer({ status: 400, codes: [], words: text }),
    judgeAnswer({ status: 429, codes: [], words: 'request too large for '.repeat(text.length / 20) }),
  ],
  'the reading of a wait': (text) => {
    const value = text.replace(/[^ -~]/g, '?');
    return readRetryAfter(new Headers({ 'x-ratelimit-remaining-a': '0', 'x-ratelimit-reset-a': value }), 0);
  },
  "the scripted user's understanding": (text) => [userReply(text), findCaseCode(text)],
  "the scripted agent's reading of a statement": (text) => [
    readStatement(text, ['order_id', 'item_ids']),
    readStatement(`order_id is ${text}`, ['order_id']),
    readStatement(`(${text})`, ['order_id']),
    readStatement(`<order>${text}</order>`, ['order_id', 'item_ids']),
  ],
  "the scripted agent's reading of a trajectory": (text) => [readCycles(text), rankCommands(text, '- a_b\n- c')],
  'the transcript of a conversation': (text) => {
    const sender = new TranscriptSender();
    const parts = text.split(/[ ,\n]/);
    const delta = sender.next('agent', [{ role: 'user', content: parts }]);
    return new TranscriptStore().resolve('agent', delta);
  },
});

const FIELDS = [
  { name: 'command', type: 'text' },
  { name: 'list', type: 'list' },
] as const;

testLinear(
  {
    "the reading of a reply's fields": (text) => [
      readReplyFields(`{"command": ${text}}`, FIELDS),
      readReplyFields(`{"command": "${text}"}`, FIELDS),
      readReplyFields(`{"list": [${text}]}`, FIELDS),
    ],
  },
  { longest: 2 ** 14 },
);
