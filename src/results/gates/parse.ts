/**
 * Parses the text of a gate, which names the condition under which a run fails:
 *
 * [task N: | CONDITION:] FIGURE [surely | possibly] < | <= | > | >= NUMBER task N: M of K
 *
 * Pure.
 */

import { UsageError } from '../../errors/index.ts';

/** Unit of a figure, by which bounds are checked and values formatted. */
type Unit = 'share' | 'usd' | 'count';

interface FigureKind {
  readonly unit: Unit;
  /** True if the figure is an estimate with a confidence interval. */
  readonly isEstimate: boolean;
}

/** Figures by name. A longer name comes before a name with which it begins. */
export const GATE_FIGURES = {
  'pass^k': { unit: 'share', isEstimate: true },
  reward: { unit: 'share', isEstimate: true },
  drop: { unit: 'share', isEstimate: true },
  suspects: { unit: 'share', isEstimate: true },
  steps: { unit: 'count', isEstimate: true },
  errors: { unit: 'count', isEstimate: false },
  'cost per episode': { unit: 'usd', isEstimate: true },
  'cost per success': { unit: 'usd', isEstimate: false },
  cost: { unit: 'usd', isEstimate: false },
} as const satisfies Readonly<Record<string, FigureKind>>;

export interface Gate {
  /** Text of the gate, as it was written. */
  readonly text: string;
  /** The only task that the gate covers; null: all tasks. */
  readonly task: number | null;
  /** The condition whose episodes the gate covers; null: the run's own episodes. */
  readonly condition: string | null;
  readonly figure: keyof typeof GATE_FIGURES;
  /** k of pass^k; 1 for other figures. */
  readonly k: number;
  /** Fewest trials of a task for a decision. */
  readonly trials: number;
  /**
   * - `surely`: fails if the whole confidence interval is beyond the bound.
   * - `possibly`: fails if any part of the interval is beyond the bound.
   * - null: fails if the figure itself is beyond the bound.
   */
  readonly certainty: 'surely' | 'possibly' | null;
  readonly comparison: '<' | '<=' | '>' | '>=';
  readonly bound: number;
}

const EXAMPLES = "for example 'pass^1 < 0.8' or 'task 3: 4 of 5'";

/** @throws UsageError in one sentence with the place */
export function parseGate(text: string): Gate {
  const colon = text.lastIndexOf(':');
  const scope = colon < 0 ? {} : parseScope(text, text.slice(0, colon));
  const reader = new Reader(text, colon + 1);
  const base = { text: text.trim(), task: null, condition: null, k: 1, trials: 1, certainty: null, ...scope };
  const share = reader.take(/(\d+)\s+of\s+(\d+)/y);
  if (share !== null) {
    const [solved, trials] = [Number(share[1]), Number(share[2])];
    reader.end();
    if (base.task === null) throw gateError(text, 0, `"${share[0]}" needs a task`);
    if (solved < 1 || solved > trials) throw gateError(text, colon + 1, `"${share[0]}" is no share of trials`);
    return { ...base, figure: 'pass^k', trials, comparison: '<', bound: solved / trials };
  }
  const figure = takeFigure(reader);
  const certainty = (reader.take(/(surely|possibly)(?!\w)/y)?.[1] ?? null) as Gate['certainty'];
  const comparison = reader.require(/[<>]=?/y, 'one of <, <=, > and >=')[0] as Gate['comparison'];
  const bound = takeBound(reader, figure.figure);
  reader.end();
  if (certainty !== null && !GATE_FIGURES[figure.figure].isEstimate) {
    throw gateError(
      text,
      text.indexOf(certainty, colon + 1),
      `${figure.figure} has no interval, so leave out ${certainty}`,
    );
  }
  return { ...base, ...figure, certainty, comparison, bound };
}

/**
 * Parses the gates of a command, including `--fail-under 0.8`.
 * @throws UsageError
 */
export function parseGates(failIf: readonly string[], failUnder: number | undefined): Gate[] {
  const gates = failIf.map(parseGate);
  if (failUnder === undefined) return gates;
  return [{ ...parseGate('reward < 0'), text: `--fail-under ${failUnder}`, bound: failUnder }, ...gates];
}

function parseScope(text: string, words: string): Pick<Gate, 'task'> | Pick<Gate, 'condition'> {
  const scope = words.trim();
  const task = /^task\s+(\d{1,9})$/.exec(scope)?.[1];
  if (task !== undefined) return { task: Number(task) };
  if (/^[a-z][a-z0-9:-]*$/.test(scope)) return { condition: scope.replace(':', '-') };
  throw gateError(
    text,
    text.indexOf(scope),
    `"${scope}" is neither a task, such as task 3, nor the name of a condition`,
  );
}

function takeFigure(reader: Reader): Pick<Gate, 'figure' | 'k' | 'trials'> {
  const k = Number(reader.take(/pass\^([1-9]\d{0,3})/y)?.[1] ?? 0);
  if (k > 0) return { figure: 'pass^k', k, trials: k };
  const word = reader.require(/reward|drop|suspects|steps|errors|cost(?:\s+per\s+(?:episode|success))?/y, FIGURE_NAMES);
  return { figure: word[0].replace(/\s+/g, ' ') as Gate['figure'], k: 1, trials: 1 };
}

const FIGURE_NAMES = `one of ${Object.keys(GATE_FIGURES).join(', ').replace('pass^k', 'pass^1 (any k)')}`;

function takeBound(reader: Reader, figure: Gate['figure']): number {
  const { unit } = GATE_FIGURES[figure];
  const start = reader.at;
  const found = reader.require(/(\$?)\s*(\d+(?:\.\d+)?|\.\d+)(\s*%)?/y, 'a number');
  const [words, dollar, digits, percent] = found;
  const value = Number(digits) / (percent === undefined ? 1 : 100);
  if (unit === 'share' && (value > 1 || dollar !== '')) {
    throw gateError(
      reader.text,
      start,
      `${figure} is a share, so "${words}" must be a number from 0 to 1 or a percentage`,
    );
  }
  if (unit !== 'share' && percent !== undefined)
    throw gateError(reader.text, start, `${figure} is no share, but "${words}" is`);
  if (unit === 'count' && dollar !== '') throw gateError(reader.text, start, `${figure} is no amount of money`);
  return value;
}

/** Reads a text from left to right; each pattern is tried at the current position only. */
class Reader {
  readonly text: string;
  at: number;

  constructor(text: string, start: number) {
    this.text = text;
    this.at = start;
    this.skipBlanks();
  }

  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return null;
    this.at = pattern.lastIndex;
    this.skipBlanks();
    return found;
  }

  require(pattern: RegExp, what: string): RegExpExecArray {
    const found = this.take(pattern);
    if (found === null) throw gateError(this.text, this.at, `${describeRest(this.text, this.at)} instead of ${what}`);
    return found;
  }

  end(): void {
    if (this.at < this.text.length)
      throw gateError(this.text, this.at, `${describeRest(this.text, this.at)} after the gate`);
  }

  private skipBlanks(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at += 1;
  }
}

const MOST_SHOWN = 40;

function describeRest(text: string, at: number): string {
  const rest = text.slice(at, at + MOST_SHOWN);
  return rest === '' ? 'the gate ends' : `there is "${rest}"`;
}

function gateError(text: string, at: number, problem: string): UsageError {
  const shown = text.length > 2 * MOST_SHOWN ? `${text.slice(0, 2 * MOST_SHOWN)}…` : text;
  return new UsageError(`--fail-if '${shown}', character ${Math.max(0, at) + 1}: ${problem}; write ${EXAMPLES}.`);
}
