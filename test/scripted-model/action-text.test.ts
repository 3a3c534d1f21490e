/** Agents that put their tools in words: the reply has the form that the prompt asks for. */

import { describe, expect, it } from 'vitest';
import { writeRequest, readAction } from '../../src/agent-service/testing.ts';
import type { TurnRequest } from '../../src/agent-service/index.ts';
import { CANCEL, LOOK_UP, newResponder, play, task, tinyPack } from './helpers.ts';

const responder = newResponder(tinyPack([task('Cancel my order.', [LOOK_UP, CANCEL], ['54.0'])]));
const HELLO = 'Hi. [case shop-3fa91c/test/0 s1]';
const TOOLS = JSON.stringify(
  [
    {
      type: 'function',
      function: { name: 'get_order_details', description: 'Look up.', parameters: { type: 'object' } },
    },
  ],
  null,
  2,
);
const WORDS = 'Here is what you asked for: 54.0. Your request is complete.';

/** Replies of the model, whose words the agent keeps as its own. */
function repliesTo(first: readonly { readonly role: string; readonly content: string }[]): (string | null)[] {
  const messages = [...first];
  return [0, 1, 2].map(() => {
    const { content } = play(responder, { model: 'm', messages });
    messages.push({ role: 'assistant', content: content ?? '' }, { role: 'user', content: 'Tool call result:\nok' });
    return content;
  });
}

const FORMS: readonly (readonly [what: string, asked: string, replies: readonly string[]])[] = [
  [
    "AgentBeats' own words",
    'Please wrap the JSON part with <json>...</json> tags. The JSON should contain:\n- "name": the tool call function ' +
      'name, or "respond" if you want to respond directly.\n- "kwargs": the arguments for the tool call, or ' +
      '{"content": "your message here"} if you want to respond directly.',
    [
      '<json>\n{"name": "get_order_details", "kwargs": {"order_id": "#W1"}}\n</json>',
      '<json>\n{"name": "cancel_pending_order", "kwargs": {"order_id": "#W1", "reason": "no longer needed"}}\n</json>',
      `<json>\n{"name": "respond", "kwargs": {"content": "${WORDS}"}}\n</json>`,
    ],
  ],
  [
    'ReAct with labelled lines',
    'Use the following format:\nThought: think\nAction: the tool\nAction Input: its input as JSON\nFinal Answer: …',
    [
      'Thought: The next thing to do is get_order_details.\nAction: get_order_details\nAction Input: {"order_id": "#W1"}',
      'Thought: The next thing to do is cancel_pending_order.\nAction: cancel_pending_order\n' +
        'Action Input: {"order_id": "#W1", "reason": "no longer needed"}',
      `Thought: I can answer the user now.\nFinal Answer: ${WORDS}`,
    ],
  ],
  [
    'an example with other keys',
    'Answer with JSON alone: {"tool": "TOOL", "args": {…}} to call a tool, or {"reply": "…"} to speak to the user.',
    [
      '{"tool": "get_order_details", "args": {"order_id": "#W1"}}',
      '{"tool": "cancel_pending_order", "args": {"order_id": "#W1", "reason": "no longer needed"}}',
      `{"reply": "${WORDS}"}`,
    ],
  ],
  [
    "a chat template's tags",
    'For each call, return JSON within tags:\n<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>',
    [
      '<tool_call>\n{"name": "get_order_details", "arguments": {"order_id": "#W1"}}\n</tool_call>',
      '<tool_call>\n{"name": "cancel_pending_order", "arguments": {"order_id": "#W1", "reason": "no longer needed"}}\n</tool_call>',
      WORDS,
    ],
  ],
];

describe.each(FORMS)('%s', (_, asked, replies) => {
  it('may stand in the system message', () => {
    const system = `Be kind.\n${TOOLS}\n${asked}`;
    expect(
      repliesTo([
        { role: 'system', content: system },
        { role: 'user', content: HELLO },
      ]),
    ).toEqual(replies);
  });

  it('may stand in the first message, with the words of the user', () => {
    expect(repliesTo([{ role: 'user', content: `Be kind.\n${TOOLS}\n${asked}\nUser: ${HELLO}` }])).toEqual(replies);
  });

  it('may stand in a prompt that has the whole conversation', () => {
    const done = replies.map((_reply, at) => replies.slice(0, at));
    const said = done.map((earlier) => {
      const history = earlier.map((reply) => `Assistant: ${reply}\nTool: ok`).join('\n');
      const content = `Be kind.\n${TOOLS}\n${asked}\nUser: ${HELLO}\n${history}`;
      return play(responder, { model: 'm', messages: [{ role: 'user', content }] }).content;
    });
    expect(said).toEqual(replies);
  });
});

it('the first message of an A2A agent in text mode is answered by an action of its convention', () => {
  const tools = [{ type: 'function', function: { name: 'get_order_details', parameters: { type: 'object' } } }];
  const request = { request: 1, policy: 'Be kind.', tools, messages: [{ role: 'user', content: HELLO }] };
  const replies = repliesTo([{ role: 'user', content: writeRequest(request as unknown as TurnRequest) }]);
  expect(replies.map((reply) => readAction(reply ?? '', 1))).toEqual([
    {
      kind: 'tool_calls',
      calls: [{ id: 'call_1_1', name: 'get_order_details', argumentsJson: '{"order_id": "#W1"}' }],
    },
    {
      kind: 'tool_calls',
      calls: [
        {
          id: 'call_1_1',
          name: 'cancel_pending_order',
          argumentsJson: '{"order_id": "#W1", "reason": "no longer needed"}',
        },
      ],
    },
    { kind: 'message', content: WORDS },
  ]);
});

describe('the tools that an agent offers', () => {
  const toolsNamed = (...names: string[]) => names.map((name) => ({ type: 'function', function: { name } }));
  const messages = [{ role: 'user', content: HELLO }];

  it('may have the name of their server before their own', () => {
    const tools = toolsNamed('mcp__tauflow__get_order_details', 'mcp__tauflow__cancel_pending_order');
    expect(play(responder, { model: 'm', messages, tools }).toolCall?.name).toBe('mcp__tauflow__get_order_details');
  });

  it.each(['respond_to_user', 'tauflow_respond_to_user', 'respond'])(
    'may have one to speak to the user: %s',
    (name) => {
      const said = [...messages, { role: 'assistant', content: 'a' }, { role: 'assistant', content: 'b' }];
      const { content, toolCall } = play(responder, { model: 'm', messages: said, tools: toolsNamed(name) });
      expect([content, toolCall]).toEqual([
        null,
        { name, arguments: JSON.stringify({ content: WORDS }).replace(':', ': ') },
      ]);
    },
  );
});
