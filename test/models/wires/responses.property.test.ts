/** Whatever a turn's items are, and whatever of them counts: the next request has the same items but for the rest. */

import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AssistantMessage } from '../../../src/agents/index.ts';
import type { ModelRequest } from '../../../src/models/index.ts';
import { resolveProvider } from '../../../src/models/providers.ts';
import { createResponsesWire } from '../../../src/models/wires/testing.ts';
import { KEY } from '../helpers.ts';
import { checkRequest, reasoningItem } from './strict-responses.ts';

type Item = Readonly<Record<string, unknown>>;

const provider = resolveProvider('openai', { OPENAI_API_KEY: KEY });
const asked: ModelRequest = {
  provider: 'openai',
  model: 'gpt-5.6',
  wire: 'responses',
  messages: [],
  temperature: null,
  idempotencyKey: 'k',
};

/** The turn's message as it is read from an answer with these items. */
function read(output: readonly Item[]): AssistantMessage {
  const wire = createResponsesWire(provider, fetch);
  const { message, continuation: data } = wire.read(JSON.stringify({ output }), {
    requestedModel: 'gpt-5.6',
    requestId: null,
    latencyMs: 1,
    removeKey: (text) => text,
  });
  const made = { provider: 'openai', model: 'gpt-5.6', wire: 'responses' } as const;
  return data === undefined ? message : { ...message, continuation: { ...made, data } };
}

/** The body of a request with the message in it, and a result for each of its calls. */
async function written(message: AssistantMessage): Promise<{ readonly input: Item[] } & Item> {
  let body = '';
  const wire = createResponsesWire(provider, (_, init) => {
    body = init?.body as string;
    return Promise.resolve(new Response('{}', { headers: { 'content-type': 'application/json' } }));
  });
  const results = (message.tool_calls ?? []).map(
    ({ id }) => ({ role: 'tool', tool_call_id: id, name: 'f', content: 'found' }) as const,
  );
  await wire.send({ ...asked, messages: [{ role: 'user', content: 'Hi' }, message, ...results] }, 'gpt-5.6', {
    timeoutMs: 1000,
  });
  return JSON.parse(body) as { input: Item[] } & Item;
}

/** A group is reasoning, in one or no item, and what was made with it. */
const group = fc.record({
  reasons: fc.boolean(),
  followers: fc.array(
    fc.oneof(
      fc.record({ text: fc.string({ unit: 'grapheme' }), extra: fc.jsonValue() }),
      fc.record({ args: fc.string().map((text) => (text.trim() === '' ? '{}' : text)), extra: fc.jsonValue() }),
    ),
    { minLength: 1, maxLength: 4 },
  ),
});

const turn = fc.array(group, { maxLength: 4 }).map((groups) =>
  groups.flatMap(({ reasons, followers }, at): Item[] => {
    const name = reasons ? `g${String(at)}` : '';
    const items = followers.map((follower, index): Item => {
      const place = `${name}_${String(index)}`;
      return 'text' in follower
        ? {
            id: `msg_${place}`,
            type: 'message',
            role: 'assistant',
            phase: follower.extra,
            content: [{ type: 'output_text', text: follower.text, annotations: [] }],
          }
        : {
            id: `fc_${place}`,
            type: 'function_call',
            call_id: `call-${String(at)}-${String(index)}`,
            name: 'f',
            arguments: follower.args,
            status: follower.extra,
          };
    });
    const [first] = items;
    return first === undefined || !reasons ? items : [reasoningItem(`rs_${name}`, first) as Item, ...items];
  }),
);

const plain = ({ id: _, status: __, ...rest }: Item): Item => rest;

/** The turn's items among the request's. */
function handedBack(input: readonly Item[]): Item[] {
  return input.slice(1).filter(({ type }) => type !== 'function_call_output');
}

it('all items are sent back if all of them count', async () => {
  await fc.assert(
    fc.asyncProperty(turn, async (output) => {
      const body = await written(read(output));
      expect(handedBack(body.input)).toEqual(JSON.parse(JSON.stringify(output)));
      checkRequest(body);
    }),
  );
});

it('items that count are sent back, unchanged or without reasoning, and no refused ones', async () => {
  await fc.assert(
    fc.asyncProperty(turn, fc.infiniteStream(fc.boolean()), fc.boolean(), async (output, coins, isChanged) => {
      const whole = read(output);
      const { tool_calls: calls = [], ...rest } = whole;
      const kept = calls.filter(() => coins.next().value);
      const content = isChanged && rest.content !== null ? `${rest.content}!` : rest.content;
      const body = await written({ ...rest, content, ...(kept.length === 0 ? {} : { tool_calls: kept }) });
      checkRequest(body);
      const sent = handedBack(body.input);
      const callsSent = sent.filter(({ type }) => type === 'function_call');
      expect(callsSent.map((item) => item['call_id'])).toEqual(kept.map(({ id }) => id));
      expect(callsSent.map((item) => item['arguments'])).toEqual(kept.map((call) => call.function.arguments));
      // In their order, each as it came or without its id.
      const given = JSON.parse(JSON.stringify(output)) as Item[];
      let at = 0;
      for (const item of sent) {
        if (item['role'] === 'assistant' && typeof item['content'] === 'string') continue;
        while (
          at < given.length &&
          !isDeepStrictEqual(item, given[at]) &&
          !isDeepStrictEqual(item, plain(given[at] ?? {}))
        )
          at++;
        expect(at).toBeLessThan(given.length);
        at++;
      }
      const said = sent.filter(({ type }) => type === 'message').map(({ content: text }) => wordsOf(text));
      expect(said.filter((text) => text !== '').join('\n\n')).toBe(content ?? '');
    }),
  );
});

function wordsOf(content: unknown): string {
  return typeof content === 'string' ? content : (content as { text: string }[]).map(({ text }) => text).join('');
}

it('items of any other form are sent back, or the answer is refused', async () => {
  const anything = fc.array(
    fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.constantFrom('type', 'id', 'content', 'call_id', 'name', 'arguments'),
        fc.oneof(fc.constantFrom('message', 'function_call', 'reasoning'), fc.jsonValue()),
      ),
    ),
  );
  await fc.assert(
    fc.asyncProperty(anything, async (output) => {
      let message: AssistantMessage;
      try {
        message = read(output as Item[]);
      } catch (error) {
        const hasCall = (output as (Item | null)[]).some((item) => item?.['type'] === 'function_call');
        expect(error).toMatchObject({ type: hasCall ? 'MalformedReply' : 'NotACompletion' });
        return;
      }
      const sent = handedBack((await written(message)).input);
      const ids = sent.filter(({ type }) => type === 'function_call').map((item) => item['call_id']);
      expect(ids.sort()).toEqual((message.tool_calls ?? []).map(({ id }) => id).sort());
    }),
  );
});
