/** The number of lines of each recording that the tests check; docs/conformance.md shows these numbers, and a test compares. */

export interface Count {
  /** Lines, cases or entries of the file. */
  readonly recorded: number;
  /** Those that are compared, and equal. */
  readonly equal: number;
}

const all = (recorded: number): Count => ({ recorded, equal: recorded });

export const COUNTS = {
  'header.json': all(2),
  'retail-test.jsonl': all(115),
  'retail-dev.jsonl': all(20),
  'retail-edge.jsonl': all(823),
  'airline-test.jsonl': all(50),
  'airline-edge.jsonl': all(592),
  'calculate.jsonl': all(1500),
  'rewards-retail.jsonl': all(1470),
  'rewards-airline.jsonl': all(807),
  'regrade-airline.jsonl': all(200),
  // The other 28 values hold tuples, sets or keys that are not texts, which no JSON text leads to.
  'python-format.jsonl': { recorded: 908, equal: 880 },
  'python-unicode.json': all(730),
  'metrics.json': all(55),
  'user-sim.jsonl': all(24),
  'agent-loop.jsonl': all(53),
} as const satisfies Readonly<Record<string, Count>>;

export type Recording = keyof typeof COUNTS;

/** Lines of `python-format.jsonl` by kind; an `int` may be a value or a text. */
export const FORMAT_COUNTS: Readonly<Record<string, number>> = {
  const: 3,
  int: 56,
  float: 67,
  'float-random-bits': 60,
  'float-random-price': 40,
  str: 67,
  nested: 28,
  'nested-random': 80,
  round2: 376,
  'round2-int': 5,
  json_loads: 59,
  lower: 20,
  strip: 14,
  'last-two': 5,
};
