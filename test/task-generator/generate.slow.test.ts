import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyAction, openOverlay, type Task } from '../../src/benchmarks/index.ts';
import { isDict } from '../../src/benchmarks/python/index.ts';
import { generatePack, DIFFICULTIES, Random, type GeneratedPack } from '../../packages/task-generator/src/testing.ts';
import { writePack, readPack, inspectPack, type Pack } from '../../src/benchmarks/testing.ts';
import { inMemory, rejection, scratchFolder, SMALL } from '../benchmarks/packs/folders.ts';

function texts(pack: GeneratedPack): string {
  return Array.from(pack.files, ([file, text]) => `${file}\n${text}`).join('\n');
}

/** The observations of a task's ground truth. */
function observations(pack: Pack, task: Task): string[] {
  const overlay = openOverlay(pack);
  return task.actions.map((action) => applyAction(pack, overlay, action).observation);
}

describe('the generator', () => {
  it.each(['retail', 'airline'])('makes the same %s pack of the same seed and another one of another', (env) => {
    for (const difficulty of DIFFICULTIES) {
      const options = { ...SMALL, env, difficulty };
      expect(texts(generatePack(options))).toBe(texts(generatePack(options)));
      expect(texts(generatePack(options))).not.toBe(texts(generatePack({ ...options, seed: 8 })));
    }
  });

  it.each(['retail', 'airline'])('gives a %s pack that verifies, for any seed, size and difficulty', (env) => {
    const sizes = fc.record({
      seed: fc.nat(),
      tasks: fc.integer({ min: 1, max: 60 }),
      customers: fc.integer({ min: 20, max: 80 }),
      difficulty: fc.constantFrom(...DIFFICULTIES),
    });
    fc.assert(
      fc.property(sizes, (options) => {
        const { warnings, summary } = inspectPack('made', inMemory(generatePack({ ...options, env })));
        expect(warnings).toEqual([]);
        const test = summary.splits.find(({ split }) => split === 'test');
        expect(test).toMatchObject({ tasks: options.tasks, withErrors: [] });
        const refused = options.difficulty === 'hard' ? 1 / 3 : options.difficulty === 'easy' ? 0 : 1 / 4;
        expect(test?.doNothing.length).toBeLessThanOrEqual(Math.ceil(options.tasks * refused));
      }),
      { numRuns: 15 },
    );
  });

  it.each([
    ['retail', 16],
    ['airline', 14],
  ])('uses every tool of %s in a pack of the default size, whatever the seed', (env, tools) => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const pack = inMemory(generatePack({ env, seed }));
        const used = new Set(pack.splits['test']?.flatMap((task) => task.actions.map((action) => action.name)));
        expect(used.size).toBe(tools);
      }),
      { numRuns: 10 },
    );
  });

  it('asks only for outputs that the ground truth comes upon', () => {
    const pack = inMemory(generatePack({ seed: 11, tasks: 120 }));
    for (const task of pack.splits['test'] ?? []) {
      const seen = observations(pack, task).join('\n');
      const counts = /how many (versions|of them)/.test(task.instruction);
      for (const output of task.outputs) if (!counts) expect(seen).toContain(output);
    }
  });

  it('counts the versions of a product as the data has them', () => {
    const pack = inMemory(generatePack({ seed: 12, tasks: 120 }));
    const products = pack.tables.get('products');
    const asked = (pack.splits['test'] ?? []).filter((task) => /how many (versions|of them)/.test(task.instruction));
    expect(asked.length).toBeGreaterThan(0);
    for (const task of asked) {
      const id = task.actions.at(-1)?.kwargs.get('product_id');
      const product = isDict(products) && typeof id === 'string' ? products.get(id) : undefined;
      const variants = isDict(product) ? product.get('variants') : undefined;
      const all = isDict(variants) ? Array.from(variants.values()) : [];
      const available = all.filter((variant) => isDict(variant) && variant.get('available') === true);
      expect(task.outputs).toEqual([String(all.length), String(available.length)]);
    }
  });

  it('gives no instruction twice in a pack of hundreds of tasks, and is quick about it', () => {
    const started = performance.now();
    const made = generatePack({ seed: 3, tasks: 300 });
    expect(performance.now() - started).toBeLessThan(10_000);
    const pack = inMemory(made);
    const instructions = Object.values(pack.splits).flatMap((tasks) => tasks.map((task) => task.instruction));
    expect(instructions).toHaveLength(308);
    for (const instruction of instructions) {
      expect(instructions.filter((other) => other.includes(instruction))).toHaveLength(1);
    }
    expect(inspectPack('made', pack).warnings).toEqual([]);
  });

  it.each([
    [{ tasks: 0 }, 'the number of tasks must be whole and from 1 to 50000, not 0.'],
    [{ tasks: 2.5 }, 'the number of tasks must be whole and from 1 to 50000, not 2.5.'],
    [{ productTypes: 99 }, 'the number of product types must be whole and from 6 to 18, not 99.'],
    [{ customers: 10, orders: 9 }, 'the number of orders must be whole and from 10 to 50, not 9.'],
    [{ seed: -1 }, 'the seed must be whole and from 0 to 9007199254740991, not -1.'],
    [{ env: 'hotel' }, 'no pack can be generated for the env hotel; there are retail and airline.'],
    [{ env: 'airline', orders: 9 }, 'the domain airline has no orders; leave --orders out.'],
    [{ productTypes: 9, env: 'airline' }, 'the domain airline has no product types; leave --product-types out.'],
    [{ flights: 60 }, 'the domain retail has no flights; leave --flights out.'],
    [{ env: 'airline', flights: 3 }, 'the number of flights must be whole and from 40 to 300, not 3.'],
    [{ name: '../up' }, '"../up" is not a pack\'s name: letters, digits, ".", "_" and "-" only.'],
  ])('refuses %j in one sentence', async (options, sentence) => {
    const made = Promise.resolve().then(() => generatePack(options));
    expect(await rejection(made)).toBe(`PackError: ${sentence}`);
  });
});

