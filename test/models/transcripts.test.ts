import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message, PromptPart } from '../../src/agents/index.ts';
import { TranscriptStore } from '../../src/models/index.ts';
import { TranscriptSender, type TranscriptDelta } from '../../src/evaluation/index.ts';

/** Sends a delta through JSON, as Temporal does. */
const overTheWire = (delta: TranscriptDelta): TranscriptDelta => JSON.parse(JSON.stringify(delta)) as TranscriptDelta;

const text = fc.string({ unit: 'binary', maxLength: 12 });
const part: fc.Arbitrary<PromptPart> = fc.oneof(
  text,
  fc.constant({ ref: 'policy' } as const),
  text.map((key) => ({ ref: 'strategy-text', key }) as const),
);
const content = fc.oneof(text, fc.array(part, { maxLength: 4 }));
const toolCall = fc.record({
  id: text,
  type: fc.constant('function' as const),
  function: fc.record({ name: text, arguments: text }),
});
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constantFrom('system' as const, 'user' as const), content }),
  fc.record({ role: fc.constant('assistant' as const), content: fc.option(text) }),
  fc.record({ role: fc.constant('assistant' as const), content: fc.option(text), tool_calls: fc.array(toolCall) }),
  fc.record({ role: fc.constant('tool' as const), tool_call_id: text, name: text, content: text }),
);

/** Change of a conversation: cut back, then grown; the last prompt may get more parts. */
interface Change {
  readonly cut: number;
  readonly moreParts: PromptPart[];
  readonly added: Message[];
  readonly thread: string;
}

const change: fc.Arbitrary<Change> = fc.record({
  cut: fc.nat({ max: 3 }),
  moreParts: fc.array(part, { maxLength: 3 }),
  added: fc.array(message, { maxLength: 3 }),
  thread: fc.constantFrom('agent', 'user'),
});

function apply(messages: readonly Message[], { cut, moreParts, added }: Change): Message[] {
  const kept = messages.slice(0, Math.max(0, messages.length - cut));
  const last = kept.at(-1);
  if (last !== undefined && (last.role === 'system' || last.role === 'user')) {
    const parts = typeof last.content === 'string' ? [last.content] : last.content;
    kept[kept.length - 1] = { ...last, content: [...parts, ...moreParts] };
  }
  return [...kept, ...added];
}

describe('the transcripts that a worker remembers', () => {
  it('resolve to exactly what was sent, however conversations grow and change', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const sender = new TranscriptSender();
        const store = new TranscriptStore();
        const conversations = new Map<string, Message[]>();
        for (const step of changes) {
          const messages = apply(conversations.get(step.thread) ?? [], step);
          conversations.set(step.thread, messages);
          const delta = overTheWire(sender.next(step.thread, messages));
          expect(store.resolve(`w/r/${step.thread}`, delta)).toEqual(messages);
          // A retried activity brings the same delta to what it has stored itself.
          expect(store.resolve(`w/r/${step.thread}`, delta)).toEqual(messages);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('stay correct after calls on other workers', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(change, fc.nat({ max: 2 })), { maxLength: 12 }), (steps) => {
        const sender = new TranscriptSender();
        const workers = [new TranscriptStore(), new TranscriptStore(), new TranscriptStore({ maxBytes: 3000 })];
        let messages: Message[] = [];
        for (const [step, index] of steps) {
          messages = apply(messages, step);
          const delta = overTheWire(sender.next('agent', messages));
          const store = workers[index] ?? new TranscriptStore();
          const resolved = store.resolve('key', delta) ?? store.resolve('key', overTheWire(sender.whole('agent')));
          expect(resolved).toEqual(messages);
        }
      }),
      { numRuns: 300 },
    );
  });

  const growing = (count: number): Message[] =>
    Array.from({ length: count }, (_, index) => ({ role: 'user', content: `message ${String(index)}` }));

  it('are missing on a worker that has not seen the conversation', () => {
    const sender = new TranscriptSender();
    sender.next('agent', growing(2));
    expect(new TranscriptStore().resolve('key', sender.next('agent', growing(3)))).toBeUndefined();
  });

  it('are missing if the worker has another conversation under the name', () => {
    const store = new TranscriptStore();
    store.resolve('key', new TranscriptSender().next('agent', [{ role: 'user', content: 'something else' }]));
    const sender = new TranscriptSender();
    sender.next('agent', growing(1));
    expect(store.resolve('key', sender.next('agent', growing(2)))).toBeUndefined();
  });

  it('are unchanged by a failed attempt', () => {
    const sender = new TranscriptSender();
    const store = new TranscriptStore();
    const first = sender.next('agent', growing(2));
    store.resolve('key', first);
    store.resolve('key', { thread: 'agent', keep: 2, digest: 'wrong', items: [] });
    expect(store.resolve('key', sender.next('agent', growing(3)))).toHaveLength(3);
  });

  it('stay within the limit, without the least recently used, which whole() restores', () => {
    const store = new TranscriptStore({ maxBytes: 20_000 });
    const senders = Array.from({ length: 50 }, () => new TranscriptSender());
    senders.forEach((sender, index) => store.resolve(`w${String(index)}/r/agent`, sender.next('agent', growing(3))));
    expect(store.size.bytes).toBeLessThanOrEqual(20_000);
    expect(store.size.threads).toBeGreaterThan(5);
    const [oldest, newest] = [senders[0], senders[49]];
    expect(newest && store.resolve('w49/r/agent', newest.next('agent', growing(4)))).toHaveLength(4);
    expect(oldest && store.resolve('w0/r/agent', oldest.next('agent', growing(4)))).toBeUndefined();
    expect(oldest && store.resolve('w0/r/agent', oldest.whole('agent'))).toEqual(growing(4));
  });

  it('are removed when their episode ends, and stored again if it is sent whole', () => {
    const store = new TranscriptStore();
    const sender = new TranscriptSender();
    for (const thread of ['agent', 'user']) store.resolve(`w1/r/${thread}`, sender.next(thread, growing(3)));
    store.resolve('w1/r2/agent', new TranscriptSender().next('agent', growing(3)));
    store.resolve('w10/r/agent', new TranscriptSender().next('agent', growing(3)));
    store.forget('w1/r/');
    expect(store.size.threads).toBe(2);
    expect(store.resolve('w1/r/agent', sender.next('agent', growing(4)))).toBeUndefined();
    expect(store.resolve('w1/r/agent', sender.whole('agent'))).toEqual(growing(4));
  });

  it('return a conversation that is too large to store, without storing it', () => {
    const store = new TranscriptStore({ maxBytes: 1000 });
    const sender = new TranscriptSender();
    const long = growing(100);
    expect(store.resolve('key', sender.next('agent', long))).toEqual(long);
    expect(store.size).toEqual({ threads: 0, bytes: 0 });
  });
});
