/** Packs imported from a checkout of tau-bench: the fixture, and the reference where it is. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it, beforeAll } from 'vitest';
import { parseJson, type PyValue, dumpJson, isDict, isList } from '../../../src/benchmarks/python/index.ts';
import { readCheckout, importCheckout } from '../../../src/pack-tools/import/testing.ts';
import type { ImportedPack, ImportResult } from '../../../src/pack-tools/import/index.ts';
import { FIXTURE, fixtureCheckout, importFixture, refusal } from './checkouts.ts';
import { inspectPack } from '../../../src/benchmarks/testing.ts';
import { describeWithReference } from '../../helpers/reference.ts';

async function retailPack(): Promise<ImportedPack> {
  const [pack] = (await importFixture()).packs;
  if (pack === undefined) throw new Error('no pack');
  return pack;
}

function text(pack: ImportedPack, file: string): string {
  return pack.files.get(file)?.toString('utf8') ?? '';
}

function json(pack: ImportedPack, file: string): PyValue {
  return parseJson(text(pack, file));
}

describe('importing a checkout', () => {
  it('makes a pack of each domain, with the tasks of all of its splits', async () => {
    const { packs } = await importFixture();
    const splits = packs.map(({ pack }) =>
      Object.entries(pack.splits).map(([split, list]) => `${split} ${list.length}`),
    );
    expect(packs.map(({ manifest }) => manifest.name)).toEqual(['tau-bench-retail', 'tau-bench-airline']);
    expect(splits).toEqual([['test 2', 'train 1', 'dev 1'], ['test 1']]);
  });

  it('reads a folder as it reads files in memory', async () => {
    const fromFolder = await importCheckout(await readCheckout(FIXTURE), { domains: ['retail'] });
    expect(fromFolder.packs[0]?.pack.ref.digest).toBe((await retailPack()).pack.ref.digest);
  });

  it('copies tables, policy, displays and licence byte for byte', async () => {
    const pack = await retailPack();
    for (const [file, source] of [
      ['orders.json', 'tau_bench/envs/retail/data/orders.json'],
      ['wiki.md', 'tau_bench/envs/retail/wiki.md'],
      ['few-shot.jsonl', 'few_shot_data/MockRetailDomainEnv-few_shot.jsonl'],
      ['LICENSE', 'LICENSE'],
    ] as const) {
      expect(pack.files.get(file)).toEqual(await readFile(join(FIXTURE, source)));
    }
    expect(pack.pack.fewShotDisplays).toHaveLength(2);
  });

  it('writes tasks in the order of their fields, numbers and texts as they are', async () => {
    const pack = await retailPack();
    expect(text(pack, 'tasks-test.json')).toContain(
      '"note": [\n      1,\n      1.0,\n      -2,\n      null,\n      true',
    );
    expect(json(pack, 'tasks-test.json')).toEqual([
      new Map<string, PyValue>([
        ['user_id', 'ida_berg_1'],
        ['instruction', "You are Ida Berg. Cancel #W1: you don't need it any more. Your café is closed."],
        ['actions', [new Map<string, PyValue>([['name', 'cancel_pending_order'], ['kwargs', new Map([['order_id', '#W1'], ['reason', 'no longer needed']])]])]], // prettier-ignore
        ['outputs', []],
        ['annotator', 'a'],
      ]),
      expect.any(Map),
    ]);
  });

  it('takes the tools in the order of the list, not in that of files', async () => {
    const { pack } = await retailPack();
    const names = pack.tools.map((tool) =>
      ((tool as Map<string, PyValue>).get('function') as Map<string, PyValue>).get('name'),
    );
    expect(names).toEqual(['cancel_pending_order', 'get_order_details', 'transfer_to_human_agents']);
    expect(pack.terminateTools).toEqual(['transfer_to_human_agents']);
    expect(pack.rules).toEqual([
      'Ask who it is before anything else.',
      'Say what will be done, and do it after a yes.',
    ]);
  });

  it('turns the prompts into templates, with and without an instruction', async () => {
    const { pack } = await retailPack();
    expect(pack.userPrompts.greeting).toBe('Good day, what brings you here?');
    expect(Object.keys(pack.userPrompts.strategies)).toEqual(['llm', 'react', 'verify']);
    expect(pack.userPrompts.strategies['llm']).toEqual({
      systemPrompt:
        "You are a customer.\n\nWish: {instruction}\n\n- Say one thing at a time.\n- When all is done, say '###STOP###' {and nothing else}.",
      systemPromptWithoutInstruction:
        "You are a customer.\n- Say one thing at a time.\n- When all is done, say '###STOP###' {and nothing else}.",
    });
    expect(pack.userPrompts.verifyPrompt).toBe('Is this fine?\n{transcript}\n{response}');
    expect(pack.userPrompts.reflectPrompt).toBeUndefined();
    expect(pack.agentPrompts).toMatchObject({
      act_instruction: '\nWrite {"name": respond, "arguments": {"content": "…"}}.\n',
      react_instruction: '\nThink first.\nWrite {"name": respond, "arguments": {"content": "…"}}.\n',
      few_shot_block: 'Case {number starting at 1}: {messages_display}',
      tool_observation_prefix: 'Tool says: ',
    });
  });

  it('reads the form of before September 2024 as well, and says what it cannot be used for', async () => {
    const result = await importFixture(
      {
        'tau_bench/types.py': undefined,
        'tau_bench/envs/airline/env.py': undefined,
        'tau_bench/envs/airline/__init__.py': [
          'from tau_bench.envs.airline.rules import rules',
          'from tau_bench.envs.airline.tools import tools',
          'class MockAirlineDomainEnv(BaseEnv):',
          '    def __init__(self, task_split="test"):',
          '        match task_split:',
          '            case "test":',
          '                from tau_bench.envs.airline.tasks import tasks',
          '        self.terminate_tools = ["look"]',
        ].join('\n'),
        'tau_bench/envs/airline/rules.py': 'rules = []',
        'tau_bench/envs/airline/tools/__init__.py':
          'from .look import look\ntools = [look]\nassert all(t.__info__ for t in tools)\n',
        'tau_bench/envs/airline/tools/look.py':
          'def look(data):\n    return ""\n\n\nlook.__info__ = {"type": "function", "function": {"name": "look", "description": "", "parameters": {"type": "object", "properties": {}}}}\n',
        'tau_bench/envs/airline/tasks.py':
          'tasks = [{"annotator": 0, "user_id": "ole_dahl_2", "instruction": "Look.", "actions": [{"name": "look", "arguments": {}}]}]',
        'tau_bench/envs/user.py':
          'SYSTEM_PROMPT = """Do this: {instruction}"""\n\nclass NaiveUserSimulationEnv:\n    def reset(self):\n        self.messages = [{"role": "user", "content": "Hi!"}]\n',
        'tau_bench/agents/chat_react_agent.py':
          'class ChatReActAgent:\n    def __init__(self, tools, wiki):\n        self.prompt = wiki + json.dumps(tools) + instruction\n\nreact_instruction = "R"\nact_instruction = "A"\n',
      },
      { domains: ['airline'] },
    );
    const [imported] = result.packs;
    expect(imported?.pack.splits['test']).toEqual([
      { userId: 'ole_dahl_2', instruction: 'Look.', actions: [{ name: 'look', kwargs: new Map() }], outputs: [] },
    ]);
    expect(imported?.pack.userPrompts.strategies['llm']).toEqual({
      systemPrompt: 'Do this: {instruction}',
      systemPromptWithoutInstruction: 'Do this: None',
    });
    expect(imported?.pack.agentPrompts).toMatchObject({ act_instruction: 'A', react_instruction: 'R' });
    expect(result.warnings.at(-1)).toMatch(
      /^the checkout is older than September 2024: its prompts for act and react /,
    );
  });

  it('names the packs after the domain, or as asked', async () => {
    const names = async (name: string, domains: readonly ('retail' | 'airline')[]): Promise<string[]> =>
      (await importFixture({}, { name, domains })).packs.map(({ manifest }) => manifest.name);
    expect(await names('shop', ['retail'])).toEqual(['shop']);
    expect(await names('mine', ['retail', 'airline'])).toEqual(['mine-retail', 'mine-airline']);
    await expect(names('a b', ['retail'])).rejects.toThrow('"a b" is not a pack\'s name');
  });
});

describe('provenance and warnings', () => {
  it('names the files that are not those of a known commit', async () => {
    const { identity, warnings, packs } = await importFixture({}, { commit: '59a200c' });
    expect(identity.commit).toBe('59a200c6d575d595120f1cb70fea53cef0632f6b');
    expect(identity.differing).toContain('tau_bench/envs/retail/tasks_test.py');
    expect(identity.differing).toContain('tau_bench/envs/retail/tools/calculate.py');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      /^the checkout differs from tau-bench's commit 59a200c in LICENSE, .* and \d+ more \(pack\.json has them all\); its scores cannot be compared with tau-bench's\.$/,
    );
    expect(packs[0]?.manifest).toMatchObject({ version: '59a200c+changes', licence: 'MIT', source: expect.stringContaining('commit 59a200c6d5') as string }); // prettier-ignore
    expect(packs[0]?.manifest['changed_files']).not.toContain('tau_bench/envs/airline/env.py');
  });

  it('says so when the commit is not a known one, and when there is none', async () => {
    const unknown = await importFixture({}, { commit: 'abcdef0123' });
    expect(unknown.warnings[0]).toMatch(
      /^abcdef0 is not a known commit; the checkout differs from .*commit 59a200c in /,
    );
    const none = await importFixture();
    expect(none.identity.commit).toBeNull();
    expect(none.packs[0]?.manifest).toMatchObject({ version: 'unknown+changes', commit: null });
  });

  it('does not mind the line ends of another system', async () => {
    const wiki = await readFile(join(FIXTURE, 'tau_bench/envs/retail/wiki.md'), 'utf8');
    const windows = wiki.replaceAll('\n', '\r\n');
    const plain = await fixtureCheckout();
    const other = await fixtureCheckout({ 'tau_bench/envs/retail/wiki.md': windows });
    const options = { domains: ['retail'] };
    const [one, two] = [await importCheckout(plain, options), await importCheckout(other, options)];
    expect(two.packs[0]?.pack.policy).toBe(wiki);
    expect(Array.from(other.used())).toEqual(Array.from(plain.used()));
    expect(two.packs[0]?.pack.ref.digest).toBe(one.packs[0]?.pack.ref.digest);
  });
});

describe('what cannot be imported', () => {
  it('names all missing files in one sentence', async () => {
    const message = await refusal({
      'tau_bench/envs/retail/data/users.json': undefined,
      'tau_bench/envs/retail/tasks_train.py': undefined,
      'tau_bench/envs/retail/tools/get_order_details.py': undefined,
    });
    expect(message).toBe(
      'the checkout: the checkout has no tau_bench/envs/retail/data/users.json, tau_bench/envs/retail/tasks_train.py and ' +
        'tau_bench/envs/retail/tools/get_order_details.py; restore what is missing (git checkout does).',
    );
  });

  it.each([
    [
      'tau_bench/envs/retail/tasks_test.py',
      'from tau_bench.types import Task\n\nTASKS_TEST = [\n    Task(user_id=make()),\n]\n',
      'tau_bench/envs/retail/tasks_test.py:4: a call of make cannot be read; only literals are read from it.',
    ],
    [
      'tau_bench/envs/retail/tasks_test.py',
      'TASKS_TEST = [{"user_id": "u", "instruction": "i", "actions": [{"name": 1}]}]',
      'tau_bench/envs/retail/tasks_test.py: TASKS_TEST[0].actions[0] has no name with arguments.',
    ],
    [
      'tau_bench/envs/retail/rules.py',
      'RULES = [}\n',
      /^tau_bench\/envs\/retail\/rules\.py:1: this cannot be read as Python 3\.\d+; only literals are read from it\.$/,
    ],
    [
      'tau_bench/envs/retail/tools/__init__.py',
      'from .get_order_details import Other\nALL_TOOLS = [Other]',
      'tau_bench/envs/retail/tools/__init__.py:2: Other has neither get_info nor __info__; only literals are read from it.',
    ],
    [
      'tau_bench/envs/retail/data/orders.json',
      '{"#W1": ',
      'retail/orders.json: not valid JSON: Expecting value: line 1 column 9 (char 8).',
    ],
    [
      'few_shot_data/MockRetailDomainEnv-few_shot.jsonl',
      '{"messages_display": "a"}\n{"display": "b"}\n',
      'retail/few-shot.jsonl, line 2: messages_display is missing; it must be a string.',
    ],
    [
      'tau_bench/envs/airline/wiki.md',
      Buffer.from([0x41, 0xff]),
      'tau_bench/envs/airline/wiki.md: not UTF-8 text; save the file in that encoding.',
    ],
  ])('says where %s cannot be read', async (path, contents, sentence) => {
    const message = await refusal({ [path]: contents });
    if (typeof sentence === 'string') expect(message).toBe(sentence);
    else expect(message).toMatch(sentence);
  });
});

const checkoutDir = process.env['TAU_BENCH_DIR'] ?? '';

/** One spelling for equal JSON: keys sorted, numbers as Python writes them. */
function canonical(file: string, bytes: Buffer | undefined): string {
  if (bytes === undefined) return 'no file';
  const text = bytes.toString('utf8');
  return file.endsWith('.json') ? dumpJson(sorted(parseJson(text))) : text;
}

