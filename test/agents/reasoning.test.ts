import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { separateReasoning, splitReasoning, withoutReasoningContent } from '../../src/agents/reasoning.ts';
import { toolCalling } from '../../src/agents/tool-calling.ts';
import { fakeSession, OPTIONS } from './fake-session.ts';

describe('a reply', () => {
  it.each([
    ['<think>a</think>b', 'b', 'a'],
    ['<think>\na\n</think>\n\nb', 'b', 'a'],
    ['<THINKING>a</THINKING> b', 'b', 'a'],
    ['b <think>a</think> c <think>d</think>', 'b  c', 'a\nd'],
    ['a</think>b', 'b', 'a'],
    ['<think>a<think>b</think>c</think>d', 'd', 'a<think>b\nc'],
    ['<think>a', '', 'a'],
    ['b\n <think>a', 'b', 'a'],
    ['', '', null],
    [' b ', ' b ', null],
    ['the tag <think> is not mine', 'the tag <think> is not mine', null],
    ['I <thinker>x</thinker>', 'I <thinker>x</thinker>', null],
  ])('%j says %j after %j', (text, content, reasoning) => {
    expect(splitReasoning(text)).toEqual({ content, reasoning });
  });

  it('without the tags stays as it is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(splitReasoning(text)).toEqual({ content: text, reasoning: null });
      }),
    );
  });

  it('that only calls a tool has no content beside its reasoning', () => {
    const call = { id: 'c', type: 'function' as const, function: { name: 'think', arguments: '{}' } };
    const message = { role: 'assistant' as const, content: '<think>a</think>', tool_calls: [call] };
    const separate = separateReasoning(message);
    expect(separate).toEqual({ ...message, content: null, reasoning_content: 'a' });
    expect(withoutReasoningContent(separate)).toEqual({ ...message, content: null });
  });
});

it('a user never sees the reasoning of the agent, and the trajectory keeps it', async () => {
  const session = fakeSession({
    strategy: toolCalling,
    replies: ['<think>They want #W1. Draft: bye.</think>\nHow can I help?'],
    firstMessage: 'Hi.',
    userReplies: [],
  });
  await toolCalling.solve(session, OPTIONS);
  expect(session.steps).toEqual(['respond {"content": "How can I help?"}']);
  expect(session.trajectory).toContainEqual({
    role: 'assistant',
    content: 'How can I help?',
    reasoning_content: 'They want #W1. Draft: bye.',
  });
});
