/** docs/providers.md tells which providers there are and what their failures mean, no more and no less. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { APIConnectionError } from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { FAMILY_RULES, createModelCaller, ModelCallError } from '../../src/models/index.ts';
import { FAILURE_GROUPS, classifyModelError } from '../../src/models/testing.ts';
import { listKeyVariables, PROVIDERS, resolveProvider } from '../../src/models/providers.ts';
import { refusalsToHalt } from '../../src/orchestration/testing.ts';
import { toAgentErrorKind, isAccountFailure, isTransient, type FailureType } from '../../src/evaluation/index.ts';
import {
  answerError,
  answerHalf,
  answerJson,
  answerNothing,
  answerReset,
  answerText,
  completion,
  openaiEnv,
  startFakeProvider,
  type Answer,
  type FakeProvider,
} from './helpers.ts';

const page = readFileSync(fileURLToPath(new URL('../../docs/providers.md', import.meta.url)), 'utf8');

/** Cells of a table's rows, the table told by its first heading. */
function tableOf(heading: string): string[][] {
  const lines = page.split('\n');
  const at = lines.findIndex((line) => line.startsWith(`| ${heading} `));
  const end = lines.findIndex((line, index) => index > at && !line.startsWith('|'));
  return lines.slice(at + 2, end).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

describe('the table of providers', () => {
  const rows = tableOf('provider');

  it('has each of them, in the program’s order', () => {
    expect(rows.map(([name]) => name)).toEqual(PROVIDERS.map(({ name }) => `\`${name}\``));
  });

  it.each(PROVIDERS.map((row, index) => [row.name, row, index] as const))('%s', (_, row, index) => {
    const [, keys = '', address, place = '', differs = ''] = rows[index] ?? [];
    expect([...keys.matchAll(/`(\w+)`/g)].map(([, key]) => key)).toEqual(listKeyVariables(row));
    expect(keys.endsWith(', if any')).toBe(row.isKeyOptional === true);
    expect(address).toBe(`\`${row.baseUrlVariable}\``);
    if (row.baseUrl !== null) expect(place).toBe(`\`${row.baseUrl}\``);
    else expect(place).toMatch(/^none: |^a server of the process/);
    expect(/no seed|refuses a seed/.test(differs)).toBe(row.seedField === null);
    expect(differs.includes('random_seed')).toBe(row.seedField === 'random_seed');
    expect(differs.includes('no JSON mode')).toBe(row.jsonFormat === 'none');
    expect(differs.includes('JSON by schema only')).toBe(row.jsonFormat === 'schema');
    expect(/(\d),(\d{3}) tokens/.test(differs)).toBe(row.mostTokens !== undefined);
    expect(differs.includes('reports costs')).toBe(row.reportsCost === true);
    expect(differs.includes('`name` in tool results')).toBe(row.takesToolName === false);
    expect(differs.includes('costs nothing')).toBe(row.prices.kind === 'free');
    expect(differs.includes('no prices')).toBe(row.prices.kind === 'unknown');
  });
});

it('names the providers at which the rules on temperature hold', () => {
  for (const { temperature, at } of FAMILY_RULES) {
    if (temperature !== 'any') expect(page).toContain(at.map((provider) => `\`${provider}\``).join(', '));
  }
});

const call = { id: 'c', type: 'function', function: { name: 'look_up', arguments: '{"id": ' } };

/** A failure of the way there, as the client has it: no server on this machine is one. */
function failing(code: string, message = code): Error {
  return Object.assign(new Error(message), { code });
}

/** Answers of the provider, by the page's words. A failure's type, or null where the call gives a reply. */
const FAULTS: Readonly<Record<string, readonly [Answer | Error, FailureType | null]>> = {
  '408, request timeout': [answerError(408, { message: 'slow' }), 'ModelUnavailable'],
  '409, conflict': [answerError(409, { message: 'locked' }), 'ModelUnavailable'],
  '429, too many requests': [answerError(429, { code: 'rate_limit_exceeded' }), 'RateLimited'],
  '429, quota used up': [answerError(429, { code: 'insufficient_quota' }), 'QuotaExceeded'],
  '402, payment required': [answerError(402, { message: 'no credit' }), 'QuotaExceeded'],
  '401, key refused': [answerError(401, { message: 'bad key' }), 'NotAuthorised'],
  '403, not allowed': [answerError(403, { message: 'region' }), 'NotAuthorised'],
  '400, request refused': [answerError(400, { message: 'bad temperature' }), 'RequestRefused'],
  '400, conversation too long': [answerError(400, { code: 'context_length_exceeded' }), 'ContextOverflow'],
  '400, a malformed tool call': [answerError(400, { code: 'tool_use_failed' }), 'MalformedReply'],
  '400, content filter': [answerError(400, { code: 'content_filter' }), 'ContentFilter'],
  '404, no such model': [answerError(404, { message: 'no model' }), 'RequestRefused'],
  '500, server error': [answerError(500, { message: 'oops' }), 'ModelUnavailable'],
  '502, an HTML page': [answerText('<html>Bad gateway</html>', 502, 'text/html'), 'ModelUnavailable'],
  '503, overloaded': [answerText('', 503), 'ModelUnavailable'],
  'no answer in time': [answerNothing, 'ModelUnavailable'],
  'connection reset': [answerReset, 'ModelUnavailable'],
  'a resolver that does not answer': [failing('EAI_AGAIN'), 'ModelUnavailable'],
  'no server of that name': [failing('ENOTFOUND'), 'NoConnection'],
  'a certificate that is not trusted': [failing('DEPTH_ZERO_SELF_SIGNED_CERT'), 'NoConnection'],
  'http:// where https:// was asked for': [failing('ERR_SSL_WRONG_VERSION_NUMBER'), 'NoConnection'],
  '407 or 403 of a proxy': [failing('UND_ERR_ABORTED', 'Proxy response (407) !== 200'), 'NoConnection'],
  '301, moved elsewhere': [answerJson({}, 301, { location: 'https://models.example/v1' }), 'RequestRefused'],
  '413, a limit per minute': [
    answerError(413, { message: 'Request too large for m on tokens per minute (TPM): Limit 6000' }),
    'QuotaExceeded',
  ],
  '501, not implemented': [answerError(501, { message: 'no' }), 'RequestRefused'],
  'body cut short by a broken connection': [answerHalf, 'ModelUnavailable'],
  'body that is not whole JSON': [answerText('{"choices": [{"message"'), 'ModelUnavailable'],
  '200 with an HTML page': [answerText('<!doctype html>', 200, 'text/html'), 'NotACompletion'],
  '200 with other JSON': [answerJson({ reply: 'hello' }), 'NotACompletion'],
  '200 with a passing error inside': [answerJson({ error: { message: 'upstream' } }), 'ModelUnavailable'],
  '200 with an unknown error inside': [answerJson({ error: 'the red light is on' }), 'NotACompletion'],
  '200 with a stream of events': [answerText('data: {"choices": []}\n\ndata: [DONE]\n\n'), 'RequestRefused'],
  'empty list of choices': [answerJson({ choices: [] }), 'ModelUnavailable'],
  'reply withheld by the content filter': [answerJson(completion({}, {}, 'content_filter')), 'ContentFilter'],
  'answer of more than 16 MiB': [answerText(' '.repeat(17 * 1024 ** 2)), 'ReplyTooLong'],
  'reply cut at the length limit': [answerJson(completion({ content: 'I was' }, {}, 'length')), null],
  'refusal in words': [answerJson(completion({ content: null, refusal: 'I will not.' })), null],
  'tool call without a name': [
    answerJson(completion({ content: null, tool_calls: [{ ...call, function: { arguments: '{}' } }] })),
    'MalformedReply',
  ],
  'tool call whose arguments are not JSON': [answerJson(completion({ content: null, tool_calls: [call] })), null],
};

describe('the classes of failures', () => {
  const doing = ['the model’s own', 'this conversation’s'];
  const rows = tableOf('a failure is').map(([name = '', types = '']) => {
    return [name.replace("'", '’'), [...types.matchAll(/`(\w+)`/g)].map(([, type = '']) => type)] as const;
  });

  it('have each type that a call can fail with', () => {
    const table = FAILURE_GROUPS.map(({ type }) => type);
    const faults = Object.values(FAULTS).flatMap(([, type]) => type ?? []);
    const types = new Set<string>([...table, ...faults, 'MissingKey', 'CallTimedOut']);
    expect(rows.flatMap(([, named]) => named).sort()).toEqual([...types].sort());
  });

  it.each(rows)('%s: %j', (name, types) => {
    for (const type of types) {
      expect([type, toAgentErrorKind(type) !== undefined]).toEqual([type, doing.includes(name)]);
      expect([type, isTransient(type)]).toEqual([type, name === 'passing']);
      expect([type, isAccountFailure(type)]).toEqual([type, name === 'the account’s']);
      // Two in a row pause a run in which nothing has worked.
      const most = doing.includes(name) || name === 'passing' ? Infinity : name === 'the account’s' ? 1 : 2;
      expect([type, refusalsToHalt(type, false)]).toEqual([type, most]);
    }
  });
});

it('names the providers that take the cap on tokens under its new name', () => {
  const [, names = ''] = /as `max_completion_tokens` to ([^]*?),\s+as\s+`max_tokens`/.exec(page) ?? [];
  const expected = PROVIDERS.filter(({ tokenCapField }) => tokenCapField === 'max_completion_tokens');
  expect([...names.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(expected.map(({ name }) => name));
});

describe('the table of failures', () => {
  const rows = tableOf('it means').flatMap(([meaning = '', whats = '']) =>
    whats
      .split('; ')
      .map((what) => [what, meaning.replace(', repeated', ''), meaning.endsWith(', repeated') ? 'yes' : 'no']),
  );
  const open: FakeProvider[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((provider) => provider.close()));
  });

  it('has each of them', () => {
    expect(rows.map(([what]) => what).sort()).toEqual(Object.keys(FAULTS).sort());
  });

  it.each(rows.map((row) => [row[0] ?? '', row] as const))('%s', async (what, [, meaning, repeated]) => {
    const [answer, type] = FAULTS[what] ?? [answerNothing, null];
    if (answer instanceof Error) {
      const context = { nowMs: 0, timeoutMs: 1_000, redact: String };
      const { type: told, retryable } = classifyModelError(new APIConnectionError({ cause: answer }), context);
      expect([told, meaning, repeated]).toEqual([type, `\`${told}\``, retryable ? 'yes' : 'no']);
      return;
    }
    const provider = await startFakeProvider(answer);
    open.push(provider);
    const callModel = createModelCaller((name) => resolveProvider(name, openaiEnv(provider)));
    const request = { provider: 'openai', model: 'm', messages: [], temperature: 0, idempotencyKey: 'k' };
    const outcome = await callModel(request, { timeoutMs: what === 'no answer in time' ? 100 : 10_000 }).catch(
      (error: unknown) => error,
    );
    if (type === null) {
      expect(outcome).toHaveProperty('message.role', 'assistant');
      expect(meaning).toBe('a reply');
      return;
    }
    if (!(outcome instanceof ModelCallError)) throw new Error('expected a failed call', { cause: outcome });
    expect(outcome.failure.type).toBe(type);
    expect([meaning, repeated]).toEqual([`\`${type}\``, outcome.failure.retryable ? 'yes' : 'no']);
  });
});
