import { describe, expect, it } from 'vitest';

import { asToolCalls, type Message } from '../../src/agents/index.ts';
import { isUsersCall } from '../../src/benchmarks/index.ts';

const said = (content: string): Message => ({ role: 'assistant', content });
const user = (content: string): Message => ({ role: 'user', content });
const call = (id: string, name: string, args: string) =>
  ({ id, type: 'function', function: { name, arguments: args } }) as const;

describe('a conversation with actions as text, in the form of tool calls', () => {
  const messages: Message[] = [
    user('Hi.'),
    said('Thought:\nI look.\nAction:\n{"name": "find", "arguments": {"id": "7", "price": 2.0}}'),
    { role: 'user', content: [{ ref: 'agent-prompt', key: 'tool_observation_prefix' }, 'found'] },
    said('Action:\n{"name": "respond", "arguments": {"content": "Found it."}}'),
    user('Thanks.'),
  ];

  it('has a call with its result for each action, and the words that the user got', () => {
    expect(asToolCalls(messages, 'text')).toEqual([
      user('Hi.'),
      { role: 'assistant', content: null, tool_calls: [call('call_1', 'find', '{"id": "7", "price": 2.0}')] },
      { role: 'tool', tool_call_id: 'call_1', name: 'find', content: 'found' },
      said('Found it.'),
      user('Thanks.'),
    ]);
  });

  it('keeps the user’s own calls, and a reply that is not an action', () => {
    const others: Message[] = [
      { role: 'user', content: '', tool_calls: [call('u', 'toggle', '{}')] },
      { role: 'tool', tool_call_id: 'u', name: 'toggle', content: 'on', requestor: 'user' },
      said('Action:\n{"name": "find"}'),
    ];
    expect(asToolCalls(others, 'text')).toEqual(others);
    expect(others.map(isUsersCall)).toEqual([true, true, false]);
  });

  it('is unchanged if it has the form of tool calls', () => {
    expect(asToolCalls(messages, 'tools')).toBe(messages);
  });
});
