import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AssistantMessage, Message } from '../../src/agents/index.ts';
import {
  REPLY_LIMITS,
  EMPTY_CHAIN,
  MAX_CONVERSATION_BYTES,
  MAX_TOOL_CALLS,
  TranscriptSender,
  applyDelta,
  conversationBytes,
  findExcess,
  formatExcess,
  unflattenItems,
  type TranscriptChain,
} from '../../src/evaluation/index.ts';
import { extendDigest, flattenMessages, prefixDigest, spliceChain } from '../../src/evaluation/testing.ts';
import { excerptReply, withShortReasoning } from '../../src/models/testing.ts';

const system = (...parts: string[]): Message => ({ role: 'system', content: parts });
const user = (content: string): Message => ({ role: 'user', content });

describe('the size of a conversation', () => {
  it('is exact where it is above the bound, and never taken to be below it', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 200 });
    fc.assert(
      fc.property(fc.array(text), fc.constantFrom(1, 3000), (texts, times) => {
        const messages = texts.map((content) => ({ role: 'user', content: content.repeat(times) }) as const);
        const bytes = Buffer.byteLength(JSON.stringify(messages));
        if (conversationBytes(messages) > MAX_CONVERSATION_BYTES) expect(conversationBytes(messages)).toBe(bytes);
        else expect(bytes).toBeLessThanOrEqual(MAX_CONVERSATION_BYTES);
      }),
    );
  });
});