function sorted(value: PyValue): PyValue {
  if (isList(value)) return value.map(sorted);
  if (!isDict(value)) return value;
  const entries = Array.from(value, ([key, item]) => [key, sorted(item)] as const);
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe.skipIf(checkoutDir === '')('a checkout of tau-bench (skipped without TAU_BENCH_DIR)', () => {
  let result: ImportResult;

  beforeAll(async () => {
    const options = { domains: ['retail', 'airline'] };
    result = await importCheckout(await readCheckout(checkoutDir), options);
  });

  it('is recognised by its files', () => {
    expect(result.warnings).toEqual([]);
    expect(result.identity.commit).toMatch(/^[0-9a-f]{40}$/);
  });

  it('makes packs whose ground truth can be replayed', () => {
    for (const { pack } of result.packs) {
      const { summary } = inspectPack('pack', pack);
      expect(summary.splits.map(({ tasks }) => tasks).every((tasks) => tasks > 0)).toBe(true);
    }
  });

  describeWithReference('against the packs of the reference', (dir) => {
    it('has every file of them, equal as JSON, and the displays', () => {
      const compared = result.packs.flatMap(({ manifest: { domain }, files }) =>
        readdirSync(join(dir, domain)).map((file) => {
          const expected = readFileSync(join(dir, domain, file));
          const made = files.get(file);
          const equal = made?.equals(expected) === true || canonical(file, made) === canonical(file, expected);
          expect(equal, `${domain}/${file}`).toBe(true);
          return file;
        }),
      );
      expect(compared).toHaveLength(21);
      for (const { manifest, files } of result.packs) {
        const name = manifest.domain === 'retail' ? 'MockRetailDomainEnv' : 'MockAirlineDomainEnv';
        expect(files.get('few-shot.jsonl')).toEqual(readFileSync(join(dir, 'few_shot_data', `${name}-few_shot.jsonl`)));
      }
    });
  });
});
