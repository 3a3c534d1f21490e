/**
 * Coverage and width of the 95 % intervals of pass^k by simulation, with the methods that were compared;
 * docs/metrics.md sums them up. Equal seeds give equal figures; 1,000 runs a cell take some minutes.
 *
 *     node --import tsx test/stats/coverage.ts 200
 */

import { Random } from '../../packages/task-generator/src/testing.ts';
import { boundedMeanInterval, bootstrapInterval, wilsonInterval } from '../../src/stats/index.ts';
import { passHatOfTask } from '../../src/stats/index.ts';

/** A share of tasks whose success rates are drawn from Beta(a, b), or all are `rate`. */
type Part = { readonly share: number } & ({ readonly rate: number } | { readonly a: number; readonly b: number });

const beta = (a: number, b: number): readonly Part[] => [{ share: 1, a, b }];
const all = (rate: number): readonly Part[] => [{ share: 1, rate }];

const POPULATIONS: Readonly<Record<string, readonly Part[]>> = {
  'Beta(0.3, 3)': beta(0.3, 3),
  'Beta(0.5, 0.5)': beta(0.5, 0.5),
  'Beta(1, 1)': beta(1, 1),
  'Beta(3, 0.3)': beta(3, 0.3),
  'Beta(2, 5)': beta(2, 5),
  'Beta(5, 2)': beta(5, 2),
  'all 0.1': all(0.1),
  'all 0.5': all(0.5),
  'all 0.9': all(0.9),
  '70 % 0, 30 % 1': [
    { share: 0.7, rate: 0 },
    { share: 0.3, rate: 1 },
  ],
  '90 % 0, 10 % 0.5': [
    { share: 0.9, rate: 0 },
    { share: 0.1, rate: 0.5 },
  ],
  '50 % 0, 50 % Beta(1, 1)': [
    { share: 0.5, rate: 0 },
    { share: 0.5, a: 1, b: 1 },
  ],
};

/** Tasks and trials. */
const SIZES = [
  [20, 1],
  [20, 4],
  [50, 2],
  [115, 4],
] as const;

type Bounds = readonly [low: number, high: number];

const METHODS: Readonly<Record<string, (values: readonly number[]) => Bounds>> = {
  'bounded mean': (values) => bounds(boundedMeanInterval(values)),
  'two tasks of 0 and two of 1 added': (values) => {
    const widened = [...values, 0, 0, 1, 1];
    const half = 1.96 * Math.sqrt(variance(widened) / widened.length);
    return [Math.max(0, mean(widened) - half), Math.min(1, mean(widened) + half)];
  },
  'Wilson, effective sample size': (values) => {
    const [m, v, tasks] = [mean(values), variance(values), values.length];
    const size = v === 0 ? tasks : Math.max(tasks, ((m * (1 - m)) / v) * (tasks - 1));
    return bounds(wilsonInterval(Math.min(m * size, size), size));
  },
  'bootstrap, BCa': (values) =>
    values.every((value) => value === values[0])
      ? bounds(wilsonInterval((values[0] ?? 0) * values.length, values.length))
      : bounds(bootstrapInterval(values, { resamples: 1000 })),
};

interface Cell {
  readonly population: string;
  readonly size: string;
  readonly method: string;
  readonly coverage: number;
  readonly width: number;
}

function simulate(runs: number): Cell[] {
  return Object.entries(POPULATIONS).flatMap(([population, parts]) =>
    SIZES.flatMap(([tasks, trials]) => {
      const random = new Random(`${population} ${String(tasks)} ${String(trials)}`);
      const drawn = Array.from({ length: runs }, () => drawRun(random, parts, tasks, trials));
      return Array.from({ length: trials }, (_, index) => index + 1).flatMap((k) =>
        Object.entries(METHODS).map(([method, interval]): Cell => {
          const known = new Map<string, Bounds>();
          const found = drawn.map((successes) => {
            const key = successes.join(' ');
            const of = known.get(key) ?? interval(successes.map((c) => passHatOfTask(c, trials, k)));
            known.set(key, of);
            return of;
          });
          const truth = passHat(parts, k);
          const held = found.filter(([low, high]) => low <= truth + 1e-12 && truth <= high + 1e-12);
          const size = `${String(tasks)} × ${String(trials)}`;
          const width = mean(found.map(([low, high]) => high - low));
          return { population, size, method, coverage: held.length / runs, width };
        }),
      );
    }),
  );
}

