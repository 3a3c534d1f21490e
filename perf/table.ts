/**
 * Figures and their table: medians, what a harness without any cost of its own would need, and functions timed
 * against each other.
 */

import { performance } from 'node:perf_hooks';

/** `ms`: time; `/s`: rate; `bytes`: size; `count`: a bare number. */
type Unit = 'ms' | '/s' | 'bytes' | 'count';

interface Quantity {
  readonly value: number;
  readonly unit: Unit;
}

interface Baseline extends Quantity {
  /** Name of the baseline: `ideal`, `deep copy`. */
  readonly what: string;
}

export interface Target {
  /** Value that must not be exceeded. */
  readonly atMost: number;
  readonly of: 'measured' | 'ratio';
}

export interface Row {
  readonly section: string;
  readonly name: string;
  /** null where it could not be measured; the note says why. */
  readonly measured: Quantity | null;
  readonly baseline?: Baseline;
  /** The goal, where there is one. */
  readonly target?: Target;
  readonly note?: string;
  /** Smallest and largest measured value, where {@link medianRows} has made one of several runs. */
  readonly spread?: readonly [least: number, most: number];
}

export const ms = (value: number): Quantity => ({ value, unit: 'ms' });
export const bytes = (value: number): Quantity => ({ value, unit: 'bytes' });
export const count = (value: number): Quantity => ({ value, unit: 'count' });
export const perSecond = (value: number): Quantity => ({ value, unit: '/s' });

/**
 * Makes one table of several runs': the median of each row's figures, with the spread of what was measured. A row that is
 * missing from a run, or could not be measured there, is the median of the others.
 */
export function medianRows(runs: readonly (readonly Row[])[]): Row[] {
  if (runs.length === 1) return [...(runs[0] ?? [])];
  const same = new Map<string, Row[]>();
  for (const row of runs.flat()) {
    const name = `${row.section}\0${row.name}`;
    same.set(name, [...(same.get(name) ?? []), row]);
  }
  return [...same.values()].flatMap((rows) => {
    const first = rows.find(({ measured }) => measured !== null) ?? rows[0];
    if (first === undefined) return [];
    if (first.measured === null) return [first];
    const figures = rows.flatMap(({ measured }) => measured?.value ?? []);
    const row: Row = {
      ...first,
      measured: { ...first.measured, value: median(figures) },
      spread: [Math.min(...figures), Math.max(...figures)],
    };
    if (first.baseline === undefined) return [row];
    const held = median(rows.flatMap(({ baseline }) => baseline?.value ?? []));
    return [{ ...row, baseline: { ...first.baseline, value: held } }];
  });
}

/** measured / baseline; null without a baseline, or with one of 0. */
export function toRatio({ measured, baseline }: Row): number | null {
  if (measured === null || baseline === undefined || baseline.value === 0) return null;
  return measured.value / baseline.value;
}

/** Returns true if the row is within its target; null where there is nothing to compare. */
export function isWithinTarget(row: Row): boolean | null {
  if (row.target === undefined) return null;
  const value = row.target.of === 'ratio' ? toRatio(row) : (row.measured?.value ?? null);
  return value === null ? null : value <= row.target.atMost;
}

/** Three significant digits, in the largest unit that leaves at least 1: `48.2 s`, `0.61 µs`, `2.4 MB`. */
export function formatQuantity({ value, unit }: Quantity): string {
  switch (unit) {
    case 'ms':
      return scaled(value * 1e6, 'ns', [1e3, 'µs'], [1e6, 'ms'], [1e9, 's']);
    case 'bytes':
      return scaled(value, 'B', [1e3, 'kB'], [1e6, 'MB'], [1e9, 'GB']);
    case '/s':
      return `${significant(value)}/s`;
    case 'count':
      return significant(value);
  }
}

function scaled(value: number, smallest: string, ...units: (readonly [factor: number, name: string])[]): string {
  const [factor, name] = units.findLast(([size]) => Math.abs(value) >= size) ?? [1, smallest];
  return `${significant(value / factor)} ${name}`;
}

function significant(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 1000) return groups(Math.round(value));
  return value.toPrecision(3);
}

