/** Paths of a model's API other than those that an agent's model calls take. */

import { Anthropic } from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, it, vi } from 'vitest';
import { bindingWith, send, serve } from './helpers.ts';

describe('other paths', () => {
  const model = { provider: 'openai', model: 'gpt-4o' };

  it('list the model of the run', async () => {
    const gateway = await serve();
    const listOf = async (binding: Parameters<typeof bindingWith>[0]) => {
      const client = new OpenAI({ baseURL: gateway.open(bindingWith(binding)).openaiUrl, apiKey: 'anything' });
      return (await client.models.list()).data.map(({ id }) => id);
    };
    expect(await listOf({ model })).toEqual(['gpt-4o']);
    expect(await listOf({})).toEqual([]);
  });

  it('are passed on without the agent’s key, and counted', async () => {
    const passThrough = vi.fn(() =>
      Promise.resolve({ status: 200, contentType: 'application/json', body: '{"object":"list","data":[],"usage":{}}' }),
    );
    const turn = (await serve({ passThrough })).open(bindingWith({ model }));
    const client = new OpenAI({ baseURL: turn.openaiUrl, apiKey: 'anything' });
    await client.embeddings.create({ model: 'small', input: 'Hello', encoding_format: 'float' });
    const anthropic = new Anthropic({ baseURL: turn.anthropicUrl, apiKey: 'anything' });
    await anthropic.messages.countTokens({ model: 'claude', messages: [] });
    await send(`${turn.openaiUrl}/files?limit=2`, undefined, { method: 'GET' });
    expect(passThrough.mock.calls).toMatchObject([
      [{ provider: 'openai', api: 'openai', method: 'post', path: '/embeddings' }],
      [{ provider: 'openai', api: 'anthropic', method: 'post', path: '/v1/messages/count_tokens' }],
      [{ provider: 'openai', api: 'openai', method: 'get', path: '/files?limit=2' }],
    ]);
    expect(JSON.stringify(passThrough.mock.calls)).not.toMatch(/anything|authorization|x-api-key/i);
    expect(await turn.close()).toEqual({ passedThrough: 3, open: 0 });
  });

  it.each(['/../organization', '/./x', '/%2e%2e/x', '//evil.example/x', '/a\\b', ''])(
    'lead nowhere else: %s',
    async (path) => {
      const passThrough = vi.fn();
      const { openaiUrl } = (await serve({ passThrough })).open(bindingWith({ model }));
      const { hostname, port, pathname } = new URL(openaiUrl);
      const { status } = await send({ hostname, port, path: `${pathname}${path}` }, {});
      expect(status).toBe(404);
      expect(passThrough).not.toHaveBeenCalled();
    },
  );

  it('need a provider', async () => {
    const { openaiUrl } = (await serve({ passThrough: vi.fn() })).open(bindingWith());
    expect(await send(`${openaiUrl}/embeddings`, {})).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid' } },
    });
  });
});
