/** Python sources as Python parses them, and packs imported from a checkout of τ³-bench. */

import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseJson, dumpJson } from '../../../src/benchmarks/python/index.ts';
import { importFixture, refusal } from './checkouts.ts';
import { domains } from '../../../src/benchmarks/tau3/testing.ts';
import { tau3Importer } from '../../../src/pack-tools/import-tau3/index.ts';
import { readPack, renderUserSystemPrompt, writePack, type PackError } from '../../../src/benchmarks/packs/index.ts';
import { TOOL_SCHEMAS, tau3CheckoutFiles, writeTau3Checkout } from '../../helpers/tau3-checkout.ts';
import { NO_TAU3, tau3Dir } from '../../helpers/tau3-folder.ts';
import { scratchFolder } from '../../benchmarks/packs/folders.ts';

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

const OWN = ['tau3-retail', 'tau3-telecom'];

async function imported(files = tau3CheckoutFiles(), domains = OWN) {
  const folder = await writeTau3Checkout(await scratchFolder(), files);
  return tau3Importer.read(folder, 'it', { domains });
}

async function refusalOfTau3(files: Record<string, string>, domains = OWN): Promise<string> {
  return imported(files, domains).then(
    () => 'imported',
    (error: unknown) => (error as PackError).message,
  );
}

describe('a checkout of τ³-bench', () => {
  it('becomes a pack of each domain, which says whose it is and reads the same from its folder', async () => {
    const { packs, warnings } = await imported();
    const [retail, telecom] = packs;
    expect(packs.map(({ manifest }) => [manifest.name, manifest.domain, manifest.benchmark])).toEqual(
      OWN.map((name) => [name, name, 'tau3']),
    );
    expect(warnings[0]).toContain('cannot be compared with its leaderboard');
    expect(Object.entries(retail?.pack.splits ?? {}).map(([split, tasks]) => [split, tasks.length])).toEqual([
      ['base', 2],
      ['train', 1],
    ]);
    expect(telecom?.pack.splits['base']?.[0]?.actions.map(({ requestor, name }) => [requestor, name])).toEqual([
      ['user', 'toggle_data'],
      [undefined, 'refuel_data'],
    ]);
    const folder = join(await scratchFolder(), 'pack');
    if (retail === undefined) throw new Error('no pack');
    await writePack(folder, retail);
    const read = await readPack(folder);
    expect(read.ref.digest).toBe(retail.pack.ref.digest);
    expect(renderUserSystemPrompt(read, 'llm', read.splits['base']?.[0]?.instruction ?? '')).toContain(
      '\n<scenario>\nInstructions:\n\tDomain: any\n\tReason for call:\n\t\tCancel your order.',
    );
  });

  it('describes tools from signatures, docstrings and models, which are not run', async () => {
    const { packs } = await imported();
    const [retail, telecom] = packs.map(({ pack }) => pack);
    expect(dumpJson(retail?.tools ?? [])).toBe(dumpJson(TOOL_SCHEMAS.retail.assistant));
    expect(dumpJson(telecom?.tools ?? [])).toBe(dumpJson(TOOL_SCHEMAS.telecom.assistant));
    expect(dumpJson(telecom?.userTools ?? [])).toBe(dumpJson(TOOL_SCHEMAS.telecom.user));
  });

  it('is refused in one sentence where it is another version', async () => {
    expect(await refusalOfTau3(tau3CheckoutFiles('2.0.0'))).toMatch(
      /^it: this is tau2-bench 2\.0\.0, another benchmark: frozen subsets of 50 tasks, six languages, .* check out 1\.x/,
    );
    expect(await refusalOfTau3(tau3CheckoutFiles('0.2.0'))).toContain('whose tasks were corrected in 1.0');
  });

  it.each([
    [
      'a missing file',
      { 'data/tau2/domains/retail/policy.md': undefined },
      /no data\/tau2\/domains\/retail\/policy\.md/,
    ],
    ['broken JSON', { 'data/tau2/domains/retail/db.json': '{"products": ' }, /db\.json: not valid JSON/],
    ['deep JSON', { 'data/tau2/domains/retail/db.json': '['.repeat(100_000) }, /db\.json: not valid JSON/],
    ['broken TOML', { 'data/tau2/domains/telecom/db.toml': '[[plans\nx = ' }, /db\.toml: the TOML cannot be read/],
    ['deep TOML', { 'data/tau2/domains/telecom/db.toml': `x = ${'['.repeat(100_000)}` }, /the TOML cannot be read/],
    ['other data', { 'data/tau2/domains/retail/db.json': '{"products": {}}' }, /not as τ³-bench's models have them/],
    ['no tasks', { 'data/tau2/domains/retail/tasks.json': '[{"id": "0"}]' }, /the split "base" are not all in/],
    [
      'a task without a scenario',
      { 'data/tau2/domains/retail/tasks.json': '[{"id": "0"}, {"id": "1"}]' },
      /\[0\]\.user_scenario is missing/,
    ],
    ['no Python', { 'src/tau2/domains/retail/tools.py': 'class (' }, /tools\.py:1: this cannot be read as Python/],
  ])('is refused in one sentence for %s', async (_what, changes: Record<string, string | undefined>, sentence) => {
    const files: Record<string, string | undefined> = { ...tau3CheckoutFiles(), ...changes };
    const kept = Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const message = await refusalOfTau3(Object.fromEntries(kept));
    expect(message).toMatch(sentence);
    expect(message).not.toContain('\n');
  });

  it('is read without following links', async () => {
    const folder = await writeTau3Checkout(await scratchFolder());
    const db = join(folder, 'data/tau2/domains/retail/db.json');
    await rm(db);
    await symlink('/dev/zero', db);
    await expect(tau3Importer.read(folder, undefined, { domains: OWN })).rejects.toThrow('there is no data/tau2');
  });
});

if (tau3Dir === null) console.warn(`packs of τ³-bench's own data are skipped: ${NO_TAU3}`);

describe.skipIf(tau3Dir === null)("τ³-bench's own data", () => {
  it('are as published', async () => {
    const { packs, identity, warnings } = await tau3Importer.read(tau3Dir ?? '', undefined, {
      domains: Array.from(domains.keys()),
    });
    expect(identity.differing).toEqual([]);
    expect(warnings).toEqual([]);
    expect(packs.map(({ pack }) => pack.splits['base']?.length)).toEqual([114, 50, 114]);
    expect(packs.map(({ pack }) => pack.splits['base']?.[3]?.content?.get('id'))).toEqual([
      '3',
      '3',
      expect.stringContaining('['),
    ]);
  });
});
