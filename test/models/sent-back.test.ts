/** Odd parts of a reply in the next request: over each of the APIs, a conversation that servers take. */

import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createModelCaller, type ExpandedMessage } from '../../src/models/index.ts';
import { resolveProvider } from '../../src/models/providers.ts';
import { withoutHalves } from '../../src/models/testing.ts';
import { answerJson, completion, startFakeProvider, type FakeProvider } from './helpers.ts';

const open: FakeProvider[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()));
});

const REPLIES = {
  chat: completion({ content: 'Hello.' }),
  responses: { output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello.' }] }] },
  messages: { content: [{ type: 'text', text: 'Hello.' }] },
};

/** The body that is sent, as it is read by a server. */
async function sent(
  messages: readonly ExpandedMessage[],
  wire: keyof typeof REPLIES,
  provider = 'custom',
): Promise<Record<string, unknown>> {
  const server = await startFakeProvider(answerJson(REPLIES[wire]));
  open.push(server);
  const env: NodeJS.ProcessEnv = {
    CUSTOM_BASE_URL: server.url,
    MISTRAL_BASE_URL: server.url,
    MISTRAL_API_KEY: 'k'.repeat(20),
  };
  const callModel = createModelCaller((name) => resolveProvider(name, env));
  const request = { provider, wire, model: 'm', messages, temperature: 0, idempotencyKey: 'k' };
  await callModel(request, { timeoutMs: 10_000 });
  return server.requests[0]?.body ?? {};
}

const call = (id: string, args = '{}'): ExpandedMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: args } }],
});
const result = (id: string, content: string): ExpandedMessage => ({
  role: 'tool',
  tool_call_id: id,
  name: 'f',
  content,
});
const user: ExpandedMessage = { role: 'user', content: 'Hi' };

describe('call ids that repeat in each turn', () => {
  const turns = [user, call('call_0'), result('call_0', 'one'), call('call_0'), result('call_0', 'two')];

  it('are sent back unchanged over chat completions, each result after its call', async () => {
    const { messages } = (await sent(turns, 'chat')) as { messages: Record<string, unknown>[] };
    expect(messages.map(({ content, tool_call_id: id }) => [content, id])).toEqual([
      ['Hi', undefined],
      [null, undefined],
      ['one', 'call_0'],
      [null, undefined],
      ['two', 'call_0'],
    ]);
  });

  it.each(['call_0', 'abcdefghi'])('are distinct for Mistral: %s', async (id) => {
    const own = [user, call(id), result(id, 'one'), call(id), result(id, 'two')];
    const { messages } = (await sent(own, 'chat', 'mistral')) as {
      messages: { tool_calls?: { id: string }[]; tool_call_id?: string }[];
    };
    const ids = messages.flatMap(({ tool_calls: calls = [] }) => calls.map((each) => each.id));
    expect(new Set(ids).size).toBe(2);
    expect(messages.flatMap(({ tool_call_id: answered }) => answered ?? [])).toEqual(ids);
  });

  it('are distinct over Responses', async () => {
    const { input } = (await sent(turns, 'responses')) as { input: Record<string, unknown>[] };
    expect(input.slice(1).map(({ type, call_id: id, output }) => [type, id, output])).toEqual([
      ['function_call', 'call_0', undefined],
      ['function_call_output', 'call_0', 'one'],
      ['function_call', 'call_again_2', undefined],
      ['function_call_output', 'call_again_2', 'two'],
    ]);
  });

  it('are distinct over Messages', async () => {
    const { messages } = (await sent(turns, 'messages')) as {
      messages: { content: { type: string; id?: string; tool_use_id?: string }[] }[];
    };
    const blocks = messages.flatMap(({ content }) => content);
    const ids = blocks.flatMap(({ id }) => id ?? []);
    expect(new Set(ids).size).toBe(2);
    expect(blocks.flatMap(({ tool_use_id: id }) => id ?? [])).toEqual(ids);
  });
});

/** Strings that a strict parser of JSON would not take. */
function halves(value: unknown): string[] {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(halves) : [];
}

describe('half of a surrogate pair', () => {
  const half = '\uD83D';
  const conversation = [
    user,
    call('a', `{"note": "x${half}", "other": "\\ud83d", "whole": "\\ud83d\\ude00", "path": "\\\\ud83d"}`),
    result('a', `cut here \uDE00`),
    { role: 'assistant', content: `Sure ${half}` } as const,
    { role: 'user', content: '😀' } as const,
  ];

  it.each(['chat', 'responses', 'messages'] as const)('is sent over %s as the replacement character', async (wire) => {
    const body = await sent(conversation, wire);
    expect(halves(body)).toEqual([]);
    const text = JSON.stringify(body);
    expect(text).toContain('Sure \uFFFD');
    expect(text).toContain('cut here \uFFFD');
    expect(text).toContain('😀');
  });

  it('is replaced in the arguments that a chat template reads, too', async () => {
    const { messages } = (await sent(conversation, 'chat')) as {
      messages: { tool_calls?: { function: { arguments: string } }[] }[];
    };
    const text = messages[1]?.tool_calls?.[0]?.function.arguments ?? '';
    expect(JSON.parse(text)).toEqual({ note: 'x\uFFFD', other: '\uFFFD', whole: '😀', path: String.raw`\ud83d` });
  });

  it('is the only part of any JSON that changes', () => {
    const unit = fc.oneof(
      fc.constantFrom('\uD83D', '\uDE00', '\\', '"', 'u', 'd83d', '\n'),
      fc.string({ unit: 'binary' }),
    );
    const string = fc.array(unit).map((parts) => parts.join(''));
    fc.assert(
      fc.property(string, (given) => {
        const whole = Buffer.from(given, 'utf8').toString('utf8');
        expect(JSON.parse(withoutHalves(JSON.stringify({ given })))).toEqual({ given: whole });
        const ascii = JSON.stringify({ given }).replace(/[^\x20-\x7e]/g, escaped);
        expect(JSON.parse(withoutHalves(ascii))).toEqual({ given: whole });
      }),
    );
  });
});

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
