/** Python source for tests: evaluating a snippet, and writing values as Python literals in any of their spellings. */

import fc from 'fast-check';
import { PyFloat, isDict, isList, formatFloat, type PyValue } from '../../../src/benchmarks/python/index.ts';
import { PythonModules } from '../../../src/pack-tools/import/testing.ts';

/** The value of `x` in a file with these lines; other files by path. */
export function valueOf(text: string, others: Readonly<Record<string, string>> = {}, records?: string[]): PyValue {
  const files: Readonly<Record<string, string>> = { ...others, 'data.py': text };
  const modules = new PythonModules((path) => (Object.hasOwn(files, path) ? files[path] : undefined));
  return modules.value(modules.module('data.py'), 'x', records === undefined ? {} : { records: new Set(records) });
}

/** Any value that JSON can say, numbers of both kinds included. */
export const pyValue: fc.Arbitrary<PyValue> = fc.letrec<{ value: PyValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.bigInt(),
      fc
        .double({ noNaN: true })
        .filter(Number.isFinite)
        .map((value) => new PyFloat(value)),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...'\'"\\{}\n\r\tnxuN0a8é€😀 ') }),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.string({ unit: 'binary' }), tie('value')), { maxLength: 4 })
      .map((entries) => new Map(entries)),
  ),
})).value;

/** Decides between spellings: a choice below `n`, from a list that a test gives. */
export type Choose = (n: number) => number;

export function chooser(choices: readonly number[]): Choose {
  let at = 0;
  return (n) => (choices.length === 0 ? 0 : (choices[at++ % choices.length] ?? 0) % n);
}

/** The value as a Python expression. */
export function toPython(value: PyValue, choose: Choose): string {
  const text = plain(value, choose);
  return choose(6) === 0 ? `(${text}  # so\n)` : text;
}

function plain(value: PyValue, choose: Choose): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'bigint') return intSource(value, choose);
  if (value instanceof PyFloat) return formatFloat(value.value);
  if (typeof value === 'string') return stringSource(value, choose);
  if (isList(value)) {
    const items = value.map((item) => toPython(item, choose));
    const comma = items.length === 1 || (items.length > 0 && choose(2) === 0) ? ',' : '';
    return choose(3) === 0 ? `(${items.join(', ')}${comma})` : `[\n  ${items.join(',\n  ')}${comma}]`;
  }
  if (!isDict(value)) throw new TypeError('no such value');
  return `{${Array.from(value, ([key, item]) => `${stringSource(key, choose)}: ${toPython(item, choose)}`).join(', ')}}`;
}

function intSource(value: bigint, choose: Choose): string {
  const sign = value < 0n ? '-' : '';
  const size = value < 0n ? -value : value;
  const [prefix, base] = BASES[choose(BASES.length)] ?? BASES[0];
  const digits = size.toString(base);
  return sign + prefix + (choose(2) === 0 ? digits : digits.replace(/(.)(?=(?:...)+$)/g, '$1_'));
}

const BASES = [
  ['', 10],
  ['0x', 16],
  ['0O', 8],
  ['0b', 2],
] as const;

/** One literal, or several side by side. */
function stringSource(text: string, choose: Choose): string {
  const characters = Array.from(text);
  if (characters.length < 2 || choose(3) > 0) return literal(text, choose);
  const cut = 1 + choose(characters.length - 1);
  const parts = [characters.slice(0, cut).join(''), characters.slice(cut).join('')];
  return `(${parts.map((part) => literal(part, choose)).join('\n  ')})`;
}

function literal(text: string, choose: Choose): string {
  const quote = ["'", '"', "'''", '"""'][choose(4)] ?? "'";
  if (!/[\\'"\r\n\0]/.test(text) && choose(4) === 0)
    return `${['r', 'R', 'u', ''][choose(4)] ?? ''}${quote}${text}${quote}`;
  const formatted = choose(3) === 0;
  const body = Array.from(text, (char) => escaped(char, quote, formatted, choose)).join('');
  return `${formatted ? 'f' : ''}${quote}${body}${quote}`;
}

function escaped(char: string, quote: string, formatted: boolean, choose: Choose): string {
  const code = char.codePointAt(0) ?? 0;
  const long = `\\U${code.toString(16).padStart(8, '0')}`;
  if (formatted && (char === '{' || char === '}')) return char + char;
  if (char === '\\' || char === '\r' || char === '\0' || quote.includes(char)) return code < 128 ? octal(code) : long;
  if (char === '\n' && quote.length === 1) return '\\n';
  const spellings = [char, char, char, long, code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : char];
  if (code < 0x10000) spellings.push(`\\u${code.toString(16).padStart(4, '0')}`);
  return spellings[choose(spellings.length)] ?? char;
}

function octal(code: number): string {
  return `\\${code.toString(8).padStart(3, '0')}`;
}