describe('writing a pack', () => {
  it('makes a folder that reads as what was generated, and leaves nothing else behind', async () => {
    const parent = await scratchFolder();
    const made = generatePack(SMALL);
    await writePack(join(parent, 'deep', 'shop'), made);
    const pack = await readPack(join(parent, 'deep', 'shop'));
    expect(pack.ref).toMatchObject({ name: made.manifest.name, digest: inMemory(made).ref.digest });
    expect(await readdir(join(parent, 'deep'))).toEqual(['shop']);
  });

  it('puts a new pack in the place of an old one only on demand', async () => {
    const folder = join(await scratchFolder(), 'shop');
    await writePack(folder, generatePack(SMALL));
    const next = generatePack({ ...SMALL, seed: 8 });
    expect(await rejection(writePack(folder, next))).toBe(
      `PackError: ${folder}: there is a pack already; name another folder.`,
    );
    await writePack(folder, next, { replace: true });
    expect((await readPack(folder)).ref.name).toBe('alder-finch-8');
  });

  it('never replaces a folder with something else in it', async () => {
    const folder = await scratchFolder();
    await writeFile(join(folder, 'thesis.txt'), 'four years of work');
    expect(await rejection(writePack(folder, generatePack(SMALL), { replace: true }))).toBe(
      `PackError: ${folder}: the folder is not empty and holds no pack; name another one.`,
    );
    expect(await readdir(folder)).toEqual(['thesis.txt']);
  });

  it('says when it cannot write', async () => {
    const file = join(await scratchFolder(), 'file');
    await writeFile(file, '');
    expect(await rejection(writePack(join(file, 'shop'), generatePack(SMALL)))).toBe(
      `PackError: ${join(file, 'shop')}: the folder cannot be used (ENOTDIR); name another one.`,
    );
  });
});

describe('seeded randomness', () => {
  it('is the same everywhere', () => {
    const random = new Random('1');
    expect(Array.from({ length: 5 }, () => random.int(0, 999))).toMatchInlineSnapshot(`
      [
        432,
        93,
        596,
        548,
        511,
      ]
    `);
  });

  it('has streams of their own', () => {
    const one = new Random('1');
    const two = new Random('1');
    two.next();
    expect(one.fork('x').next()).toBe(two.fork('x').next());
    expect(one.fork('x').next()).not.toBe(one.fork('y').next());
  });

  it('covers its range evenly', () => {
    const random = new Random('even');
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < 4000; i++) {
      const at = random.int(0, 3);
      counts[at] = (counts[at] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});
