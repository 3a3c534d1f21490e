import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dumpJson, parseJson, isDict } from '../../../src/benchmarks/python/index.ts';
import { shippedPackFolder, readPack, tasksOfSplit } from '../../../src/benchmarks/testing.ts';
import { describeWithReference } from '../../helpers/reference.ts';
import { rejection, smallPack } from './folders.ts';

describe('reading a pack', () => {
  it('gives the tables in the order of the domain, losslessly and with their keys in order', async () => {
    const folder = await smallPack();
    const pack = await readPack(folder);
    expect(Array.from(pack.tables.keys())).toEqual(['orders', 'products', 'users']);
    for (const [table, records] of pack.tables) {
      const text = await readFile(join(folder, `${table}.json`), 'utf8');
      expect(dumpJson(records)).toBe(dumpJson(parseJson(text)));
      expect(`${dumpJson(records, { indent: 2 })}\n`).toBe(text);
    }
  });

  it('takes its name from the folder and the one above it when there is no manifest', async () => {
    const pack = await readPack(await smallPack());
    expect(pack.ref.name).toMatch(/^tauflow-packs-\w+-retail$/);
    expect(pack).toMatchObject({ domain: 'retail', source: 'a folder without pack.json', licence: 'not stated' });
  });

  it('has the same digest with a manifest and without one', async () => {
    const folder = await smallPack('with-manifest');
    const listed = await readPack(folder);
    await rm(join(folder, 'pack.json'));
    const computed = await readPack(folder);
    expect(listed.ref.name).toBe('alder-finch-7');
    expect(computed.ref.digest).toBe(listed.ref.digest);
  });

  it('has the digest that sha256sum gives for its sorted sums', async () => {
    const folder = await smallPack();
    const lines: string[] = [];
    for (const name of (await readdir(folder)).sort()) {
      const sum = createHash('sha256').update(await readFile(join(folder, name)));
      lines.push(`${sum.digest('hex')}  ${name}\n`);
    }
    const { ref } = await readPack(folder);
    expect(ref.digest).toBe(createHash('sha256').update(lines.join('')).digest('hex'));
  });

  it('ignores files that are not part of it', async () => {
    const folder = await smallPack('with-manifest');
    const before = await readPack(folder);
    await writeFile(join(folder, 'NOTES.txt'), 'hello');
    await writeFile(join(folder, 'flights.json'), 'not even JSON');
    expect((await readPack(folder)).ref).toEqual(before.ref);
  });

  it('lists the existing splits for an unknown one, also for names of object properties', async () => {
    const pack = await readPack(await smallPack('with-manifest'));
    expect(tasksOfSplit(pack, 'dev')).toHaveLength(2);
    for (const split of ['train', 'constructor']) {
      const message = await rejection(Promise.resolve().then(() => tasksOfSplit(pack, split)));
      expect(message).toBe(`PackError: the pack alder-finch-7 has no task split "${split}"; it has dev and test.`);
    }
  });

  it('reads the shipped pack with all its parts', async () => {
    const pack = await readPack((await shippedPackFolder('retail')) ?? '');
    expect(pack).toMatchObject({ domain: 'retail', licence: 'MIT', terminateTools: ['transfer_to_human_agents'] });
    expect(Object.keys(pack.userPrompts.strategies)).toEqual(['llm', 'react', 'verify', 'reflection']);
    expect(pack.tools).toHaveLength(16);
    expect(pack.rules).toHaveLength(7);
    expect(pack.userPrompts.verifyPrompt).toContain('{transcript}');
    expect(pack.userPrompts.reflectPrompt).toContain('{response}');
    expect(pack.agentPrompts['react_instruction']).toContain('Thought:');
    expect(pack.policy.length).toBeGreaterThan(4000);
  });
});

describeWithReference('reading the reference', (dir) => {
  it('gives its retail data, tasks and texts', async () => {
    const pack = await readPack(join(dir, 'retail'));
    expect(pack.ref.name).toBe('tau-bench-retail');
    expect(Object.entries(pack.splits).map(([split, tasks]) => [split, tasks.length])).toEqual([
      ['dev', 20],
      ['test', 115],
    ]);
    const sizes = Array.from(pack.tables.values(), (records) => (isDict(records) ? records.size : 0));
    expect(sizes).toEqual([1000, 50, 500]);
  });

  it('keeps every number of its tables as it is spelt', async () => {
    const pack = await readPack(join(dir, 'retail'));
    const text = await readFile(join(dir, 'retail', 'orders.json'), 'utf8');
    const numbers = (json: string): string[] => json.match(/(?<=[ [])-?\d+(\.\d+)?(?=[,\s}\]])/g) ?? [];
    expect(numbers(dumpJson(pack.tables.get('orders') ?? null))).toEqual(numbers(text));
  });

  it('gives its airline data too', async () => {
    const pack = await readPack(join(dir, 'airline'));
    expect(pack).toMatchObject({ domain: 'airline', rules: [] });
    expect(Array.from(pack.tables.keys())).toEqual(['flights', 'reservations', 'users']);
    expect(pack.splits['test']).toHaveLength(50);
  });
});