function groups(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1.04×`; small ones as a fraction that can be read: `1/578,000`. */
function formatRatio(ratio: number): string {
  if (ratio > 0 && ratio < 0.01) return `1/${groups(Number((1 / ratio).toPrecision(3)))}`;
  return `${significant(ratio)}×`;
}

function formatTarget(row: Row): string {
  const { target, measured } = row;
  if (target === undefined || measured === null) return '';
  const limit =
    target.of === 'ratio' ? formatRatio(target.atMost) : formatQuantity({ ...measured, value: target.atMost });
  const isWithin = isWithinTarget(row);
  return `≤ ${limit}${isWithin === null ? '' : isWithin ? ' ok' : ' OVER'}`;
}

function remarks({ spread, measured, note }: Row): string {
  const range = measured === null ? [] : (spread ?? []).map((value) => formatQuantity({ ...measured, value }));
  return [range.join(' to '), note ?? ''].filter((text) => text !== '').join('; ');
}

const HEADINGS = ['', 'measured', 'held against', 'ratio', 'target'] as const;

/** One aligned table; a section's name is above its rows. */
export function formatTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => {
    const ratio = toRatio(row);
    return [
      `  ${row.name}`,
      row.measured === null ? '–' : formatQuantity(row.measured),
      row.baseline === undefined ? '' : `${row.baseline.what} ${formatQuantity(row.baseline)}`,
      ratio === null ? '' : formatRatio(ratio),
      formatTarget(row),
    ];
  });
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...cells.map((line) => (line[column] ?? '').length)),
  );
  const formatLine = (line: readonly string[], note = '') =>
    [...line.map((cell, column) => pad(cell, widths[column] ?? 0, column)), note].join('  ').trimEnd();
  const lines = [formatLine(HEADINGS)];
  let section = '';
  rows.forEach((row, at) => {
    if (row.section !== section) lines.push('', (section = row.section));
    lines.push(formatLine(cells[at] ?? [], remarks(row)));
  });
  return lines.join('\n');
}

/** Figures and ratios stand to the right of their column. */
function pad(cell: string, width: number, column: number): string {
  return column === 1 || column === 3 ? cell.padStart(width) : cell.padEnd(width);
}

/** A row as `--json` prints it: figures in the unit's base (milliseconds, bytes), never rounded. */
export function rowToJson(row: Row): object {
  const { section, name, measured, baseline, target, note, spread } = row;
  return {
    section,
    name,
    measured: measured?.value ?? null,
    unit: measured?.unit ?? null,
    baseline: baseline === undefined ? null : { what: baseline.what, value: baseline.value },
    ratio: toRatio(row),
    target: target ?? null,
    within_target: isWithinTarget(row),
    note: note ?? null,
    ...(spread === undefined ? {} : { spread }),
  };
}

/** @throws RangeError for an empty list */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('the median of nothing');
  return (lower + upper) / 2;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

/**
 * The least wall time of episodes whose model calls come one after another: the sum of all latencies over the
 * concurrency, and at least the longest episode's own chain.
 * @param chainsMs per episode, the sum of its model latencies
 */
export function idealWallMs(chainsMs: readonly number[], concurrency: number): number {
  if (!(concurrency >= 1)) throw new RangeError(`a concurrency of ${concurrency}`);
  return Math.max(sum(chainsMs) / concurrency, ...chainsMs, 0);
}

/** The wall time when episodes are opened in the given order, each as soon as a place is free, at no other cost. */
export function inOrderWallMs(chainsMs: readonly number[], concurrency: number): number {
  if (!(concurrency >= 1)) throw new RangeError(`a concurrency of ${concurrency}`);
  const freeAt = new Array<number>(Math.floor(concurrency)).fill(0);
  for (const chain of chainsMs) {
    const first = freeAt.indexOf(Math.min(...freeAt));
    freeAt[first] = (freeAt[first] ?? 0) + chain;
  }
  return Math.max(...freeAt);
}

/** Times functions against each other: in turns, so that a busy moment of the machine meets all of them. */
interface Contender {
  /** Does the work once; what it returns is kept from being optimised away. */
  readonly run: () => unknown;
  /** Units of work of one run. @default 1 */
  readonly units?: number;
}

/** A round of one contender lasts at least this long, where a single run does not last longer. */
const ROUND_MS = 25;

/** @returns milliseconds per unit of work, the median of the rounds, by contender */
export function race<Name extends string>(contenders: Record<Name, Contender>, rounds: number): Record<Name, number> {
  const names = Object.keys(contenders) as Name[];
  const runs = new Map(names.map((name) => [name, runsPerRound(contenders[name])]));
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const repeat = runs.get(name) ?? 1;
      times.get(name)?.push(measureTime(contenders[name], repeat) / (repeat * (contenders[name].units ?? 1)));
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<Name, number>;
}

/** Warms the function up as well. */
function runsPerRound(contender: Contender): number {
  let repeat = 1;
  for (;;) {
    const took = measureTime(contender, repeat);
    if (took >= ROUND_MS) return repeat;
    repeat = Math.max(repeat * 2, Math.ceil((repeat * ROUND_MS) / Math.max(took, 0.1) / 4));
  }
}

/** Keeps results, so that the work is not optimized away. */
const sink: { last?: unknown } = {};

function measureTime({ run }: Contender, repeat: number): number {
  const start = performance.now();
  for (let i = 0; i < repeat; i++) sink.last = run();
  return performance.now() - start;
}
