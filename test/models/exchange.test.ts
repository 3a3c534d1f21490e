/** The bodies of model calls, seen below every wire. */

import { afterEach, describe, expect, it } from 'vitest';
import type { WireName } from '../../src/agents/index.ts';
import { createModelCaller, type Exchange } from '../../src/models/index.ts';
import { resolveProvider } from '../../src/models/providers.ts';
import {
  KEY,
  answerError,
  answerJson,
  answerReset,
  answerText,
  completion,
  openaiEnv,
  startFakeProvider,
  type Answer,
  type FakeProvider,
} from './helpers.ts';

const open: FakeProvider[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()));
});

interface Made {
  readonly exchanges: readonly Exchange[];
  readonly provider: FakeProvider;
}

async function call(wire: WireName, content: string, ...answers: readonly Answer[]): Promise<Made> {
  const provider = await startFakeProvider(...answers);
  open.push(provider);
  const exchanges: Exchange[] = [];
  const caller = createModelCaller((name) => resolveProvider(name, openaiEnv(provider)));
  const messages = [{ role: 'user' as const, content }];
  const request = { provider: 'openai', model: 'm', wire, messages, temperature: 0, idempotencyKey: 'run-1/5' };
  const capped = wire === 'messages' ? { ...request, maxCompletionTokens: 100 } : request;
  await caller(capped, { timeoutMs: 10_000, onExchange: (one) => exchanges.push(one) }).catch(() => undefined);
  return { exchanges, provider };
}

describe('the bodies of a model call', () => {
  it.each<WireName>(['chat', 'responses', 'messages'])('are recorded as sent on the wire %s', async (wire) => {
    const { exchanges, provider } = await call(wire, 'Café ☕', answerText('{"no": "reply"}'));
    expect(provider.requests).toHaveLength(1);
    expect(exchanges).toEqual([
      {
        at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        durationMs: expect.any(Number) as number,
        status: 200,
        request: expect.stringContaining('Caf') as string,
        reply: '{"no": "reply"}',
      },
    ]);
    expect(JSON.parse(exchanges[0]?.request ?? '')).toEqual(provider.requests[0]?.body);
  });

  it.each<WireName>(['chat', 'responses', 'messages'])('never have a key on the wire %s', async (wire) => {
    const quoted = [
      answerError(401, { message: `Incorrect API key provided: ${KEY}. You said "Bearer ${KEY}"` }),
      answerError(400, { message: Buffer.from(`Bearer ${KEY}`).toString('base64') }),
      answerJson({ echo: { authorization: `Bearer ${KEY}` }, half: KEY.slice(0, 20) }),
    ];
    for (const answer of quoted) {
      const { exchanges } = await call(wire, `My key is ${KEY}`, answer);
      expect(exchanges).toHaveLength(1);
      const written = JSON.stringify(exchanges);
      expect(written).toContain('[redacted]');
      for (let at = 0; at + 16 <= KEY.length; at++) expect(written).not.toContain(KEY.slice(at, at + 16));
      expect(written).not.toContain(Buffer.from(`Bearer ${KEY}`).toString('base64').slice(12, 32));
    }
  });

  it('are recorded for each HTTP request of a call, failed ones too', async () => {
    const refusal = answerError(400, { message: "Unsupported parameter: 'temperature' is not supported." });
    const { exchanges, provider } = await call('chat', 'Hello', refusal, answerJson(completion()));
    expect(exchanges.map(({ status }) => status)).toEqual([400, 200]);
    expect(exchanges.map(({ request }) => JSON.parse(request) as unknown)).toEqual(
      provider.requests.map(({ body }) => body),
    );
    expect(JSON.parse(exchanges[1]?.request ?? '')).not.toHaveProperty('temperature');
  });

  it('are recorded without an answer', async () => {
    const { exchanges } = await call('chat', 'Hello', answerReset);
    expect(exchanges).toMatchObject([{ status: null, reply: null }]);
  });
});
