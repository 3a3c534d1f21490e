/** Causes of failed requests to agents. */

import { describe, expect, it } from 'vitest';
import { chooseFailure, refusedCall } from '../../src/agent-service/testing.ts';
import { ModelCallError } from '../../src/models/index.ts';
import type { ModelFailure } from '../../src/models/testing.ts';

const OPENAI = { provider: 'openai', model: 'gpt-4o' };
const SEEN = { passedThrough: 0, open: 0, refusal: null, isFirst: true, hasUrl: true };

function refusalOf(wire: 'chat' | 'responses' | 'messages', status: number, body: object, model = OPENAI) {
  return refusedCall({ wire, model: 'mine' }, { status, body: JSON.stringify(body) }, model)?.failure;
}

function failed(failure: Partial<ModelFailure>) {
  return new ModelCallError({ type: 'ModelUnavailable', retryable: true, message: 'the agent answered', ...failure });
}

function failureOf(error: unknown): ModelFailure | undefined {
  return error instanceof ModelCallError ? error.failure : undefined;
}

describe('a model call that its provider refuses', () => {
  it.each([
    [
      'messages',
      404,
      'no such path /v1/messages',
      'it called anthropic_url: use a provider with Messages, or model_url',
    ],
    [
      ...(['responses', 404, 'no such path /v1/responses'] as const),
      'it called Responses: use a provider that has them, or chat completions',
    ],
    ['chat', 404, 'no such path', 'check the address of openai'],
    ['chat', 404, 'The model `x` does not exist', 'check --model'],
  ] as const)('%s %i %s: says who, what and the way out', (wire, status, message, advice) => {
    const refusal = refusalOf(wire, status, { error: { message } });
    expect(refusal).toEqual({
      ...{ type: 'RequestRefused', retryable: false, status, isForModel: true },
      message: `openai refused the agent's call of gpt-4o: ${String(status)} ${message}; ${advice}`,
    });
  });

  it.each([
    [400, { error: { message: 'messages: unknown role' } }, 'RequestRefused', true],
    [422, { detail: 'a field' }, 'RequestRefused', true],
    [401, { error: { message: 'no' } }, 'NotAuthorised', undefined],
    [400, { error: { message: 'too long', code: 'context_length_exceeded' } }, 'ContextOverflow', undefined],
  ] as const)('%i %j has the class of any call: %s', (status, body, type, isOwnOnceWorked) => {
    expect(refusalOf('chat', status, body)).toMatchObject({ type, retryable: false });
    expect(refusalOf('chat', status, body)?.isOwnOnceWorked).toBe(isOwnOnceWorked);
  });

  it('has its advice within what a sweep gets, whatever the provider says', () => {
    const refusal = refusalOf('messages', 404, { error: { message: 'x'.repeat(5_000) } });
    expect(refusal?.message).toMatch(/x{70,}…; it called anthropic_url: use a provider with Messages, or model_url$/);
    expect(refusal?.message.length).toBeLessThan(200);
  });

  it.each([
    [200, {}],
    [429, { error: { message: 'slow down' } }],
    [503, { error: { message: 'busy' } }],
  ])('is none where it is answered, or may pass: %i', (status, body) => {
    expect(refusalOf('chat', status, body)).toBeUndefined();
  });
});

describe('a request that fails after its agent was refused a model', () => {
  const refusal = refusedCall({ wire: 'chat', model: 'mine' }, { status: 404, body: '{}' }, OPENAI);

  it.each(['ModelUnavailable', 'AgentFailed', 'RequestRefused', 'NotAuthorised', 'InvalidAnswer'] as const)(
    'as %s is the refusal',
    (type) => expect(chooseFailure(failed({ type }), { ...SEEN, refusal })).toBe(refusal),
  );

  it.each([{ type: 'AgentForgot' }, { type: 'RateLimited' }, { isUnreached: true }] as const)(
    'otherwise is the agent’s own: %j',
    (failure) => {
      const error = failed(failure);
      expect(chooseFailure(error, { ...SEEN, refusal })).toBe(error);
    },
  );
});

describe('a success that is no answer at all', () => {
  const page = failed({ type: 'InvalidAnswer', retryable: false, status: 200, isNoAnswer: true });

  it('is a refusal at the first request, as another service may be at the address', () => {
    expect(failureOf(chooseFailure(page, SEEN))).toMatchObject({
      ...{ type: 'RequestRefused', retryable: false, isOwnOnceWorked: true },
      message: 'the agent answered; check --agent-url',
    });
    expect(failureOf(chooseFailure(page, { ...SEEN, hasUrl: false }))?.message).toBe('the agent answered');
  });

  it('is the agent’s error where it has answered before, or the answer is merely wrong', () => {
    expect(chooseFailure(page, { ...SEEN, isFirst: false })).toBe(page);
    const wrong = failed({ type: 'InvalidAnswer', retryable: false, status: 200 });
    expect(chooseFailure(wrong, SEEN)).toBe(wrong);
  });
});
