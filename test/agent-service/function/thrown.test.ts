import { describe, expect, it } from 'vitest';
import { judgeThrown } from '../../../src/agent-service/testing.ts';

const OWN = { status: 500, isOwn: true };
const AWAY = { status: 500, isOwn: false };
const withFields = (fields: object) => Object.assign(new Error('x'), fields);
class APIConnectionError extends Error {}
const endless: Record<string, unknown> = {};
endless['cause'] = endless;

describe('what a function throws', () => {
  it.each([
    [new TypeError('x is not a function')],
    ['a text'],
    [null],
    [undefined],
    [withFields({ code: 'ENOENT' })],
    [withFields({ status: 200 })],
    [withFields({ status: 'failed' })],
    [endless],
  ])('is its own bug: %s', (thrown) => {
    expect(judgeThrown(thrown)).toEqual(OWN);
  });

  it('is its own bug where looking at it throws', () => {
    const hostile = new Proxy({}, { get: () => endless['nothing'] ?? (undefined as unknown as () => void)() });
    expect(judgeThrown(hostile)).toEqual(OWN);
  });

  it.each([
    [new TypeError('fetch failed', { cause: withFields({ code: 'ECONNREFUSED' }) })],
    [new AggregateError([withFields({ code: 'ECONNREFUSED' })])],
    [withFields({ code: 'UND_ERR_SOCKET' })],
    [new APIConnectionError('Connection error.')],
    [AbortSignal.abort(new DOMException('late', 'TimeoutError')).reason],
  ])('is a connection that has failed: %s', (thrown) => {
    expect(judgeThrown(thrown)).toEqual(AWAY);
  });

  it.each([
    [withFields({ status: 429 }), 429],
    [withFields({ statusCode: 503 }), 503],
    [withFields({ lastError: withFields({ statusCode: 401 }) }), 401],
    [new Error('wrapped', { cause: withFields({ status: 502 }) }), 502],
  ])("is the failure of the model that it has called, with the model's status: %s", (thrown, status) => {
    expect(judgeThrown(thrown)).toEqual({ status, isOwn: false });
  });
});
