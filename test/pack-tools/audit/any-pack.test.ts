import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, dumpJson, isDict, type PyDict } from '../../../src/benchmarks/python/index.ts';
import { getDomain, type Action, type Task } from '../../../src/benchmarks/index.ts';
import { auditPack } from '../../../src/pack-tools/audit/index.ts';
import { airline, dict, shop } from './shop.ts';

const WORDS = [
  'ada_lind_6606',
  '#W6000001',
  '8000000001',
  'no longer needed',
  'credit_card_6606',
  'XX1',
  '2024-05-01',
  '10',
];

const word = fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 6 }));

/** Anything that JSON can say, as the arguments of a call of any tool. */
const kwargs = (domain: string, name: string): fc.Arbitrary<PyDict> => {
  const parameters = getDomain(domain).tools.get(name)?.parameters ?? ['x'];
  const value = fc.oneof(
    { weight: 4, arbitrary: word },
    fc.array(word, { maxLength: 2 }),
    fc.jsonValue({ maxDepth: 2 }),
  );
  return fc
    .tuple(fc.tuple(...parameters.map(() => value)), fc.boolean())
    .map(([values, whole]) =>
      dict(Object.fromEntries(parameters.slice(whole ? 0 : 1).map((key, at) => [key, values[at]]))),
    );
};

const anyAction = (domain: string): fc.Arbitrary<Action> =>
  fc
    .constantFrom(...getDomain(domain).tools.keys(), 'respond', 'juggle')
    .chain((name) => kwargs(domain, name).map((given) => ({ name, kwargs: given })));

const anyTask = (domain: string): fc.Arbitrary<Task> =>
  fc.record({
    userId: word,
    instruction: fc.array(word, { maxLength: 5 }).map((words) => words.join(' ')),
    actions: fc.array(anyAction(domain), { maxLength: 8 }),
    outputs: fc.array(fc.oneof(word, fc.constantFrom('10', '1,0', '', '0.5', '-3')), { maxLength: 3 }),
  });

const PACKS = { retail: shop, airline } as const;

describe.each(['retail', 'airline'] as const)('auditing any %s tasks', (domain) => {
  const splits = fc.record({
    test: fc.array(anyTask(domain), { minLength: 1, maxLength: 4 }),
    dev: fc.array(anyTask(domain), { minLength: 1, maxLength: 2 }),
  });

  it('never throws, says the same when asked again, and leaves the pack as it was', () => {
    fc.assert(
      fc.property(splits, (tasks) => {
        const pack = PACKS[domain](tasks);
        const before = dumpJson(pack.tables);
        const report = auditPack(pack);
        expect(auditPack(pack)).toEqual(report);
        expect(dumpJson(pack.tables)).toBe(before);
        expect(isDict(parseJson(JSON.stringify(report)))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('reports only tasks that are there, and counts its findings', () => {
    fc.assert(
      fc.property(splits, (tasks) => {
        const report = auditPack(PACKS[domain](tasks));
        for (const { split, task, text } of report?.findings ?? []) {
          expect(tasks[split as keyof typeof tasks][task]).toBeDefined();
          expect(text).toMatch(/\.$/);
        }
        const { wrong = 0, suspicious = 0, remark = 0 } = report?.counts ?? {};
        expect(wrong + suspicious + remark).toBe(report?.findings.length);
        for (const { doNothing, unchanged } of report?.splits ?? []) {
          expect(unchanged).toEqual(expect.arrayContaining([...doNothing]));
        }
      }),
      { numRuns: 40 },
    );
  });
});
