import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isDict, isList, typeName, type PyValue } from '../../src/benchmarks/python/index.ts';
import { shippedPackFolder, manifestText, readPack, inspectPack } from '../../src/benchmarks/testing.ts';
import { generatePack } from '../../packages/task-generator/src/testing.ts';
import { describeWithReference } from '../helpers/reference.ts';

async function shippedFolder(env: string): Promise<string> {
  const folder = await shippedPackFolder(env);
  if (folder === undefined) throw new Error(`no pack is shipped for ${env}`);
  return folder;
}

describe.each(['retail', 'airline'])('the shipped %s pack', (env) => {
  it('is what the generator makes of its default seed, byte for byte', async () => {
    const folder = await shippedFolder(env);
    const made = generatePack({ env });
    const expected = new Map([...made.files, ['pack.json', manifestText(made.manifest)]]);
    // FastWorkflow's commands, phrases and weights are the program's, beside the pack.
    const isOfProgram = (file: string) => /^(?:intent-|fastworkflow-|commands\.)/.test(file);
    const shipped = (await readdir(folder)).filter((file) => !isOfProgram(file)).sort();
    expect(shipped).toEqual(Array.from(expected.keys()).sort());
    for (const file of shipped) expect(await readFile(join(folder, file), 'utf8')).toBe(expected.get(file));
  });

  it('verifies, uses every tool in its test split, and can hardly be solved by doing nothing', async () => {
    const pack = await readPack(await shippedFolder(env));
    const { summary, warnings } = inspectPack(env, pack);
    expect(warnings).toEqual([]);
    const test = summary.splits.find(({ split }) => split === 'test');
    expect(test?.tasks).toBeGreaterThanOrEqual(40);
    expect(test?.withErrors).toEqual([]);
    expect(test?.doNothing.length).toBeLessThanOrEqual((test?.tasks ?? 0) / 5);
    expect(test?.withOutputs).toBeGreaterThanOrEqual(10);
    const used = new Set(pack.splits['test']?.flatMap((task) => task.actions.map((action) => action.name)));
    expect(Array.from(used).sort()).toEqual(Object.keys(summary.toolUse).sort());
  });

  it('keeps the repository light', async () => {
    const folder = await shippedFolder(env);
    const files = await readdir(folder);
    const sizes = await Promise.all(files.map(async (file) => (await readFile(join(folder, file))).length));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(700_000);
  });
});

describe('the shipped retail pack', () => {
  it('has enough of everything', async () => {
    const { summary } = inspectPack('retail', await readPack(await shippedFolder('retail')));
    expect(summary.records['users']).toBeGreaterThanOrEqual(60);
    expect(summary.records['orders']).toBeGreaterThanOrEqual(150);
    expect(summary.records['products']).toBeGreaterThanOrEqual(12);
  });

  it('has whole prices spelt as floats, whole balances as ints, and names outside of ASCII', async () => {
    const folder = await shippedFolder('retail');
    expect(await readFile(join(folder, 'orders.json'), 'utf8')).toMatch(/"price": \d+\.0,/);
    const users = await readFile(join(folder, 'users.json'), 'utf8');
    expect(users).toMatch(/"balance": \d+,/);
    expect(users).toContain('\\u00e9');
  });
});

describe('the shipped airline pack', () => {
  it('has enough of everything, and dates of every status', async () => {
    const folder = await shippedFolder('airline');
    const { summary } = inspectPack('airline', await readPack(folder));
    expect(summary.records['flights']).toBeGreaterThanOrEqual(60);
    expect(summary.records['users']).toBeGreaterThanOrEqual(40);
    expect(summary.records['reservations']).toBeGreaterThanOrEqual(100);
    const flights = await readFile(join(folder, 'flights.json'), 'utf8');
    for (const status of ['available', 'landed', 'flying', 'cancelled', 'delayed', 'on time']) {
      expect(flights).toContain(`"status": "${status}"`);
    }
  });
});

describeWithReference('the shipped packs beside the reference', (dir) => {
  const sentences = (text: string): Set<string> =>
    new Set(
      text
        .split(/[.!?\n]|\\n/)
        .map((sentence) => sentence.trim().toLowerCase())
        .filter((sentence) => sentence.split(/\s+/).length >= 5),
    );

  it.each(['retail', 'airline'])('have not one sentence of it (%s)', async (env) => {
    const shipped = await shippedFolder(env);
    const files = ['wiki.md', 'rules.json', 'tools.json', 'user-prompts.json', 'agent-prompts.json', 'tasks-test.json'];
    const theirs = new Set<string>();
    for (const file of files) for (const s of sentences(await readFile(join(dir, env, file), 'utf8'))) theirs.add(s);
    for (const file of [...files, 'tasks-dev.json']) {
      const shared = Array.from(sentences(await readFile(join(shipped, file), 'utf8'))).filter((s) => theirs.has(s));
      expect(shared).toEqual([]);
    }
  });

  it.each(['retail', 'airline'])('have the same tools with the same parameters (%s)', async (env) => {
    const signature = async (folder: string): Promise<unknown> =>
      (await readPack(folder)).tools.map((tool) => withoutTexts(tool));
    expect(await signature(await shippedFolder(env))).toEqual(await signature(join(dir, env)));
  });

  it.each(['retail', 'airline'])('have tables of the same shape (%s)', async (env) => {
    const ours = await readPack(await shippedFolder(env));
    const theirs = await readPack(join(dir, env));
    expect(Array.from(ours.tables.keys())).toEqual(Array.from(theirs.tables.keys()));
    for (const [table, records] of ours.tables) {
      const known = shapesOf(theirs.tables.get(table) ?? null);
      for (const shape of shapesOf(records)) expect(known, table).toContain(shape);
    }
  });

  /** A schema without its sentences. */
  function withoutTexts(value: PyValue): unknown {
    if (isList(value)) return value.map(withoutTexts);
    if (!isDict(value)) return value;
    return Array.from(value)
      .filter(([key, item]) => key !== 'description' || isDict(item))
      .map(([key, item]) => [key, withoutTexts(item)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Formats of moments, dates and numbers in texts. */
  function mask(key: string, value: PyValue): string {
    const isForm = /_est$|^(date|dob|created_at|zip|last_four|tracking_id)$/.test(key);
    return isForm && typeof value === 'string' ? `=${value.replace(/\d/g, '9')}` : '';
  }

  /** Every kind of object in a table: where it lies, its keys in their order, and the types of its values. */
  function shapesOf(table: PyValue): Set<string> {
    const shapes = new Set<string>();
    const visit = (value: PyValue, path: string): void => {
      if (isList(value)) for (const item of value) visit(item, `${path}[]`);
      if (!isDict(value)) return;
      const byId = /^$|\.(dates|payment_methods|variants|options)$/.test(path);
      if (!byId) {
        const fields = Array.from(value, ([key, item]) => `${key}:${typeName(item)}${mask(key, item)}`);
        shapes.add(`${path} {${fields.join(', ')}}`);
      }
      for (const [key, item] of value) visit(item, path === '' || byId ? `${path}.*` : `${path}.${key}`);
    };
    visit(table, '');
    return shapes;
  }
});