describe('the transcript that a workflow sends', () => {
  it('carries a conversation once', () => {
    const sender = new TranscriptSender();
    const first = sender.next('agent', [system('a', 'b'), user('1')]);
    expect(first).toEqual({
      thread: 'agent',
      keep: 0,
      digest: '',
      items: [{ role: 'system', content: ['a'] }, { more: 'b' }, user('1')],
    });
    const second = sender.next('agent', [system('a', 'b'), user('1'), user('2')]);
    expect(second).toMatchObject({ keep: 3, items: [user('2')] });
  });

  it('sends only the new parts of a prompt that grows', () => {
    const sender = new TranscriptSender();
    sender.next('react', [system('task'), { role: 'user', content: ['thought 0', 'observation 0'] }]);
    const grown = [system('task'), { role: 'user', content: ['thought 0', 'observation 0', 'thought 1'] }] as const;
    expect(sender.next('react', grown)).toMatchObject({ keep: 3, items: [{ more: 'thought 1' }] });
  });

  it('sends nothing again where only a reference before it has changed', () => {
    const sender = new TranscriptSender();
    const prompt = (key: string, ...parts: string[]): Message[] => [
      { role: 'system', content: ['a', { ref: 'strategy-text', key }, 'b'] },
      { role: 'user', content: ['query', ...parts, { ref: 'strategy-text', key: `${key}/reminder` }] },
    ];
    const known = sender.next('agent', prompt('react', 'x'.repeat(5000)));
    const swapped = sender.next('agent', prompt('extract', 'x'.repeat(5000)));
    expect(swapped).toMatchObject({
      keep: 5,
      replaced: [[1, { more: { ref: 'strategy-text', key: 'extract' } }]],
      items: [{ more: { ref: 'strategy-text', key: 'extract/reminder' } }],
    });
    const chain = applyDelta(EMPTY_CHAIN, known);
    const next = chain && applyDelta(chain, JSON.parse(JSON.stringify(swapped)) as typeof swapped);
    expect(next && unflattenItems(next.items)).toEqual(prompt('extract', 'x'.repeat(5000)));
    // A repeated attempt finds what the first one left behind.
    expect(next && applyDelta(next, swapped)).toEqual(next);
    // A worker that does not know of replacing finds another digest, and asks for the whole.
    expect(chain && prefixDigest(chain, swapped.keep)).not.toBe(swapped.digest);
    expect(sender.whole('agent').items).toEqual(next?.items);
  });

  it('is not taken for a conversation that the worker does not have', () => {
    const sender = new TranscriptSender();
    const first = sender.next('agent', [user('1'), user('2')]);
    const second = sender.next('agent', [user('1'), user('2'), user('3')]);
    const other = applyDelta(EMPTY_CHAIN, { ...first, items: [user('1'), user('two')] });
    expect(other && applyDelta(other, second)).toBeUndefined();
    expect(applyDelta(EMPTY_CHAIN, second)).toBeUndefined();
  });

  it('starts again from where a conversation has changed', () => {
    const sender = new TranscriptSender();
    sender.next('agent', [user('1'), user('2'), user('3')]);
    expect(sender.next('agent', [user('1'), user('two'), user('3')])).toMatchObject({
      keep: 1,
      items: [user('two'), user('3')],
    });
    expect(sender.next('agent', [user('1')])).toMatchObject({ keep: 1, items: [] });
  });

  it('keeps threads apart', () => {
    const sender = new TranscriptSender();
    sender.next('agent', [user('1')]);
    expect(sender.next('user', [user('1')])).toMatchObject({ keep: 0, digest: '' });
  });

  it('names what it keeps by a digest that the other side can compute', () => {
    const sender = new TranscriptSender();
    const first = sender.next('agent', [user('1'), user('2')]);
    const second = sender.next('agent', [user('1'), user('2'), user('3')]);
    const chain = spliceChain(EMPTY_CHAIN, 0, first.items);
    expect(second.digest).toBe(prefixDigest(chain, 2));
    // Temporal's JSON lies between the two sides.
    const received = spliceChain(EMPTY_CHAIN, 0, JSON.parse(JSON.stringify(first.items)) as typeof first.items);
    expect(received.digests).toEqual(chain.digests);
  });

  it('gives different conversations different digests', () => {
    const digests = ['', 'a', 'b', 'ab', 'ba', 'aa', '\ud800', 'é'].map((text) => extendDigest('', user(text)));
    expect(new Set(digests).size).toBe(digests.length);
    expect(extendDigest('x', user('a'))).not.toBe(extendDigest('y', user('a')));
    for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{16}$/);
  });

  it('can be sent whole', () => {
    const sender = new TranscriptSender();
    sender.next('agent', [user('1')]);
    sender.next('agent', [user('1'), user('2')]);
    expect(sender.whole('agent')).toEqual({ thread: 'agent', keep: 0, digest: '', items: [user('1'), user('2')] });
    expect(sender.whole('nobody')).toEqual({ thread: 'nobody', keep: 0, digest: '', items: [] });
  });

  it('repeats the end of what was sent once a worker did not know a conversation', () => {
    const sender = new TranscriptSender();
    const said = (n: number) => Array.from({ length: n }, (_, i) => user(`${i} ${'x'.repeat(2_950)}`));
    sender.next('agent', said(6));
    expect(sender.next('agent', said(7))).toMatchObject({ keep: 6 });
    expect(sender.whole('agent').items).toHaveLength(7);
    // Five messages of 3,000 characters, and the new one; another thread of the same episode as well.
    expect(sender.next('agent', said(8))).toMatchObject({ keep: 2, items: said(8).slice(2) });
    sender.next('user', said(2));
    expect(sender.next('user', said(3))).toMatchObject({ keep: 0, digest: '', items: said(3) });
  });

  it('stops repeating after some calls, until the next worker does not know it', () => {
    const sender = new TranscriptSender();
    const said = (n: number) => Array.from({ length: n }, (_, i) => user(String(i)));
    const keeps = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => sender.next('agent', said(from + i)).keep);
    sender.next('agent', said(1));
    sender.whole('agent');
    expect(keeps(2, 14)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11, 12]);
    sender.whole('agent');
    expect(keeps(14, 16)).toEqual([0, 0]);
  });

  it('repeats from the first call on where it is asked to, and knows whether a worker did not know a conversation', () => {
    const sender = new TranscriptSender(true);
    const keeps = Array.from({ length: 12 }, (_, i) => sender.next('agent', [user('1'), user(String(i))]).keep);
    expect(keeps).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
    expect(sender.hasMissed).toBe(false);
    sender.whole('agent');
    expect(sender.hasMissed).toBe(true);
  });

  it('reaches every worker, and one of eleven calls is missed at most where it is short', () => {
    const words = fc.array(fc.string({ minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 4 });
    const calls = fc.array(fc.record({ worker: fc.nat(3), words, reference: fc.nat(2) }), { maxLength: 30 });
    fc.assert(
      fc.property(calls, fc.constantFrom(1, 400), (made, times) => {
        const sender = new TranscriptSender();
        const known = new Map<number, TranscriptChain>();
        const said: Message[] = [];
        let missed = 0;
        for (const { worker, words: spoken, reference } of made) {
          said.push(...spoken.map((text) => user(text.repeat(times))));
          const messages = [
            { role: 'system', content: ['a', { ref: 'agent-prompt', key: String(reference) }] } as const,
            ...said,
          ];
          const delta = sender.next('agent', messages);
          const found = applyDelta(known.get(worker) ?? EMPTY_CHAIN, delta);
          if (found === undefined) missed += 1;
          const chain = found ?? applyDelta(EMPTY_CHAIN, sender.whole('agent'));
          expect(chain?.items).toEqual(flattenMessages(messages));
          if (chain !== undefined) known.set(worker, chain);
        }
        // Within 16,000 characters, none of the ten calls after a miss is one.
        if (times === 1) expect(missed).toBeLessThanOrEqual(Math.ceil(made.length / 11));
      }),
    );
  });

  it('splits messages into parts and puts them together again', () => {
    const messages: Message[] = [
      system(),
      system('a'),
      system('a', 'b', 'c'),
      user('x'),
      { role: 'assistant', content: null },
    ];
    expect(unflattenItems(flattenMessages(messages))).toEqual(messages);
  });

  it('refuses a part that belongs to nothing', () => {
    expect(() => unflattenItems([{ more: 'x' }])).toThrow(/without a message/);
    expect(() => unflattenItems([{ role: 'assistant', content: 'x' }, { more: 'y' }])).toThrow(/without a message/);
  });
});

