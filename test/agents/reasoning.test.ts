import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marksThought, separateReasoning, withoutReasoningContent } from '../../src/agents/index.ts';
import { splitReasoning, OPENING_WORDS, TEXT_MARKERS, toolCalling } from '../../src/agents/testing.ts';
import { fakeSession, OPTIONS } from './fake-session.ts';

describe("an agent's reply", () => {
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
    ['<think>a</thinking>b', 'b', 'a'],
    ['[THINK]They want #W1.[/THINK]Hello', 'Hello', 'They want #W1.'],
    ['<thought>a</thought>\nb', 'b', 'a'],
    ['a\n</thought>\n\nb', 'b', 'a'],
    ['the word [THINK] is printed on the box', 'the word [THINK] is printed on the box', null],
    ['write </reasoning> at the end', 'write </reasoning> at the end', null],
    ['write it at the end: </thought>', 'write it at the end: </thought>', null],
    ['<seed:think>a<seed:cot_budget_reflect>b</seed:cot_budget_reflect></seed:think>c', 'c', /^a.*b/],
    ['a</seed:think>b', 'b', 'a'],
    ['<seed:think>a', '', 'a'],
    ['<reasoning>use <think> here</reasoning>b', 'b', 'use <think> here'],
    ['<details type="reasoning" done="true">\n> a\n</details>\nb', 'b', /> a$/],
    ['analysisThey want it.assistantfinalHello', 'Hello', 'They want it.'],
    ['analysis of your order: nothing is open', 'analysis of your order: nothing is open', null],
    ['Here is my thought process:\na\nHere is my response:\nb', 'b', 'a'],
    ['Here is my thought process: I look at it.', 'Here is my thought process: I look at it.', null],
    ['<|channel>thought\na<channel|>b', 'b', 'a'],
    ['<|START_THINKING|>a<|END_THINKING|><|START_RESPONSE|>b<|END_RESPONSE|>', 'b', 'a'],
    ['<|channel|>final<|message|>b<|return|>', 'b', null],
    ['<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b<|return|>', ...['b', 'a']],
    ['<|channel|>analysis<|message|>a', '', 'a'],
    ['<|start|>assistant<|channel|>analysis<|message|>a<|channel|>final<|message|>b', 'b', 'a'],
    [
      '<|channel|>commentary<|message|>I look.<|end|><|start|>assistant<|channel|>commentary to=functions.x <|constrain|>json<|message|>{"a":1}<|call|>',
      ...['I look.', 'functions.x {"a":1}'],
    ],
  ] as const)('%j says %j after %j', (text, content, reasoning) => {
    const split = splitReasoning(text);
    expect(split.content).toBe(content);
    if (reasoning instanceof RegExp) expect(split.reasoning).toMatch(reasoning);
    else expect(split.reasoning).toBe(reasoning);
  });

  it.each([
    ...TEXT_MARKERS.flatMap(({ opens, closes }) =>
      opens.flatMap((open) => closes.map((close) => [open, `${open} a\n${close}`, 'b'])),
    ),
    ...OPENING_WORDS.flatMap(({ opens, closes }) =>
      opens.flatMap((open) => closes.map((close) => [open, `${open} a\n${close}`, 'b'])),
    ),
  ])('reaches the user without its thought after %s', (_, thought = '', said = '') => {
    const { content, reasoning } = splitReasoning(`${thought}\n${said}`);
    expect(content).toBe(said);
    expect(reasoning).toMatch(/(^|\s)a$/);
  });

  it('is empty if it is cut off in a thought', () => {
    for (const { opens } of TEXT_MARKERS) {
      for (const open of opens) expect(splitReasoning(`${open}a`)).toEqual({ content: '', reasoning: 'a' });
    }
  });

  it('keeps the parameter of a command', () => {
    const command = 'cancel_pending_order <order_id>#W1</order_id><reason>no longer needed</reason>';
    expect(splitReasoning(command)).toEqual({ content: command, reasoning: null });
  });

  it('is unchanged without thought tags', () => {
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

it.each([
  [{ adk_thought: true }, true],
  [{ kagent_thought: true }, true],
  [{ 'vendor:thought': 'true' }, true],
  [{ thought: true }, true],
  [{ is_thought: true }, true],
  [{ type: 'thinking', thinking_id: 't1', signature: null }, true],
  [{ coderAgent: { kind: 'thought' } }, true],
  [{ agno_content_category: 'reasoning' }, true],
  [{ adk_thought: false }, false],
  [{ thought: 'the customer is right' }, false],
  [{ enable_thinking: true }, false],
  [{ type: 'text', afterthought: true }, false],
  [{ agno_content_category: 'content' }, false],
  [{ a: { b: { thought: true } } }, false],
  [undefined, false],
])('metadata %j marks a thought: %s', (metadata, isThought) => {
  expect(marksThought(metadata)).toBe(isThought);
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
