import { describe, expect, it } from 'vitest';
import { findMethod, parameterDefault, returnValue, PythonModules } from '../../../src/pack-tools/import/testing.ts';
import type { PyValue } from '../../../src/benchmarks/python/index.ts';
import { valueOf } from './python.ts';

/** The result of the function or method `f` of the text with these arguments. */
function returned(text: string, given: Readonly<Record<string, PyValue>> = {}): PyValue {
  const modules = new PythonModules((path) => (path === 'data.py' ? text : undefined));
  const module = modules.module('data.py');
  const definition = findMethod(module, 'C', 'f') ?? module.functionNamed('f');
  if (definition === undefined) throw new Error('no f');
  return returnValue(modules, module, definition, { given: new Map(Object.entries(given)) });
}

describe('values of names', () => {
  it('takes the last assignment, annotated or several at once', () => {
    expect(valueOf('x = 1\nx: int = 2\n')).toBe(2n);
    expect(valueOf('y = x = 3; z = 4')).toBe(3n);
  });

  it('follows names and imports, relative ones and renamed ones too', () => {
    const files = { 'a/b/__init__.py': 'from .c import one as two\n', 'a/b/c.py': 'base = [1]\none = base + [2]\n' };
    expect(valueOf('from a.b import (\n  two as three,\n)\nx = three\n', files)).toEqual([1n, 2n]);
    expect(valueOf('from a.b import two as x', files)).toEqual([1n, 2n]);
  });

  it('reads attributes of classes', () => {
    expect(valueOf("class A:\n    b = 'c'\n\nx = A.b\n")).toBe('c');
  });

  it.each([
    ['from a import b\nx = b', 'data.py:2: b comes from a, which is not in the checkout'],
    ['import a\nx = a', 'data.py:2: a is given no value at the top level of a file'],
    ['if y:\n    x = 1', 'data.py:1: x is given no value at the top level of a file'],
    ['x, y = 1, 2', 'data.py:1: x is given no value at the top level of a file'],
    ['x = y\ny = x', 'data.py:2: x is defined by itself'],
  ])('refuses %j', (text, why) => {
    expect(() => valueOf(text)).toThrow(why);
  });

  it.each([
    'x = []\nx.append(1)',
    'x = []\nx += [1]',
    'x = {}\nx["a"] = 1',
    'x = []\nfor y in x:\n    y.z = 1',
    'x = []\nif True:\n    x = [1]',
    'x = []\ndel x',
  ])('refuses what may have been changed after it was assigned: %j', (text) => {
    expect(() => valueOf(text)).toThrow(/^data\.py:\d: x may be changed here after it was assigned; /);
  });

  it('knows that assertions, and functions that are only defined, change nothing', () => {
    expect(valueOf('x = [1]\nassert x\nfor y in x:\n    assert y\ndef f():\n    x.append(2)\n')).toEqual([1n]);
  });
});

describe('what functions return', () => {
  it('looks for a method once in classes that inherit from each other', () => {
    const text = 'class C(D):\n    pass\n\nclass D(C):\n    pass\n\ndef f():\n    return 1\n';
    expect(returned(text)).toBe(1n);
  });

  it('follows local names, conditions and given parameters', () => {
    const text = [
      'def f(name):',
      '    """What it does."""',
      '    greeting = "Hi"',
      '    if name is None:',
      '        return greeting',
      '    elif name == "you":',
      '        greeting = "Oh"',
      '    else:',
      '        pass',
      '    return f"{greeting}, {name}!"',
    ].join('\n');
    expect(returned(text, { name: null })).toBe('Hi');
    expect(returned(text, { name: 'you' })).toBe('Oh, you!');
    expect(returned(text, { name: 'Ida' })).toBe('Hi, Ida!');
  });

  it('finds methods in the class and in its bases', () => {
    expect(returned('class B:\n    @staticmethod\n    def f():\n        return 1\n\nclass C(B):\n    pass\n')).toBe(1n);
  });

  it.each([
    ['def f():\n    open("x")\n    return 1', 'data.py:2: this statement cannot be followed'],
    ['def f():\n    for x in y:\n        return 1', 'data.py:2: this statement cannot be followed'],
    ['def f():\n    self.x = 1\n    return 1', 'data.py:2: this assignment cannot be followed'],
    ['def f():\n    pass', 'data.py:1: this function returns nothing'],
    ['def f():\n    return g()', 'data.py:2: a call of g cannot be read'],
  ])('refuses %j', (text, why) => {
    expect(() => returned(text)).toThrow(why);
  });

  it('reads the defaults of parameters', () => {
    const modules = new PythonModules(() => 'def f(a, b: int = 3, *, c="d"):\n    pass');
    const module = modules.module('data.py');
    const definition = module.functionNamed('f');
    if (definition === undefined) throw new Error('no f');
    const defaults = ['a', 'b', 'c'].map((name) => parameterDefault(module, definition, name));
    expect(defaults.map((node) => node && modules.evaluate(module, node))).toEqual([undefined, 3n, 'd']);
  });
});
