/** Failures in the providers' own words, and what each means. */

import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { createModelCaller } from '../../src/models/index.ts';
import { FAILURE_GROUPS, fits, judgeAnswer } from '../../src/models/testing.ts';
import { resolveProvider } from '../../src/models/providers.ts';
import { answerJson, startFakeProvider, type FakeProvider } from './helpers.ts';

const open: FakeProvider[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()));
});

/** A time further away than the longest wait. */
const IN_TWO_DAYS = String(Date.now() + 2 * 86_400_000);

const BODIES = readFileSync(new URL('../fixtures/provider-failures.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map(
    (line) =>
      JSON.parse(line.replace('IN_TWO_DAYS', IN_TWO_DAYS)) as [
        by: string,
        status: number,
        body: unknown,
        type: string,
        wait?: number,
      ],
  );

it.each(BODIES)('%s with status %i: %j', async (_by, status, body, type, wait) => {
  const provider = await startFakeProvider(answerJson(body, status));
  open.push(provider);
  const callModel = createModelCaller((name) => resolveProvider(name, { CUSTOM_BASE_URL: provider.url }));
  const request = { provider: 'custom', model: 'm', messages: [], temperature: null, idempotencyKey: 'k' };
  await expect(callModel(request, { timeoutMs: 10_000 })).rejects.toMatchObject({
    failure: {
      type,
      retryable: ['ModelUnavailable', 'RateLimited', 'NotACompletion'].includes(type),
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    },
  });
});

it("a pattern's gap can contain line breaks", () => {
  const words = 'Request too large for m\n\nLimit on tokens per min';
  expect(judgeAnswer({ status: 429, codes: [], words }).type).toBe('QuotaExceeded');
});

it('each row of the table fits one of the bodies', () => {
  const answers = BODIES.map(([, , body]) => ({ status: 0, codes: valuesOf(body), words: JSON.stringify(body) }));
  const unshown = FAILURE_GROUPS.flatMap(({ rows = [] }) => rows).filter(
    (row) => !answers.some((answer) => fits(row, answer)),
  );
  expect(unshown).toEqual([]);
});

function valuesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.values(value).flatMap(valuesOf);
}