const said = (content: string): AssistantMessage => ({ role: 'assistant', content });
const calling = (...texts: string[]): AssistantMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: texts.map((text, i) => ({ id: `c${i}`, type: 'function', function: { name: 'f', arguments: text } })),
});
const { contentChars, toolArgumentChars } = REPLY_LIMITS;

describe('a reply', () => {
  it.each([
    said(''),
    { role: 'assistant', content: null } as const,
    said('x'.repeat(contentChars)),
    calling('x'.repeat(toolArgumentChars - 3)),
    calling(...Array.from({ length: MAX_TOOL_CALLS }, () => '{}')),
  ])('within its limits has no excess', (message) => {
    expect(findExcess(message, REPLY_LIMITS)).toBeUndefined();
  });

  it.each([
    [said('x'.repeat(contentChars + 1)), { part: 'content', size: contentChars + 1, limit: contentChars }],
    [calling('x'.repeat(toolArgumentChars)), { part: 'tool arguments', size: toolArgumentChars + 3 }],
    // Together they are too long, none of them is.
    [calling(...Array.from({ length: 5 }, () => 'x'.repeat(toolArgumentChars / 4))), { part: 'tool arguments' }],
    [calling(...Array.from({ length: 1000 }, () => '{}')), { part: 'tool calls', size: 1000, limit: MAX_TOOL_CALLS }],
  ])('beyond them says by what', (message, expected) => {
    const excess = findExcess(message, REPLY_LIMITS);
    expect(excess).toMatchObject(expected);
    expect(excess && formatExcess(excess)).toMatch(
      /^the (model's reply|tool calls of the model's reply) ha(s|ve) \d+ /,
    );
  });

  it('is kept by its beginning and its end', () => {
    const excerpt = excerptReply(said(`BEGIN${'x'.repeat(10_000_000)}END`));
    expect(excerpt).toMatch(/^BEGINx+\n\[… 9996008 characters left out …\]\nx+END$/);
    expect(excerpt.length).toBeLessThan(4_100);
    expect(excerptReply(calling('{"a": 1}', '{"b": 2}'))).toBe('f {"a": 1}\nf {"b": 2}');
  });

  it('is never cut within a character', () => {
    for (const shift of ['', 'x']) {
      const excerpt = excerptReply(said(shift + '😀'.repeat(10_000)));
      expect(Buffer.from(excerpt).toString()).toBe(excerpt);
    }
  });
});

describe('reasoning', () => {
  const thinking = (length: number): AssistantMessage => ({ ...said('Yes.'), reasoning_content: 'r'.repeat(length) });

  it('longer than content may be is cut, and no excess', () => {
    expect(withShortReasoning(thinking(contentChars))).toEqual(thinking(contentChars));
    const cut = withShortReasoning(thinking(1_000_000));
    expect(cut.reasoning_content?.length).toBeLessThan(4_100);
    expect(findExcess(cut, REPLY_LIMITS)).toBeUndefined();
  });
});
