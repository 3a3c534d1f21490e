/** The rows that the benchmark prints: a measured figure, what it is held against in the same run, and their ratio. */

/** `ms`: time; `/s`: rate; `bytes`: size; `count`: a bare number. */
type Unit = 'ms' | '/s' | 'bytes' | 'count';

export interface Quantity {
  readonly value: number;
  readonly unit: Unit;
}

interface Baseline extends Quantity {
  /** Name of the baseline: `ideal`, `deep copy`. */
  readonly what: string;
}

interface Target {
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
  /** The budget of the design, where it has one. */
  readonly target?: Target;
  readonly note?: string;
}

export const ms = (value: number): Quantity => ({ value, unit: 'ms' });
export const bytes = (value: number): Quantity => ({ value, unit: 'bytes' });
export const count = (value: number): Quantity => ({ value, unit: 'count' });
export const perSecond = (value: number): Quantity => ({ value, unit: '/s' });

/** measured / baseline; null without a baseline, or with one of 0. */
export function ratioOf({ measured, baseline }: Row): number | null {
  if (measured === null || baseline === undefined || baseline.value === 0) return null;
  return measured.value / baseline.value;
}

/** Returns true if the row is within its target; null where there is nothing to compare. */
export function isWithinTarget(row: Row): boolean | null {
  if (row.target === undefined) return null;
  const value = row.target.of === 'ratio' ? ratioOf(row) : (row.measured?.value ?? null);
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

const HEADINGS = ['', 'measured', 'held against', 'ratio', 'target'] as const;

/** One aligned table; a section's name is above its rows. */
export function formatTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => {
    const ratio = ratioOf(row);
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
  const lineOf = (line: readonly string[], note = '') =>
    [...line.map((cell, column) => pad(cell, widths[column] ?? 0, column)), note].join('  ').trimEnd();
  const lines = [lineOf(HEADINGS)];
  let section = '';
  rows.forEach((row, at) => {
    if (row.section !== section) lines.push('', (section = row.section));
    lines.push(lineOf(cells[at] ?? [], row.note));
  });
  return lines.join('\n');
}

/** Figures and ratios stand to the right of their column. */
function pad(cell: string, width: number, column: number): string {
  return column === 1 || column === 3 ? cell.padStart(width) : cell.padEnd(width);
}

/** A row as `--json` prints it: figures in the unit's base (milliseconds, bytes), never rounded. */
export function rowToJson(row: Row): object {
  const { section, name, measured, baseline, target, note } = row;
  return {
    section,
    name,
    measured: measured?.value ?? null,
    unit: measured?.unit ?? null,
    baseline: baseline === undefined ? null : { what: baseline.what, value: baseline.value },
    ratio: ratioOf(row),
    target: target ?? null,
    within_target: isWithinTarget(row),
    note: note ?? null,
  };
}
