import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PackError, readPack } from '../../../src/benchmarks/testing.ts';
import { editJson, rejection, scratchFolder, smallPack } from './folders.ts';

interface TaskJson {
  user_id: string;
  instruction?: string;
  actions: { name?: string; kwargs?: unknown }[];
  outputs: unknown[];
}

/** The error of reading after a file has been spoiled, without the folder's path. */
async function spoilt<T>(file: string, edit: (value: T) => unknown): Promise<string> {
  const folder = await smallPack();
  await editJson(folder, file, edit);
  return complaint(folder);
}

async function complaint(folder: string): Promise<string> {
  return (await rejection(readPack(folder))).replaceAll(`${folder}/`, '').replaceAll(folder, '<folder>');
}

describe('a pack that cannot be used is described in one sentence', () => {
  it('no such folder', async () => {
    const folder = join(await scratchFolder(), 'gone');
    expect(await complaint(folder)).toBe(
      "PackError: <folder>: no such folder; give the folder of a domain pack or an imported pack's name.",
    );
  });

  it('a file instead of a folder', async () => {
    const folder = join(await smallPack(), 'wiki.md');
    expect(await complaint(folder)).toBe('PackError: <folder>: this is a file; a domain pack is a folder.');
  });

  it('a folder with something else in it', async () => {
    expect(await complaint(await scratchFolder())).toBe(
      "PackError: <folder>: not a domain pack: it has no pack.json, and neither retail's orders.json and " +
        "products.json nor airline's flights.json and reservations.json.",
    );
  });

  it.each(['orders.json', 'users.json', 'wiki.md', 'rules.json', 'tools.json', 'user-prompts.json'])(
    'no %s',
    async (file) => {
      const folder = await smallPack();
      await rm(join(folder, file));
      expect(await complaint(folder)).toBe(`PackError: ${file}: the file is missing; a retail pack needs it.`);
    },
  );

  it('a file missing that the manifest lists', async () => {
    const folder = await smallPack('with-manifest');
    await rm(join(folder, 'products.json'));
    expect(await complaint(folder)).toBe('PackError: products.json: the file is missing; a retail pack needs it.');
  });

  it('no tasks at all', async () => {
    const folder = await smallPack();
    await rm(join(folder, 'tasks-test.json'));
    await rm(join(folder, 'tasks-dev.json'));
    expect(await complaint(folder)).toBe(
      'PackError: <folder>: there is no tasks-<split>.json; a pack needs the tasks of at least one split.',
    );
  });

  it('broken JSON, with line and column', async () => {
    const folder = await smallPack();
    await writeFile(join(folder, 'users.json'), '{\n  "ann_1": {"name": }\n}');
    expect(await complaint(folder)).toBe(
      'PackError: users.json: not valid JSON: Expecting value: line 2 column 21 (char 22).',
    );
  });

  it('a file cut in half', async () => {
    const folder = await smallPack();
    const text = await readFile(join(folder, 'tasks-dev.json'), 'utf8');
    await writeFile(join(folder, 'tasks-dev.json'), text.slice(0, text.lastIndexOf('"')));
    expect(await complaint(folder)).toMatch(/^PackError: tasks-dev\.json: not valid JSON: .*line \d+ column \d+/);
  });

  it('text in another encoding', async () => {
    const folder = await smallPack();
    await writeFile(join(folder, 'wiki.md'), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
    expect(await complaint(folder)).toBe('PackError: wiki.md: not UTF-8 text; save the file in that encoding.');
  });

  it('a file that differs from its digest', async () => {
    const folder = await smallPack('with-manifest');
    await writeFile(join(folder, 'wiki.md'), 'Be kind.');
    expect((await complaint(folder)).replace(/[0-9a-f]{64}/g, '<sha256>')).toBe(
      'PackError: wiki.md: its sha256 is <sha256>, but pack.json says <sha256>; ' +
        'restore the file, or delete pack.json if the change is meant.',
    );
  });

  it('a manifest that lists a file too many', async () => {
    const folder = await smallPack('with-manifest');
    await editJson(folder, 'pack.json', (manifest: { files: Record<string, string> }) => {
      manifest.files['../secret'] = 'a'.repeat(64);
    });
    expect(await complaint(folder)).toBe(
      'PackError: pack.json: files lists ../secret, which is not a file of this pack.',
    );
  });

  it('a file that the manifest does not list', async () => {
    const folder = await smallPack('with-manifest');
    await writeFile(join(folder, 'tasks-train.json'), '[]');
    expect(await complaint(folder)).toBe(
      'PackError: tasks-train.json: pack.json does not list this file; remove it or add its sha256.',
    );
  });

  it.each([
    ['format', 2, 'format must be 1, the only format that this version reads'],
    ['domain', 'telecom', 'domain must be retail, airline, tau3-retail, tau3-airline or tau3-telecom'],
    [
      'domain',
      'tau3-retail',
      'domain and benchmark do not fit: packs of τ³-bench have "benchmark": "tau3", those of tau-bench none',
    ],
    ['name', 'a/b', 'name must be letters, digits, ".", "_" and "-" only, up to 100 of them'],
    ['licence', 3, 'licence is a number; it must be a string'],
    ['files', undefined, 'files is missing; it must be an object'],
    ['files', { 'wiki.md': 'abc' }, 'files["wiki.md"] must be a sha256 in lower-case hex'],
  ])('a manifest with %s %j', async (key, value, sentence) => {
    const folder = await smallPack('with-manifest');
    await editJson(folder, 'pack.json', (manifest: object) => ({ ...manifest, [key]: value }));
    expect(await complaint(folder)).toBe(`PackError: pack.json: ${sentence}.`);
  });

  it('a task without an instruction', async () => {
    const message = await spoilt('tasks-test.json', (tasks: TaskJson[]) => {
      delete tasks[3]?.instruction;
    });
    expect(message).toBe('PackError: tasks-test.json: [3].instruction is missing; it must be a string.');
  });

  it('a task with an empty instruction', async () => {
    const message = await spoilt('tasks-test.json', (tasks: TaskJson[]) =>
      tasks.map((task) => ({ ...task, instruction: ' ' })).slice(0, 1),
    );
    expect(message).toBe('PackError: tasks-test.json: [0].instruction is empty; it must have a text.');
  });

  it('an action without a name', async () => {
    const message = await spoilt('tasks-dev.json', (tasks: TaskJson[]) => {
      delete tasks[1]?.actions[0]?.name;
    });
    expect(message).toBe('PackError: tasks-dev.json: [1].actions[0].name is missing; it must be a string.');
  });

  it('arguments that are no object', async () => {
    const message = await spoilt('tasks-dev.json', (tasks: TaskJson[]) => {
      const action = tasks[0]?.actions[1];
      if (action !== undefined) action.kwargs = [];
    });
    expect(message).toBe('PackError: tasks-dev.json: [0].actions[1].kwargs is a list; it must be an object.');
  });

  it('an output that is no text', async () => {
    const message = await spoilt('tasks-dev.json', (tasks: TaskJson[]) => {
      tasks[0]?.outputs.push(12.5);
    });
    expect(message).toMatch(/^PackError: tasks-dev\.json: \[0\]\.outputs\[\d\] is a number; it must be a string\.$/);
  });

  it('an action that is not a tool of the pack', async () => {
    const message = await spoilt('tasks-test.json', (tasks: TaskJson[]) => {
      const action = tasks[2]?.actions[0];
      if (action !== undefined) action.name = 'guess';
    });
    expect(message).toBe(
      'PackError: tasks-test.json: [2].actions[0].name is "guess", which is not a tool of tools.json.',
    );
  });

  it('a task of an unknown user', async () => {
    const message = await spoilt('tasks-test.json', (tasks: TaskJson[]) => {
      const task = tasks[4];
      if (task !== undefined) task.user_id = 'nobody_1';
    });
    expect(message).toBe('PackError: tasks-test.json: [4].user_id is "nobody_1", who is not in users.json.');
  });

  it('a split without tasks', async () => {
    const message = await spoilt('tasks-dev.json', () => []);
    expect(message).toBe('PackError: tasks-dev.json: the file is empty; a split needs at least one task.');
  });

  it('a file that holds something else', async () => {
    const message = await spoilt('tasks-dev.json', () => ({ tasks: [] }));
    expect(message).toBe('PackError: tasks-dev.json: the file is an object; it must be a list.');
  });

  it('a terminating tool that is no tool', async () => {
    const message = await spoilt('terminate_tools.json', () => ['hang_up']);
    expect(message).toBe('PackError: terminate_tools.json: [0] is "hang_up", which is not a tool of tools.json.');
  });

  it('a tool that is described twice', async () => {
    const message = await spoilt('tools.json', (tools: unknown[]) => [...tools, tools[0]]);
    expect(message).toBe(
      'PackError: tools.json: [16].function.name is "calculate" a second time; each tool is described once.',
    );
  });

  it('no tools', async () => {
    expect(await spoilt('tools.json', () => [])).toBe(
      'PackError: tools.json: the file is empty; a pack needs at least one tool.',
    );
  });

  it('a record of the wrong shape', async () => {
    const folder = await smallPack();
    await editJson(folder, 'orders.json', (orders: Record<string, { items: { price: unknown }[] }>) => {
      const item = orders[Object.keys(orders)[0] ?? '']?.items[0];
      if (item !== undefined) item.price = '12.50';
    });
    expect(await complaint(folder)).toMatch(
      /^PackError: orders\.json: \["#W\d{7}"\]\.items\[0\]\.price is "12\.50"; it must be a number\.$/,
    );
  });

  it('a user prompt without a place for the instruction', async () => {
    const message = await spoilt('user-prompts.json', (prompts: { strategies: Record<string, object> }) => {
      prompts.strategies['llm'] = { system_prompt: 'Play.', system_prompt_without_instruction: 'Play.' };
    });
    expect(message).toBe(
      'PackError: user-prompts.json: strategies.llm.system_prompt must contain {instruction}, the place where the text goes.',
    );
  });

  it('several problems at once: the first, and how many more', async () => {
    const folder = await smallPack();
    await rm(join(folder, 'wiki.md'));
    await rm(join(folder, 'rules.json'));
    expect(await complaint(folder)).toBe(
      'PackError: rules.json: the file is missing; a retail pack needs it (and 1 more problem in this pack).',
    );
    const error: unknown = await readPack(folder).catch((reason: unknown) => reason);
    expect(error instanceof PackError && error.problems).toHaveLength(2);
  });
});
