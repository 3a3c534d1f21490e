import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { binomial, passHatK } from '../../../src/results/metrics/pass-hat-k.ts';
import { checkRow, type RowSize } from '../../../src/results/pass-row/check.ts';
import { readFigures } from '../../../src/results/pass-row/figures.ts';

const NOT_KNOWN: RowSize = { trials: null, tasks: null };

const check = (text: string, size: Partial<RowSize> = {}) => checkRow(readFigures(text), { ...NOT_KNOWN, ...size });

/** Successes of each task, and the trials of all. */
const data = fc.integer({ min: 1, max: 7 }).chain((trials) =>
  fc.record({
    trials: fc.constant(trials),
    successes: fc.array(fc.integer({ min: 0, max: trials }), { minLength: 1, maxLength: 130 }),
  }),
);

function rowOf(successes: readonly number[], trials: number): number[] {
  const rewards = successes.flatMap((c, taskId) =>
    Array.from({ length: trials }, (_, trial) => ({ taskId, trial, reward: trial < c ? 1 : 0 })),
  );
  return passHatK(rewards).map(({ value }) => value);
}

/** Successes of every task, in every way. */
function allSuccesses(tasks: number, trials: number): number[][] {
  if (tasks === 0) return [[]];
  const others = allSuccesses(tasks - 1, trials);
  return Array.from({ length: trials + 1 }, (_, c) => others.map((successes) => [c, ...successes])).flat();
}

const cutOff = (value: number) => (Math.floor(value * 1000 + 1e-9) / 1000).toFixed(3);

