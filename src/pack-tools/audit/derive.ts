/**
 * How a figure follows from others: by counting, as a total, or as a sum, difference or product. The search is bounded,
 * and it says what it found, because among many figures some fit by chance.
 */

import type { PyValue } from '../../benchmark/python/index.ts';
import { amounts, columns, counts, toCents, totals, type Figure } from './figures.ts';

/** More figures than these make nearly any sum of two. */
const MAX_OF_TWO = 400;
/** More than these make nearly any sum of three. */
const MAX_OF_THREE = 40;
/** Something is bought a dozen times at most. */
const MAX_FACTOR = 12;

/** A figure as an output writes it, in hundredths; undefined for what is no number of at most two places. */
export function figureOf(output: string): number | undefined {
  return /^-?\d{1,12}(\.\d{1,2})?$/.test(output) ? toCents(Number(output)) : undefined;
}

/** @returns what the figure is, when it stands there in another spelling, is a count, or the total of a list */
export function listed(wanted: number, sources: readonly PyValue[]): string | undefined {
  const same = amounts(sources).find(({ cents }) => cents === wanted);
  if (same !== undefined) return `${same.text}, spelt otherwise`;
  const isCount = wanted > 0 && wanted % 100 === 0;
  const others = [...(isCount ? counts(sources) : []), ...totals(sources)];
  return others.find(({ cents }) => cents === wanted)?.text;
}

/** @returns the total over what calls of the same tool say in the same place that is the wanted figure */
export function summed(wanted: number, saidByTool: Iterable<readonly PyValue[]>): string | undefined {
  for (const said of saidByTool) {
    const column = columns(said).find(({ cents }) => cents === wanted);
    if (column !== undefined) return column.text;
  }
  return undefined;
}

/** @returns the sum or difference of two figures, or of three, that is the wanted one */
export function combined(wanted: number, sources: readonly PyValue[]): string | undefined {
  const single = amounts(sources).filter(({ cents }) => cents !== 0);
  const known = new Set(single.map(({ cents }) => cents));
  const figures = [...single, ...totals(sources).filter(({ cents }) => !known.has(cents))].slice(0, MAX_OF_TWO);
  const two = ofTwo(wanted, single.slice(0, MAX_OF_TWO)) ?? ofTwo(wanted, figures);
  if (two !== undefined) return two;
  const few = single.slice(0, MAX_OF_THREE);
  const three = ofThree(wanted, few);
  return three === undefined ? undefined : `${three}, of ${String(few.length)} figures: perhaps by chance`;
}

/** @returns a multiple of a figure that is the wanted one */
export function multiplied(wanted: number, sources: readonly PyValue[]): string | undefined {
  // A multiple of 1 is no explanation of anything.
  for (const { cents, text } of amounts(sources).filter((figure) => figure.cents > 100)) {
    const factor = wanted / cents;
    if (Number.isInteger(factor) && factor >= 2 && factor <= MAX_FACTOR) return `${String(factor)} * ${text}`;
  }
  return undefined;
}

function ofTwo(wanted: number, figures: readonly Figure[], taken?: Figure): string | undefined {
  const byCents = new Map(figures.map((figure) => [figure.cents, figure]));
  const usable = (figure: Figure | undefined, first: Figure) =>
    figure !== undefined && figure !== first && figure !== taken;
  for (const first of figures) {
    if (first === taken) continue;
    const addend = byCents.get(wanted - first.cents);
    if (addend !== undefined && usable(addend, first)) return `${first.text} + ${addend.text}`;
    const subtrahend = byCents.get(first.cents - wanted);
    if (subtrahend !== undefined && usable(subtrahend, first)) return `${first.text} - ${subtrahend.text}`;
  }
  return undefined;
}

/** All signs but three minuses: one figure comes first, and the other two add up to the rest or to what is too much. */
function ofThree(wanted: number, figures: readonly Figure[]): string | undefined {
  for (const first of figures) {
    const more = ofTwo(wanted - first.cents, figures, first);
    if (more !== undefined) return `${first.text} + ${more}`;
    const less = ofTwo(first.cents - wanted, figures, first);
    if (less !== undefined) return `${first.text} - (${less})`;
  }
  return undefined;
}
