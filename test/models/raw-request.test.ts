import { describe, expect, it } from 'vitest';
import { readRawRequest, writeRawRequest } from '../../src/models/index.ts';
import type { WireName } from '../../src/agents/index.ts';

function read(text: string, wire: WireName = 'chat', headers = {}) {
  const found = readRawRequest(text, wire, headers);
  if (typeof found === 'string') throw new Error(found);
  return found;
}

describe('a raw request', () => {
  it('is a body without messages and its messages, in its own spelling', () => {
    const text = '{"model": "m", "messages": [{"role": "user", "n": 131.0}, "odd"], "seed": 1, "stream": true}';
    const { items, model, isStreamed, wantsUsage } = read(text);
    expect(items).toEqual(['{"model":"m","seed":1}', '{"role": "user", "n": 131.0}', '"odd"']);
    expect({ model, isStreamed, wantsUsage }).toEqual({ model: 'm', isStreamed: true, wantsUsage: false });
    expect(writeRawRequest(items, 'chat', 'served')).toEqual({
      body: '{"model":"served","seed":1,"messages":[{"role": "user", "n": 131.0},"odd"]}',
      headers: {},
    });
  });

  it.each([
    ['no model', '{"messages":[]}'],
    ['a model without a name', '{"model":""}'],
    ['a long name', `{"model":"${'m'.repeat(201)}"}`],
    ['a list', '["model"]'],
    ['201 levels', `{"model":"m","a":${'['.repeat(200)}${']'.repeat(200)}}`],
  ])('is rejected with %s', (_what, text) => {
    expect(readRawRequest(text, 'chat')).toEqual(expect.any(String));
  });

  it('has a name of 200 characters and 200 levels', () => {
    const model = 'm'.repeat(200);
    expect(read(`{"model":"${model}","a":${'['.repeat(199)}${']'.repeat(199)}}`)).toMatchObject({ model });
  });

  it.each([
    ['"stream":true', true, false],
    ['"stream":false,"stream_options":{"include_usage":false}', false, false],
    ['"stream":true,"stream_options":{}', true, false],
    ['"stream":true,"stream_options":{"include_usage":true}', true, true],
  ])('is streamed, and has usage, as it says: %s', (members, isStreamed, wantsUsage) => {
    expect(read(`{"model":"m",${members}}`)).toMatchObject({ items: ['{"model":"m"}'], isStreamed, wantsUsage });
  });

  it('keeps an input of Responses that is a text', () => {
    const { items } = read('{"model":"m","input":"Hello"}', 'responses');
    expect(items).toEqual(['{"model":"m","input":"Hello"}']);
    expect(writeRawRequest(items, 'responses', 'm').body).toBe('{"model":"m","input":"Hello"}');
  });

  it('has the headers that affect the answer', () => {
    const headers = { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'a,b', 'x-api-key': 'secret' };
    const { items } = read('{"model":"m","messages":[]}', 'messages', headers);
    expect(items.join()).not.toContain('secret');
    expect(writeRawRequest(items, 'messages', 'm')).toEqual({
      body: '{"model":"m","messages":[]}',
      headers: { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'a,b' },
    });
    expect(read('{"model":"m","messages":[]}', 'chat', headers).items).toEqual(['{"model":"m"}']);
    const beta = read('{"model":"m","input":[]}', 'responses', { 'openai-beta': 'x=v1' });
    expect(writeRawRequest(beta.items, 'responses', 'm')).toEqual({
      body: '{"model":"m","input":[]}',
      headers: { 'openai-beta': 'x=v1' },
    });
    const own = '{"model":"m","anthropic_beta":["a"],"messages":[]}';
    expect(writeRawRequest(read(own, 'messages').items, 'messages', 'm')).toEqual({ body: own, headers: {} });
  });

  it('differs if such headers differ', () => {
    const body = '{"model":"m","messages":[]}';
    const of = (wire: WireName, headers = {}) => read(body, wire, headers).digest;
    expect(
      new Set([of('messages'), of('messages', { 'anthropic-beta': 'a' }), of('messages', { 'anthropic-beta': 'b' })])
        .size,
    ).toBe(3);
    expect(of('chat', { 'openai-beta': 'a' })).not.toBe(of('chat'));
    expect(of('chat', { 'anthropic-beta': 'a', 'user-agent': 'x' })).toBe(of('chat'));
  });

  it('has the same digest in any spelling', () => {
    const { digest } = read('{"model":"m","messages":[{"role":"user","content":"é"}]}');
    for (const same of [
      '{"messages": [{"content": "\\u00e9", "role": "user"}], "model": "m"}',
      '{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"é"}]}',
    ]) {
      expect(read(same).digest).toBe(digest);
    }
    for (const other of ['{"model":"n","messages":[{"role":"user","content":"é"}]}', '{"model":"m","messages":[]}']) {
      expect(read(other).digest).not.toBe(digest);
    }
  });
});
