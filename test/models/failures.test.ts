import Anthropic from '@anthropic-ai/sdk';
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import { describe, expect, it } from 'vitest';
import { UnusableReplyError, classifyModelError, type ModelFailure } from '../../src/models/testing.ts';
import { readRetryAfter, createRedactor } from '../../src/io/index.ts';
import { KEY } from './helpers.ts';

const nowMs = Date.parse('2026-01-01T00:00:00Z');
const classify = (error: unknown): ModelFailure =>
  classifyModelError(error, { nowMs, timeoutMs: 4_000, redact: createRedactor([KEY]) });

function answered(status: number, error: Record<string, unknown> = {}, headers: Record<string, string> = {}): APIError {
  return APIError.generate(status, { error: { message: 'words', ...error } }, undefined, new Headers(headers));
}

describe('the failure of a model call', () => {
  it.each([
    [400, 'RequestRefused', false],
    [401, 'NotAuthorised', false],
    [402, 'QuotaExceeded', false],
    [403, 'NotAuthorised', false],
    [404, 'RequestRefused', false],
    [408, 'ModelUnavailable', true],
    [409, 'ModelUnavailable', true],
    [413, 'RequestRefused', false],
    [422, 'RequestRefused', false],
    [425, 'ModelUnavailable', true],
    [429, 'RateLimited', true],
    [500, 'ModelUnavailable', true],
    [503, 'ModelUnavailable', true],
    [529, 'ModelUnavailable', true],
  ] as const)('of status %i is %s, retryable: %s', (status, type, retryable) => {
    expect(classify(answered(status))).toMatchObject({ type, retryable, status, message: `${String(status)} words` });
  });

  it.each([{ code: 'insufficient_quota' }, { type: 'insufficient_quota' }])(
    'for an exhausted quota %j is permanent',
    (e) => {
      const failure = classify(answered(429, e, { 'x-should-retry': 'true', 'retry-after': '1' }));
      expect(failure).toMatchObject({ type: 'QuotaExceeded', retryable: false });
    },
  );

  it.each([
    { code: 'context_length_exceeded' },
    { message: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens" },
    { message: 'the request exceeds the available context size, try increasing it' },
    { message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    { message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)' },
    { message: 'Input is too long for requested model.' },
  ])('detects a conversation that is too long: %j', (error) => {
    expect(classify(answered(400, error))).toMatchObject({ type: 'ContextOverflow', retryable: false });
  });

  it('detects a prompt that the content filter refused', () => {
    expect(classify(answered(400, { code: 'content_filter' }))).toMatchObject({
      type: 'ContentFilter',
      retryable: false,
    });
  });

  it("follows a provider's header on retries", () => {
    expect(classify(answered(500, {}, { 'x-should-retry': 'false' })).retryable).toBe(false);
    expect(classify(answered(400, {}, { 'x-should-retry': 'true' })).retryable).toBe(true);
  });

  it.each([401, 402, 403])("ignores that header for the account's failures: %i", (status) => {
    expect(classify(answered(status, {}, { 'x-should-retry': 'true' })).retryable).toBe(false);
  });

  it.each([
    [{ 'retry-after-ms': '1500' }, 1500],
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0.25' }, 250],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT' }, 7000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 23:59:00 GMT' }, undefined],
    [{ 'retry-after': '0' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '99999999999' }, 86_400_000],
    [{}, undefined],
  ])('has the delay of the headers %j', (headers, expected) => {
    expect(classify(answered(429, {}, headers as Record<string, string>)).retryAfterMs).toBe(expected);
  });

  it('has the cause of a broken connection', () => {
    const inner = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' });
    const failure = classify(new APIConnectionError({ cause: new TypeError('fetch failed', { cause: inner }) }));
    expect(failure).toEqual({
      type: 'ModelUnavailable',
      retryable: true,
      message: 'no connection to the provider: connect ECONNREFUSED 127.0.0.1:9',
    });
  });

  const ALTNAME =
    "Hostname/IP does not match certificate's altnames: Host: models.example. is not in the cert's altnames";
  it.each([
    ['ENOTFOUND', 'getaddrinfo ENOTFOUND modells.example', 'check the address of the provider'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', 'NODE_EXTRA_CA_CERTS=FILE'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain', 'NODE_EXTRA_CA_CERTS=FILE'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate', 'NODE_EXTRA_CA_CERTS=FILE'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unable to get local issuer certificate', 'NODE_EXTRA_CA_CERTS=FILE'],
    ['CERT_UNTRUSTED', 'certificate not trusted', 'NODE_EXTRA_CA_CERTS=FILE'],
    ['CERT_HAS_EXPIRED', 'certificate has expired', "renew the server's certificate"],
    ['CERT_NOT_YET_VALID', 'certificate is not yet valid', "set this machine's clock"],
    ['ERR_TLS_CERT_ALTNAME_INVALID', ALTNAME, 'as its certificate does'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', '80:error:0A00010B:SSL routines:wrong version number', 'http:// or https://'],
    ['EPROTO', 'write EPROTO', 'http:// or https://'],
    ['UND_ERR_ABORTED', 'Proxy response (407) !== 200 when HTTP Tunneling', 'HTTPS_PROXY'],
    ['UND_ERR_ABORTED', 'Proxy response (403) !== 200 when HTTP Tunneling', 'NO_PROXY'],
  ])("is the set-up's for %s: %s", (code, message, remedy) => {
    const cause = Object.assign(new Error(message), { code });
    for (const error of [new APIConnectionError({ cause }), new Anthropic.APIConnectionError({ cause })]) {
      const failure = classify(error);
      expect(failure).toMatchObject({ type: 'NoConnection', retryable: false });
      expect(failure.message).toContain(remedy);
    }
  });

  it.each([
    ['EAI_AGAIN', 'getaddrinfo EAI_AGAIN api.example'],
    ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:9'],
    ['ECONNRESET', 'read ECONNRESET'],
    ['ENETUNREACH', 'connect ENETUNREACH 10.0.0.1:443'],
    ['UND_ERR_CONNECT_TIMEOUT', 'Connect Timeout Error'],
    ['UND_ERR_ABORTED', 'Proxy response (503) !== 200 when HTTP Tunneling'],
  ])('is temporary for %s: %s', (code, message) => {
    const failure = classify(new APIConnectionError({ cause: Object.assign(new Error(message), { code }) }));
    expect(failure).toMatchObject({ type: 'ModelUnavailable', retryable: true });
  });

  it.each([
    new TypeError('Do not know how to serialize a BigInt'),
    new RangeError('Invalid string length'),
    Object.assign(new Error('invalid content-length header'), { code: 'UND_ERR_INVALID_ARG' }),
    Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL' }),
    new TypeError(`Headers.append: "Bearer ${KEY}\n" is an invalid header value.`),
  ])('is permanent for an error of making a request: %s', (cause) => {
    for (const error of [cause, new APIConnectionError({ cause }), new Anthropic.APIConnectionError({ cause })]) {
      const failure = classify(error);
      expect(failure).toMatchObject({ type: 'RequestRefused', retryable: false });
      expect(failure.message).toMatch(/^the request could not be made: /);
      expect(failure.message).not.toContain(KEY);
    }
  });

  it('is temporary for a timeout', () => {
    const failure = classify(new APIConnectionTimeoutError());
    expect(failure).toMatchObject({ type: 'ModelUnavailable', retryable: true });
    expect(failure.message).toBe('the provider did not answer within 4 s');
  });

  it('has the type of an unusable reply', () => {
    expect(classify(new UnusableReplyError('ModelUnavailable', 'x'))).toMatchObject({ retryable: true });
    expect(classify(new UnusableReplyError('ContentFilter', 'x'))).toMatchObject({ retryable: false });
  });

  it.each([undefined, null, 'text', 7, {}, new Error('unexpected')])(
    'is derived from any thrown value: %j',
    (thrown) => {
      expect(classify(thrown)).toMatchObject({ type: 'ModelUnavailable', retryable: true });
    },
  );

  it('has a short message of one line without keys, even without half a key at the cut', () => {
    const filler = 'x\n'.repeat(240);
    const failure = classify(answered(401, { message: `${filler} your key ${KEY} is not valid` }));
    expect(failure.message.length).toBeLessThanOrEqual(500);
    expect(failure.message).not.toContain('\n');
    expect(failure.message).not.toContain(KEY.slice(0, 8));
  });

  it("has only the title of a gateway's error page", () => {
    const page = APIError.generate(502, undefined, '<html><body><h1>Bad gateway</h1></body></html>', new Headers());
    expect(classify(page).message).toBe('502 with an HTML page instead of an API answer');
    const named = '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>…</body></html>';
    expect(classify(APIError.generate(403, undefined, named, new Headers())).message).toBe(
      '403 with the HTML page "Just a moment..." instead of an API answer',
    );
  });
});

const NOW = Date.parse('2026-03-01T12:00:00Z');
const read = (headers: Record<string, string>) => readRetryAfter(new Headers(headers), NOW);

describe('when a provider wants to be asked again', () => {
  it.each<[Record<string, string>, number | undefined]>([
    [{}, undefined],
    [{ 'retry-after-ms': '1500' }, 1500],
    [{ 'retry-after-ms': '20', 'retry-after': '9' }, 20],
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0.25' }, 250],
    [{ 'retry-after': 'Sun, 01 Mar 2026 12:00:07 GMT' }, 7000],
    [{ 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '9999999' }, 86_400_000],
    [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6m0s' }, 360_000],
    [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '7.66s' }, 7660],
    [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '20ms' }, 20],
    [{ 'x-ratelimit-remaining-tokens': '5', 'x-ratelimit-reset-tokens': '7.66s' }, undefined],
    [
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '2s',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '1m1s',
      },
      61_000,
    ],
    [
      {
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-reset': '2026-03-01T12:00:30Z',
      },
      30_000,
    ],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW + 4000) }, 4000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 4) }, 4000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '3' }, 3000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'never' }, undefined],
    [{ 'x-ratelimit-remaining': '0' }, undefined],
    [{ 'retry-after': '1', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60' }, 1000],
  ])('%j: %s ms', (headers, expected) => {
    expect(read(headers)).toBe(expected);
  });
});