/** Successes of each task, ascending: their order says nothing. */
function drawRun(random: Random, parts: readonly Part[], tasks: number, trials: number): number[] {
  const successes = Array.from({ length: tasks }, () => {
    let left = random.next();
    const part = parts.find(({ share }) => (left -= share) < 0) ?? parts.at(-1);
    const rate = part === undefined ? 0 : 'rate' in part ? part.rate : drawBeta(random, part.a, part.b);
    return Array.from({ length: trials }, () => random.next() < rate).filter(Boolean).length;
  });
  return successes.sort((a, b) => a - b);
}

function drawBeta(random: Random, a: number, b: number): number {
  const [x, y] = [drawGamma(random, a), drawGamma(random, b)];
  return x / (x + y);
}

/** Marsaglia and Tsang, ACM TOMS 26, 2000. */
function drawGamma(random: Random, shape: number): number {
  if (shape < 1) return drawGamma(random, shape + 1) * random.next() ** (1 / shape);
  const d = shape - 1 / 3;
  for (;;) {
    const x = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(1 - random.next()) < x ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** The true pass^k: the mean of the k-th powers of the rates. */
function passHat(parts: readonly Part[], k: number): number {
  return parts.reduce((sum, part) => {
    if ('rate' in part) return sum + part.share * part.rate ** k;
    const { a, b } = part;
    return sum + part.share * Array.from({ length: k }, (_, j) => (a + j) / (a + b + j)).reduce((x, y) => x * y, 1);
  }, 0);
}

function bounds(interval: { readonly low: number; readonly high: number } | null): Bounds {
  return interval === null ? [0, 1] : [interval.low, interval.high];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function variance(values: readonly number[]): number {
  const m = mean(values);
  return mean(values.map((value) => (value - m) ** 2));
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

const cells = simulate(Number(process.argv[2] ?? 1000));
console.log('| method | lowest coverage | cells below 93 % | mean width |\n| --- | --- | --- | --- |');
for (const method of Object.keys(METHODS)) {
  const own = cells.filter((cell) => cell.method === method);
  const below = own.filter(({ coverage }) => coverage < 0.93).length;
  const least = Math.min(...own.map(({ coverage }) => coverage));
  const width = mean(own.map((cell) => cell.width)).toFixed(3);
  console.log(`| ${method} | ${percent(least)} % | ${String(below)} of ${String(own.length)} | ${width} |`);
}
console.log(
  '\nlowest coverage over k (%), bounded mean and bootstrap; widths of pass^1 and of the last k, bounded mean\n',
);
console.log(
  `| success rates | ${SIZES.map(([tasks, trials]) => `${String(tasks)} × ${String(trials)}`).join(' | ')} |`,
);
console.log(`| --- | ${SIZES.map(() => '---').join(' | ')} |`);
for (const population of Object.keys(POPULATIONS)) {
  const columns = SIZES.map(([tasks, trials]) => {
    const of = (method: string) =>
      cells.filter(
        (cell) =>
          cell.population === population &&
          cell.size === `${String(tasks)} × ${String(trials)}` &&
          cell.method === method,
      );
    const [own, other] = [of('bounded mean'), of('bootstrap, BCa')];
    const least = (found: readonly Cell[]) => percent(Math.min(...found.map(({ coverage }) => coverage)));
    const widths = [own[0], own.length > 1 ? own.at(-1) : undefined].flatMap((cell) => cell?.width.toFixed(2) ?? []);
    return `${least(own)} (${least(other)}); ${widths.join(', ')}`;
  });
  console.log(`| ${population} | ${columns.join(' | ')} |`);
}
