import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PyFloat, type PyValue } from '../../../src/benchmarks/python/index.ts';
import { chooser, pyValue, toPython, valueOf } from './python.ts';

/** Python source of an expression → its value. */
const EXPRESSIONS: readonly (readonly [string, PyValue])[] = [
  ['1', 1n],
  ['-1', -1n],
  ['+ 1', 1n],
  ['- -1', 1n],
  ['1.0', new PyFloat(1)],
  ['.5e-3', new PyFloat(0.0005)],
  ['1_0.0_1E1_0', new PyFloat(10.01e10)],
  ['-0.0', new PyFloat(-0)],
  ['00', 0n],
  ['1_000_000', 1000000n],
  ['123456789012345678901234567890', 123456789012345678901234567890n],
  ['0XfF', 255n],
  ['0b_101', 5n],
  ['0o17', 15n],
  ['True', true],
  ['None', null],
  ['()', []],
  ['(1,)', [1n]],
  ['(1)', 1n],
  ['[1, (2, 3),]', [1n, [2n, 3n]]],
  ['{}', new Map()],
  ["{'b': 1, 'a': 2, 'b': 3}", new Map([['b', 3n], ['a', 2n]])], // prettier-ignore
  ["{'a': 1, **{'b': 2}}", new Map([['a', 1n], ['b', 2n]])], // prettier-ignore
  ["'it''s'", 'its'],
  [`"it's" 'so'`, "it'sso"],
  ['"""a\n"b" \\\nc"""', 'a\n"b" c'],
  ["'''it's'''", "it's"],
  [String.raw`'\t\x41\u00e9\U0001F600\101\8\'\q\\n'`, "\tAé😀A\\8'\\q\\n"],
  [String.raw`'\0\7z\777'`, '\0\x07z\u01ff'],
  [String.raw`r'\n\''`, "\\n\\'"],
  ["Rb'x' if False else u'y'", 'y'],
  ["'grün €😀'", 'grün €😀'],
  ["f'{{}}'", '{}'],
  ['f\'a{1}{2.50}{None}{[1, "b"]}\'', "a12.5None[1, 'b']"],
  ["rf'\\d{1}'", '\\d1'],
  ['f\'{"a" f"{1}"}\' \'b\'', 'a1b'],
  ["'a' + 'b' + f'c'", 'abc'],
  ['[1] + [2]', [1n, 2n]],
  ['1 + 2.5', new PyFloat(3.5)],
  ["'a' if None is None else 'b'", 'a'],
  ["'a' if 1 == 2 else 'b'", 'b'],
  ["'a' if '' is not None else 'b'", 'a'],
];

/** Python source of an expression → why it is refused. */
const REFUSED: readonly (readonly [string, string])[] = [
  ['{1, 2}', 'a set cannot be read'],
  ['[y for y in z]', 'a comprehension cannot be read'],
  ['lambda: 1', 'a lambda cannot be read'],
  ['open("secrets")', 'a call of open cannot be read'],
  ['os.environ', 'os is not a class with a value for environ'],
  ['y[0]', 'an attribute or element of something cannot be read'],
  ['y', 'y is given no value at the top level of a file'],
  ['x', 'x is defined by itself'],
  ['3j', '3j is not a number to keep'],
  ['012', '012 is not a number to keep'],
  ['1__0', '1__0 is not a number to keep'],
  ["b'a'", 'bytes are not text'],
  ["t'a'", 'this cannot be read as Python'],
  ['1.', 'this cannot be read as Python'],
  ["bu'a'", 'this cannot be read as Python'],
  [String.raw`'\N{BULLET}'`, 'a character by its name (\\N{…}) is not known here'],
  [String.raw`'\x4'`, 'the escape \\x needs 2 hexadecimal digits'],
  [String.raw`'\U00110000'`, 'there is no character 00110000'],
  ["f'{1:>3}'", 'this expression cannot be read'],
  ["f'{1!r}'", 'this expression cannot be read'],
  ["f'{1=}'", 'this expression cannot be read'],
  ["{1: 'a'}", 'a key that is not a string cannot be written as JSON'],
  ['{**[]}', 'what ** unpacks here is not a dict'],
  ['[*y]', 'elements that are unpacked with * cannot be read'],
  ["'a' * 3", 'the operator * cannot be read'],
  ["'a' + 1", 'only two strings, two lists or two numbers can be added'],
  ["-'a'", 'a sign before something that is not a number cannot be read'],
  ['not True', 'not cannot be read'],
  ['1 < 2', 'the operator < cannot be read'],
  ['Task(1)', 'Task must be called with named arguments (field=value)'],
  ['Task(a=1, a=2)', 'Task is given a twice'],
  ['Task(**y)', 'Task must be called with named arguments (field=value)'],
];

describe('evaluating Python literals', () => {
  it.each(EXPRESSIONS)('reads %s', (source, value) => {
    expect(valueOf(`x = ${source}\n`)).toEqual(value);
  });

  it.each(REFUSED)('refuses %s and says where', (source, why) => {
    expect(() => valueOf(`\n\nx = ${source}\n`, {}, ['Task'])).toThrow(`data.py:3: ${why}; only literals are read`);
  });

  it.each(['x = [', "x = 'a\n'", 'x = )', 'def x(:', "x = 'a"])('refuses what is not Python: %s', (source) => {
    expect(() => valueOf(source)).toThrow(
      /^data\.py:\d+: (this cannot be read as Python|a string without its closing quote); /,
    );
  });

  it('reads calls of known records as dicts of their arguments, in order', () => {
    const value = valueOf('x = [Task(b=1, a=Action(kwargs={}))]', {}, ['Task', 'Action']);
    expect(value).toEqual([new Map<string, PyValue>([['b', 1n], ['a', new Map([['kwargs', new Map()]])]])]); // prettier-ignore
    expect(Array.from((value as Map<string, PyValue>[])[0]?.keys() ?? [])).toEqual(['b', 'a']);
  });

  it('keeps the order of keys that look like numbers', () => {
    const value = valueOf("x = {'9': 1, '10': 2, '1': 3}") as Map<string, PyValue>;
    expect(Array.from(value.keys())).toEqual(['9', '10', '1']);
  });

  it('reads line ends of every system, and a byte order mark, as Python does', () => {
    expect(valueOf('\ufeffx = """a\r\nb\rc"""\r\n')).toBe('a\nb\nc');
  });

  it('bounds the depth of what it reads', () => {
    expect(() => valueOf(`x = ${'['.repeat(600)}${']'.repeat(600)}`)).toThrow('data.py:1: this is nested too deeply');
  });

  it('reads back any value from any of its spellings', () => {
    fc.assert(
      fc.property(pyValue, fc.array(fc.nat(99), { maxLength: 20 }), (value, choices) => {
        expect(valueOf(`x = ${toPython(value, chooser(choices))}\n`)).toEqual(value);
      }),
      { numRuns: 500 },
    );
  });
});
