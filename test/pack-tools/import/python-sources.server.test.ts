/** What is read from Python sources, and what is refused. One import has many expressions, because each starts Python. */

import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/benchmarks/python/index.ts';
import { importFixture, refusal } from './checkouts.ts';

const TASKS = 'tau_bench/envs/retail/tasks_test.py';
const RULES = 'tau_bench/envs/retail/rules.py';
const USER = 'tau_bench/envs/user.py';

/** Python source of an expression → its value as JSON. */
const EXPRESSIONS: readonly (readonly [string, string])[] = [
  ['[1, -1, + 1, - -1, 00, 1_000_000]', '[1, -1, 1, 1, 0, 1000000]'],
  ['[1.0, .5e-3, 1., -0.0, 1e22]', '[1.0, 0.0005, 1.0, -0.0, 1e+22]'],
  ['[123456789012345678901234567890, 0XfF, 0b_101]', '[123456789012345678901234567890, 255, 5]'],
  ['[True, None, (), (1,), (1), [1, (2, 3),]]', '[true, null, [], [1], 1, [1, [2, 3]]]'],
  ["{'b': 1, 'a': 2, 'b': 3, '10': 4, '9': 5}", '{"b": 3, "a": 2, "10": 4, "9": 5}'],
  ["{'a': 1, **{'b': 2}}", '{"a": 1, "b": 2}'],
  ['["it\'s" \'so\', """a\n"b" \\\nc"""]', String.raw`["it'sso", "a\n\"b\" c"]`],
  [
    String.raw`['\t\x41\u00e9\U0001F600\101\8', r'\n\'', '\N{BULLET}', u'y']`,
    String.raw`["\tAé😀A\\8", "\\n\\'", "•", "y"]`,
  ],
  [String.raw`[f'{{}}', f'a{1}{2.50}{None}{[1, "b"]}', rf'\d{1}']`, String.raw`["{}", "a12.5None[1, 'b']", "\\d1"]`],
  ["['a' + 'b' + f'c', [1] + [2], 1 + 2.5]", '["abc", [1, 2], 3.5]'],
  ["['a' if None is None else 'b', 'a' if 1 == 2 else 'b', '' is not None]", '["a", "b", true]'],
  ['[base, renamed, Colors.red]', '[[1], [1, 2], "#f00"]'],
];

/** Statements before the tasks; their assertions and functions change nothing. */
const NAMES = `from .more import one as renamed
base = [0]
base: list = [1]
assert base
for item in base:
    assert item
def change():
    base.append(2)
class Colors:
    red = "#f00"
`;

const task = (kwargs: string): string =>
  `TASKS_TEST = [Task(user_id="ida_berg_1", instruction="i", outputs=[], actions=[Action(name="cancel_pending_order", kwargs=${kwargs})])]\n`;

describe('Python sources', () => {
  it('give the values of literals and of what texts use besides', async () => {
    const kwargs = EXPRESSIONS.map(([source], at) => `"${at}": ${source}`);
    const { packs } = await importFixture(
      {
        [TASKS]: `\ufeff${NAMES}${task(`{${kwargs.join(',\n')}}`)}`.replaceAll('\n', '\r\n'),
        'tau_bench/envs/retail/more.py': 'base = [1]\none = base + [2]\n',
      },
      { domains: ['retail'] },
    );
    const values = packs[0]?.pack.splits['test']?.[0]?.actions[0]?.kwargs;
    for (const [at, [source, json]] of EXPRESSIONS.entries()) {
      expect(values?.get(String(at)), source).toEqual(parseJson(json));
    }
  });

  it.each([
    ['{1, 2}', 'this expression cannot be read'],
    ['os.environ', 'os is not a class with a value for environ'],
    ['open("secrets")', 'a call of open cannot be read'],
    ['y', 'y is given no value at the top level of a file'],
    ['x', 'this is nested too deeply, or defined by itself'],
    ["f'{1:>3}'", 'this expression cannot be read'],
    ["b'a'", 'this expression cannot be read'],
    ["{1: 'a'}", 'a key that is not a string cannot be written as JSON'],
    ["'a' * 3", 'only two strings, two lists or two numbers can be added'],
    ['Task(a=1, a=2)', 'Task must be called with named arguments (field=value), each of them once'],
  ])('refuse %s and say where', async (source, why) => {
    const message = await refusal({ [TASKS]: `\nx = {"a": ${source}}\n${task('x')}` });
    expect(message).toBe(`${TASKS}:2: ${why}; only literals are read from it.`);
  });

  it.each([
    'x = {}\nx.update(a=1)',
    'x = {}\nx["a"] = 1',
    'x = {}\nfor y in x:\n    y.z = 1',
    'x = {}\nif True:\n    x = {"a": 1}',
    'x = {}\ndel x',
  ])('refuse what may have been changed after it was assigned: %j', async (text) => {
    const message = await refusal({ [TASKS]: `${text}\n${task('x')}` });
    expect(message).toBe(`${TASKS}:2: x may be changed here after it was assigned; only literals are read from it.`);
  });

  it.each([
    [
      USER,
      'class LLMUserSimulationEnv:\n    def build_system_prompt(self):\n        for x in y:\n            return x\n',
      ':3: this statement cannot be followed',
    ],
    [
      USER,
      'class LLMUserSimulationEnv:\n    def build_system_prompt(self):\n        pass\n',
      ':2: this function returns nothing',
    ],
    [
      RULES,
      'from tau_bench.envs.retail.rule import RULES\n',
      ':1: RULES comes from tau_bench.envs.retail.rule, which is not in the checkout',
    ],
    [RULES, `RULES = ${'['.repeat(100_000)}`, /:1: this cannot be read as Python 3/],
    [RULES, `RULES = ${'-'.repeat(100_000)}1`, /:1: this cannot be read as Python 3/],
    [RULES, 'RULES = ["a\0b"]', /:1: this cannot be read as Python 3/],
    [RULES, `RULES = ["${'x'.repeat(100_000_000)}"]`, ': with this file the Python sources are too large'],
  ])('refuse a source in one sentence: %s, case %#', async (path, text, why) => {
    const greeting = path === USER ? 'GREETING = {"role": "user", "content": "Hi"}\n' : '';
    const message = await refusal({ [path]: text + greeting });
    expect(message.startsWith(path)).toBe(true);
    expect(message.slice(path.length)).toMatch(why);
    expect(message).toMatch(/^[^\n]{1,300}\.$/);
  });

  it.each([
    [
      '/nowhere/python',
      /^\/nowhere\/python was not found, .*; install Python 3\.9 or newer, or name it in TAUFLOW_PYTHON\.$/,
    ],
    ['false', /^false ended with code 1 while it parsed .*; name a Python of 3\.9 or newer in TAUFLOW_PYTHON, or /],
  ])('need a Python, not %s', async (python, sentence) => {
    const env = { ...process.env, TAUFLOW_PYTHON: python };
    await expect(importFixture({}, { env })).rejects.toThrow(sentence);
  });
});
