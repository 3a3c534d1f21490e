import { describe, expect, it } from 'vitest';
import type { AssistantMessage } from '../../src/agents/port.ts';
import {
  DEFAULT_REPLY_LIMITS,
  excerptOf,
  excessOf,
  excessSentence,
  MAX_TOOL_CALLS,
  withShortReasoning,
} from '../../src/wire/long-reply.ts';

const said = (content: string): AssistantMessage => ({ role: 'assistant', content });
const calling = (...texts: string[]): AssistantMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: texts.map((text, i) => ({ id: `c${i}`, type: 'function', function: { name: 'f', arguments: text } })),
});
const { contentChars, toolArgumentChars } = DEFAULT_REPLY_LIMITS;

describe('a reply', () => {
  it.each([
    said(''),
    { role: 'assistant', content: null } as const,
    said('x'.repeat(contentChars)),
    calling('x'.repeat(toolArgumentChars - 3)),
    calling(...Array.from({ length: MAX_TOOL_CALLS }, () => '{}')),
  ])('within its limits has no excess', (message) => {
    expect(excessOf(message, DEFAULT_REPLY_LIMITS)).toBeUndefined();
  });

  it.each([
    [said('x'.repeat(contentChars + 1)), { part: 'content', size: contentChars + 1, limit: contentChars }],
    [calling('x'.repeat(toolArgumentChars)), { part: 'tool arguments', size: toolArgumentChars + 3 }],
    // Together they are too long, none of them is.
    [calling(...Array.from({ length: 5 }, () => 'x'.repeat(toolArgumentChars / 4))), { part: 'tool arguments' }],
    [calling(...Array.from({ length: 1000 }, () => '{}')), { part: 'tool calls', size: 1000, limit: MAX_TOOL_CALLS }],
  ])('beyond them says by what', (message, expected) => {
    const excess = excessOf(message, DEFAULT_REPLY_LIMITS);
    expect(excess).toMatchObject(expected);
    expect(excess && excessSentence(excess)).toMatch(
      /^the (model's reply|tool calls of the model's reply) ha(s|ve) \d+ /,
    );
  });

  it('is kept by its beginning and its end', () => {
    const excerpt = excerptOf(said(`BEGIN${'x'.repeat(10_000_000)}END`));
    expect(excerpt).toMatch(/^BEGINx+\n\[… 9996008 characters left out …\]\nx+END$/);
    expect(excerpt.length).toBeLessThan(4_100);
    expect(excerptOf(calling('{"a": 1}', '{"b": 2}'))).toBe('f {"a": 1}\nf {"b": 2}');
  });

  it('is never cut within a character', () => {
    for (const shift of ['', 'x']) {
      const excerpt = excerptOf(said(shift + '😀'.repeat(10_000)));
      expect(Buffer.from(excerpt).toString()).toBe(excerpt);
    }
  });
});

describe('reasoning', () => {
  const thinking = (length: number): AssistantMessage => ({ ...said('Yes.'), reasoning_content: 'r'.repeat(length) });

  it('longer than content may be is cut, and no excess', () => {
    expect(withShortReasoning(thinking(contentChars), DEFAULT_REPLY_LIMITS)).toEqual(thinking(contentChars));
    const cut = withShortReasoning(thinking(1_000_000), DEFAULT_REPLY_LIMITS);
    expect(cut.reasoning_content?.length).toBeLessThan(4_100);
    expect(excessOf(cut, DEFAULT_REPLY_LIMITS)).toBeUndefined();
  });
});
