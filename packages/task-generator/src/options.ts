/**
 * Numbers of a pack to generate: the command's options, their bounds and defaults; and the interface of a domain's
 * generator.
 */

import { PACK_NAME, PackError, listWords } from '../../../src/benchmarks/packs/index.ts';

export const DIFFICULTIES = ['easy', 'medium', 'hard'] as const;
export type Difficulty = (typeof DIFFICULTIES)[number];

export const DEFAULT_DIFFICULTY: Difficulty = 'medium';

export interface Level {
  readonly difficulty: Difficulty;
  /** Chance that an order or a reservation is named by its number although it could be described, in [0, 1]. */
  readonly byNumber: number;
  /** Chance that it is named by a comparison where one fits: `the cheaper of your two pending orders`. */
  readonly comparison: number;
  /** Average number of orders or reservations of a customer; most only make the right one harder to find. */
  readonly crowd: number;
  /** Chance of a second goal of the same customer. */
  readonly secondGoal: number;
  /** Chance of a third goal after a second. */
  readonly thirdGoal: number;
  /** Chance that the customer first asks for something else. */
  readonly changeOfMind: number;
}

export const LEVELS: Readonly<Record<Difficulty, Level>> = {
  easy: {
    difficulty: 'easy',
    byNumber: 1,
    comparison: 0,
    crowd: 1.5,
    secondGoal: 0,
    thirdGoal: 0,
    changeOfMind: 0,
  },
  medium: {
    difficulty: 'medium',
    byNumber: 0.45,
    comparison: 0,
    crowd: 2.5,
    secondGoal: 0,
    thirdGoal: 0,
    changeOfMind: 0,
  },
  hard: {
    difficulty: 'hard',
    byNumber: 0.1,
    comparison: 0.6,
    crowd: 4,
    secondGoal: 0.65,
    thirdGoal: 0.3,
    changeOfMind: 0.3,
  },
};

/** Seed of the shipped packs. */
const DEFAULT_SEED = 1;
/** Domain of the pack when none is named. */
export const DEFAULT_ENV = 'retail';

/** Sizes of some domains only. */
interface Sizes {
  /** Retail: at most five a customer. @default two and a half a customer, fewer in easy packs, more in hard ones */
  readonly orders?: number;
  /** Retail. @default 14 */
  readonly productTypes?: number;
  /** Airline: at most six a customer. @default as for orders */
  readonly reservations?: number;
  /** Airline: flight numbers, each flown every day. @default 60, more for many customers, at most 300 */
  readonly flights?: number;
}

export type SizeName = keyof Sizes;

export interface GenerateOptions extends Sizes {
  /** @default retail */
  readonly env?: string;
  /** Equal seeds, sizes and difficulties give equal packs. @default 1 */
  readonly seed?: number;
  /** Tasks of the `test` split. @default 40 for retail, 50 for the airline */
  readonly tasks?: number;
  /** Tasks of the `dev` split. @default 8 */
  readonly devTasks?: number;
  /** @default the domain's number, or three per four tasks if that is more */
  readonly customers?: number;
  /** @default medium */
  readonly difficulty?: Difficulty;
  /** @default the name of the domain's shipped pack, with what differs from it */
  readonly name?: string;
}

/** Settings of every domain. */
export interface GenerateSettings {
  readonly env: string;
  readonly seed: number;
  readonly tasks: number;
  readonly devTasks: number;
  readonly customers: number;
  readonly level: Level;
  readonly name: string;
}

/** A domain's limits and defaults. */
export interface OptionRules {
  readonly env: string;
  /** Name of the shipped pack. */
  readonly name: string;
  readonly fewestCustomers: number;
  readonly defaultCustomers: number;
  readonly defaultTasks: number;
  readonly sizes: readonly SizeName[];
}

const ALL_SIZES: readonly SizeName[] = ['orders', 'productTypes', 'reservations', 'flights'];

/** Fills the defaults in. @throws PackError for sizes that no pack can have */
export function settle(options: GenerateOptions, rules: OptionRules): GenerateSettings {
  for (const size of ALL_SIZES) {
    if (options[size] !== undefined && !rules.sizes.includes(size)) {
      throw new PackError(`the domain ${rules.env} has no ${spoken(size)}; leave ${formatFlag(size)} out.`);
    }
  }
  const seed = whole('the seed', options.seed ?? DEFAULT_SEED, 0, Number.MAX_SAFE_INTEGER);
  const tasks = whole('the number of tasks', options.tasks ?? rules.defaultTasks, 1, 50_000);
  const devTasks = whole('the number of dev tasks', options.devTasks ?? 8, 1, 50_000);
  const customers = whole(
    'the number of customers',
    options.customers ?? Math.max(rules.defaultCustomers, Math.ceil((tasks + devTasks) * 0.75)),
    rules.fewestCustomers,
    100_000,
  );
  const difficulty = options.difficulty ?? DEFAULT_DIFFICULTY;
  if (!DIFFICULTIES.includes(difficulty)) {
    throw new PackError(
      `there is no difficulty ${JSON.stringify(difficulty)}; there are ${listWords(DIFFICULTIES, 'and')}.`,
    );
  }
  const own = difficulty === DEFAULT_DIFFICULTY ? [] : [difficulty];
  const name = options.name ?? [rules.name, ...own, ...(seed === DEFAULT_SEED ? [] : [String(seed)])].join('-');
  if (!PACK_NAME.test(name)) {
    throw new PackError(`${JSON.stringify(name)} is not a pack's name: letters, digits, ".", "_" and "-" only.`);
  }
  return { env: rules.env, seed, tasks, devTasks, customers, level: LEVELS[difficulty], name };
}

/** Checks for a whole number within bounds. @throws PackError */
export function whole(what: string, value: number, min: number, max: number): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw new PackError(`${what} must be whole and from ${String(min)} to ${String(max)}, not ${String(value)}.`);
}

/** `--product-types`. */
export function formatFlag(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function spoken(size: SizeName): string {
  return size === 'productTypes' ? 'product types' : size;
}