describe('a row that data give', () => {
  it('is never rejected: rounded, cut off, in percent, in full, and with fewer figures than trials', () => {
    fc.assert(
      fc.property(data, fc.integer({ min: 1, max: 7 }), ({ trials, successes }, most) => {
        const row = rowOf(successes, trials).slice(0, most);
        const texts = [
          row.map((value) => value.toFixed(3)),
          row.map(cutOff),
          row.map((value) => `${(100 * value).toFixed(2)} %`),
          row.map(String),
        ].map((figures) => figures.join(' '));
        const sizes = [NOT_KNOWN, { trials, tasks: null }, { trials, tasks: successes.length }];
        for (const text of texts.filter((figures) => !figures.includes('e'))) {
          for (const size of sizes) expect([text, check(text, size).possible]).toEqual([text, true]);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('has an example that gives it again', () => {
    fc.assert(
      fc.property(data, ({ trials, successes }) => {
        const row = rowOf(successes, trials);
        const verdict = check(row.map((value) => value.toFixed(3)).join(' '), { trials, tasks: successes.length });
        if (!verdict.possible) throw new Error(verdict.sentence);
        const { counted, parts } = verdict.example;
        expect(counted).toBe(true);
        const again = rowOf(
          parts.flatMap(({ successes: c, amount }) => new Array<number>(Math.round(amount)).fill(c)),
          trials,
        );
        expect(parts.reduce((sum, { amount }) => sum + amount, 0)).toBe(successes.length);
        again.forEach((value, index) => expect(Math.abs(value - (row[index] ?? NaN))).toBeLessThan(0.0011));
      }),
      { numRuns: 100 },
    );
  });

  // tau-bench's README. Its claude rows are no multiples of 1/460 or 1/200: they come from more trials than four.
  it.each([
    ['TC claude-3-5-sonnet-20241022, retail', '.692 .576 .509 .462', 115, null],
    ['TC claude-3-5-sonnet-20240620, retail', '.626 .506 .435 .387', 115, null],
    ['TC gpt-4o, retail', '.604 .491 .430 .383', 115, 4],
    ['TC claude-3-5-sonnet-20241022, airline', '.460 .326 .263 .225', 50, null],
    ['TC gpt-4o, airline', '.420 .273 .220 .200', 50, 4],
    ['TC claude-3-5-sonnet-20240620, airline', '.360 .224 .169 .139', 50, null],
    ['TC gpt-4o-mini, airline', '.225 .140 .110 .100', 50, 4],
    ['Act gpt-4o, airline', '.365 .217 .160 .140', 50, 4],
    ['ReAct gpt-4o, airline', '.325 .233 .185 .160', 50, 4],
  ])('%s', (_, row, tasks, trials) => {
    expect(check(row)).toMatchObject({ possible: true });
    expect(check(row, { tasks, trials })).toMatchObject({ possible: true, example: { counted: true } });
    expect(check(row, { tasks, trials: 4 }).possible).toBe(trials === 4);
  });
});

describe('a row that no data give', () => {
  // From the definition with three trials: the share of tasks with three successes is p3 = 0.53, with exactly two
  // 3·(p2 − p3) = 3·0.184 = 0.552; these alone make p1 at least 0.53 + 2/3·0.552 = 0.898.
  it.each([
    ['0.8347 0.714 0.53', {}, 'not 0.8347', '0.898'],
    ['83.47/71.40/53.00', {}, 'not 83.47 %', '89.8 %'],
    ['83.47/71.40/53.00', { trials: 3, tasks: 115 }, 'not 83.47 %', '89.8 %'],
  ])('is FastWorkflow’s for retail: %s', (text, size, not, least) => {
    const verdict = check(text, size);
    expect(verdict.possible).toBe(false);
    expect(verdict.sentence).toContain(
      `it needs 53 % of tasks with three successes beside 55.2 % with exactly two, 108.2 % together, ` +
        `which make pass^1 at least ${least}, ${not}`,
    );
  });

  it('is FastWorkflow’s for airline', () => {
    expect(check('78 67 52').sentence).toMatch(/^impossible: it needs 52 % of tasks with three .* at least 82\.0 %/);
  });

  it('rises with k, by however little', () => {
    const rising = fc
      .tuple(fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 2, maxLength: 6 }), fc.nat(5))
      .map(([row, at]) => {
        const index = 1 + (at % (row.length - 1));
        return row.map((value, i) => (i === index ? Math.min(1000, (row[i - 1] ?? 0) + 1) : value));
      })
      .filter((row) => row.some((value, i) => value > (row[i - 1] ?? 1000)));
    fc.assert(
      fc.property(rising, (row) => {
        expect(check(row.map((value) => (value / 1000).toFixed(3)).join(' '))).toMatchObject({
          possible: false,
          sentence: expect.stringContaining('never rises with k') as string,
        });
      }),
    );
  });

  it('is told with the nearest one, which is possible', () => {
    const figures = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 2, maxLength: 5 });
    let rejected = 0;
    fc.assert(
      fc.property(figures, (given) => {
        const row = given.sort((a, b) => b - a).map((value) => (value / 1000).toFixed(3));
        const verdict = check(row.join(' '));
        if (verdict.possible) return;
        rejected += 1;
        const nearest = (verdict.nearest ?? []).map((value) => value.toFixed(5));
        expect(nearest).toHaveLength(row.length);
        expect(nearest).not.toEqual(row);
        expect(check(nearest.join(' ')).possible).toBe(true);
      }),
    );
    expect(rejected).toBeGreaterThan(10);
  });

  // With two trials p2 of the tasks have two successes and 2·(p1 − p2) exactly one, so 2·p1 − p2 is 1 at most. Here it is
  // 1.4, and to move p1 down and p2 up by 0.4/3 mends it.
  it('needs more tasks than there are', () => {
    expect(check('0.800 0.200').sentence).toBe(
      'impossible: it needs 20 % of tasks with two successes beside 120 % with exactly one, 140 % together; ' +
        'the nearest row that data can give is about 0.667 / 0.333',
    );
  });

  it('is possible with three trials, and not with four, where four leave no room for it', () => {
    // Half of the tasks with one success of three: no task with c of four successes has pass^1 below 1/2 and pass^2 of 0
    // but those with c ≤ 1, and they make pass^1 at most 1/4.
    expect(check('0.333 0.000', { trials: 3 }).possible).toBe(true);
    expect(check('0.333 0.000', { trials: 4 })).toMatchObject({
      possible: false,
      sentence: expect.stringMatching(/^impossible with four trials a task: no shares of tasks/) as string,
    });
  });

  it('is no whole number of episodes', () => {
    // 0.5 · 3 = 1.5
    expect(check('0.500', { tasks: 3, trials: 1 })).toEqual({
      possible: false,
      sentence:
        'impossible over 3 tasks with one trial each: pass^1 is a whole number of 3 episodes, ' +
        'and 0.500 lies between 1 (0.3333) and 2 (0.6667)',
      nearest: null,
    });
  });

  // Two tasks with three trials and three successes: 3 + 0 have three pairs of successes of six, 2 + 1 have one.
  it('has figures that can all be had, but not together', () => {
    const size = { tasks: 2, trials: 3 };
    expect([check('0.500 0.500', size).possible, check('0.500 0.167', size).possible]).toEqual([true, true]);
    expect(check('0.500 0.333', size)).toMatchObject({
      possible: false,
      sentence: expect.stringContaining('no numbers of tasks give all of them together') as string,
    });
  });
});

describe('few tasks, trials and figures', () => {
  const sizes = fc.record({ tasks: fc.integer({ min: 1, max: 4 }), trials: fc.integer({ min: 1, max: 4 }) });

  it('are possible exactly where a way through all data finds them', () => {
    let [found, missing] = [0, 0];
    const cases = sizes.chain((size) =>
      fc.tuple(fc.constant(size), fc.array(fc.nat(24), { minLength: 1, maxLength: size.trials })),
    );
    fc.assert(
      fc.property(cases, ([{ tasks, trials }, counts]) => {
        const most = counts.length;
        const printed = (successes: readonly number[]) =>
          rowOf(successes, trials)
            .slice(0, most)
            .map((value) => value.toFixed(3))
            .join(' ');
        const all = new Set(allSuccesses(tasks, trials).map(printed));
        // Rows of multiples that a single figure can have.
        const row = counts.map((count, i) => {
          const whole = tasks * Number(binomial(trials, i + 1));
          return ((count % (whole + 1)) / whole).toFixed(3);
        });
        const isThere = all.has(row.join(' '));
        if (isThere) found += 1;
        else missing += 1;
        expect([row, check(row.join(' '), { tasks, trials }).possible]).toEqual([row, isThere]);
      }),
      { numRuns: 400 },
    );
    expect(Math.min(found, missing)).toBeGreaterThan(20);
  });
});

describe('a row over many tasks', () => {
  it('says what number of trials it takes', () => {
    expect(check('.692 .576 .509 .462', { tasks: 115 }).sentence).toMatch(
      /^possible, for instance with five trials a task: \d+ tasks with five successes, .*; 115 tasks do not give it with fewer trials$/,
    );
  });

  it('says where none was found', () => {
    // One task: pass^1 of 0.301 needs a fraction of at most 8 trials within 0.001.
    expect(check('0.301', { tasks: 1 }).sentence).toMatch(
      /; no numbers of 1 tasks were found that give it with 1 to 8 trials$/,
    );
  });

  it('says where whole numbers were not gone through', () => {
    expect(check('0.8 0.7', { tasks: 115, trials: 40 })).toMatchObject({
      possible: true,
      example: { counted: false },
      sentence: expect.stringMatching(/; whether whole numbers of tasks can was not gone through$/) as string,
    });
  });

  it('has at least as many trials as figures', () => {
    expect(() => check('0.8 0.7', { trials: 1 })).toThrow(RangeError);
  });
});
