import type { CompleteOutput } from '../../src/evaluation/index.ts';
import { describe, expect, it } from 'vitest';
import { sumUsage, UsageLedger } from '../../src/episode/index.ts';

const output = (changes: Partial<CompleteOutput> = {}): CompleteOutput => ({
  message: { role: 'assistant', content: 'Hello.' },
  finishReason: 'stop',
  usage: { promptTokens: 10, completionTokens: 5, cachedTokens: 0, reasoningTokens: 0 },
  costUsd: 0.5,
  latencyMs: 1,
  servedModel: 'm',
  fingerprint: null,
  requestId: null,
  attempt: 1,
  ...changes,
});

describe("an episode's usage", () => {
  it('counts completions that reached a limit on tokens, by role, however the provider calls that', () => {
    const ledger = new UsageLedger();
    for (const finishReason of ['stop', 'length', 'max_tokens', 'MAX_TOKENS', 'model_length', 'tool_calls']) {
      ledger.enter('agent', output({ finishReason }));
    }
    ledger.enter('user', output());
    expect(ledger.roles().map(({ role, truncatedReplies }) => [role, truncatedReplies])).toEqual([
      ['agent', 4],
      ['user', 0],
    ]);
    expect(sumUsage(ledger.roles())).toMatchObject({ truncatedReplies: 4, calls: 7, costUsd: 3.5 });
  });

  it('counts replies that were repaired, by kind, and mentions none where none was', () => {
    const ledger = new UsageLedger();
    for (const repairs of [['a'], ['b', 'a']]) ledger.enter('agent', output({ repairs }));
    ledger.enter('user', output());
    const sums = [
      { what: 'a', replies: 2 },
      { what: 'b', replies: 1 },
    ];
    expect(ledger.roles()[0]?.repairs).toEqual(sums);
    expect(ledger.roles()[1]).not.toHaveProperty('repairs');
    expect(sumUsage(ledger.roles()).repairs).toEqual(sums);
  });

  it('counts what was written to providers\u2019 caches, and does not mention it where nothing was', () => {
    const ledger = new UsageLedger();
    const { usage } = output();
    for (const cacheWriteTokens of [3, 4]) ledger.enter('agent', output({ usage: { ...usage, cacheWriteTokens } }));
    ledger.enter('user', output());
    expect(ledger.roles()[0]).toMatchObject({ cacheWriteTokens: 7 });
    expect(ledger.roles()[1]).not.toHaveProperty('cacheWriteTokens');
    expect(sumUsage(ledger.roles())).toMatchObject({ cacheWriteTokens: 7 });
  });

  it('counts a reply that was too long as any other, and keeps the first few', () => {
    const ledger = new UsageLedger();
    const tooLong = { part: 'content', size: 9, limit: 8 } as const;
    for (let i = 0; i < 9; i++) ledger.enter('agent', output({ tooLong }));
    expect(ledger.roles()).toMatchObject([{ calls: 9, costUsd: 4.5 }]);
    expect(ledger.longReplies()).toHaveLength(5);
    expect(ledger.longReplies()[0]).toEqual({ ...tooLong, role: 'agent', excerpt: 'Hello.' });
  });

  it('keeps what models refused, each field once by role', () => {
    const ledger = new UsageLedger();
    ledger.enter('agent', output({ leftOut: ['temperature'] }));
    ledger.enter('agent', output({ leftOut: ['temperature', 'seed'] }));
    ledger.enter('user', output());
    const [agent, user] = ledger.roles();
    expect(agent).toMatchObject({ leftOut: ['temperature', 'seed'] });
    expect(user).not.toHaveProperty('leftOut');
    expect(sumUsage(ledger.roles())).toMatchObject({ leftOut: ['temperature', 'seed'] });
  });

  it('counts what an agent reports of its own calls', () => {
    const ledger = new UsageLedger();
    const usage = { promptTokens: 10, completionTokens: 5, cachedTokens: 2, reasoningTokens: 1, cacheWriteTokens: 3 };
    ledger.enter('agent', output({ attempt: 3 }));
    ledger.enterReported('agent', { ...usage, calls: 2, model: 'n', costUsd: 0.25 });
    expect(ledger.roles()).toMatchObject([
      {
        ...{ calls: 3, extraAttempts: 2, promptTokens: 20, completionTokens: 10, cachedTokens: 2, reasoningTokens: 1 },
        ...{ cacheWriteTokens: 3, costUsd: 0.75, lastCallCostUsd: 0.25 },
      },
    ]);
    expect([ledger.served(), ledger.knownCostUsd()]).toEqual([['m', 'n'], 0.75]);
    ledger.enterReported('agent', { ...usage, calls: 1, costUsd: null });
    expect(ledger.roles()).toMatchObject([{ calls: 4, cacheWriteTokens: 6, costUsd: null }]);
    expect([ledger.served(), ledger.knownCostUsd()]).toEqual([['m', 'n'], 0.75]);
  });

  it('counts replies that were paid and are no completions, with a result and without one', () => {
    const failed = {
      ...{ replies: 2, promptTokens: 100, completionTokens: 7, cachedTokens: 3, reasoningTokens: 1 },
      ...{ cacheWriteTokens: 4, costUsd: 0.25, knownCostUsd: 0.25 },
    };
    const ledger = new UsageLedger();
    ledger.enter('agent', output({ failedReplies: failed }));
    const [one] = ledger.roles();
    expect(one).toMatchObject({ calls: 1, costUsd: 0.75, cacheWriteTokens: 4, lastCallCostUsd: 0.5 });
    expect(one).not.toHaveProperty('knownCostUsd');
    ledger.enterFailed('agent', { ...failed, costUsd: null });
    ledger.enter('agent', output());
    expect(ledger.roles()).toMatchObject([{ calls: 2, costUsd: null, knownCostUsd: 1.5, cacheWriteTokens: 8 }]);
    expect(ledger.knownCostUsd()).toBe(1.5);
    ledger.enter('user', output());
    expect(sumUsage(ledger.roles())).toMatchObject({ costUsd: null, knownCostUsd: 2 });
  });

  it('has no cost where the calls of a role are not known', () => {
    const ledger = new UsageLedger();
    ledger.enter('agent', output());
    ledger.enterUnknown('agent');
    expect(ledger.roles()).toMatchObject([{ calls: 1, costUsd: null }]);
    expect(ledger.knownCostUsd()).toBe(0.5);
  });
});
