import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findPackByRef,
  listPacks,
  resolvePack,
  shippedPackFolder,
  writePack,
  readPack,
} from '../../../src/benchmarks/testing.ts';
import { generatePack } from '../../../packages/task-generator/src/testing.ts';
import { describeWithReference } from '../../helpers/reference.ts';
import { rejection, scratchFolder } from './folders.ts';

/** A home with one imported pack, whose seed no other test uses: packs of a process are kept by digest. */
async function homeWith(name: string, seed: number): Promise<{ home: string; folder: string }> {
  const home = await scratchFolder();
  const folder = join(home, 'packs', name);
  await writePack(folder, generatePack({ seed, tasks: 2, devTasks: 1, customers: 6, name }));
  return { home, folder };
}

describe('resolving a pack', () => {
  it('returns the shipped one if none is named', async () => {
    const pack = await resolvePack('retail');
    expect(pack.ref).toMatchObject({ name: 'alder-finch', path: await shippedPackFolder('retail') });
    const airline = await resolvePack('airline');
    expect(airline.ref).toMatchObject({ name: 'kittiwake', path: await shippedPackFolder('airline') });
  });

  it('accepts a folder or the name of an imported pack', async () => {
    const { home, folder } = await homeWith('corner-shop', 101);
    const byPath = await resolvePack('retail', folder, { home });
    const byName = await resolvePack('retail', 'corner-shop', { home });
    expect(byPath.ref).toEqual({ name: 'corner-shop', digest: byPath.ref.digest, path: folder });
    expect(byName).toBe(byPath);
  });

  it('accepts the name of the shipped pack', async () => {
    expect((await resolvePack('retail', 'alder-finch')).ref.path).toBe(await shippedPackFolder('retail'));
  });

  it('lists the known packs for an unknown name', async () => {
    const { home } = await homeWith('corner-shop', 102);
    expect(await rejection(resolvePack('retail', 'corner-shap', { home }))).toBe(
      'PackError: there is no pack "corner-shap": no folder of that name is here, and the known packs are ' +
        'alder-finch, kittiwake and corner-shop.',
    );
  });

  it('explains how to import tau-bench’s pack if it was not imported', async () => {
    expect(await rejection(resolvePack('retail', 'tau-bench-retail'))).toBe(
      'PackError: there is no pack "tau-bench-retail": no folder of that name is here, and the known packs are ' +
        'alder-finch and kittiwake; import tau-bench’s own with `npx tauflow data import`.',
    );
  });

  it('names the missing folder when a path was given', async () => {
    expect(await rejection(resolvePack('retail', './no/such'))).toBe(
      "PackError: ./no/such: no such folder; give the folder of a domain pack or an imported pack's name.",
    );
  });

  it('reports that no pack is shipped for the env', async () => {
    expect(await rejection(resolvePack('hotel'))).toBe(
      'PackError: no pack is shipped for the env hotel; name one with --pack.',
    );
  });
});

describe('finding the pack of a sweep', () => {
  it('gives the same object every time', async () => {
    const pack = await resolvePack('retail');
    const [first, second] = await Promise.all([findPackByRef(pack.ref), findPackByRef(pack.ref)]);
    expect(first).toBe(second);
    expect(first?.ref.digest).toBe(pack.ref.digest);
  });

  it('finds it elsewhere when the path of the other machine does not exist here', async () => {
    const { home, folder } = await homeWith('moved', 103);
    const { ref } = await readPack(folder);
    const found = await findPackByRef({ ...ref, path: '/no/such/place' }, { home });
    expect(found?.ref.path).toBe(folder);
  });

  it('finds the same files without their manifest', async () => {
    const { home, folder } = await homeWith('bare', 104);
    const { ref } = await readPack(folder);
    await rm(join(folder, 'pack.json'));
    expect((await findPackByRef(ref, { home }))?.ref.digest).toBe(ref.digest);
  });

  it('refuses a pack with other files, whatever its name and path', async () => {
    const { home, folder } = await homeWith('changed', 105);
    const { ref } = await readPack(folder);
    await writeFile(join(folder, 'wiki.md'), 'Be generous.');
    expect(await findPackByRef(ref, { home })).toBeUndefined();
    await rm(join(folder, 'pack.json'));
    expect(await findPackByRef(ref, { home })).toBeUndefined();
  });

  it('searches again after it found nothing', async () => {
    const { home, folder } = await homeWith('late', 106);
    const { ref } = await readPack(folder);
    const aside = join(home, 'aside');
    await rename(folder, aside);
    expect(await findPackByRef(ref, { home })).toBeUndefined();
    await rename(aside, folder);
    expect((await findPackByRef(ref, { home }))?.ref.path).toBe(folder);
  });
});

describe('listing packs', () => {
  it('shows the shipped ones, then the imported ones, and what is wrong with a broken one', async () => {
    const { home, folder } = await homeWith('sound', 107);
    const broken = join(dirname(folder), 'broken');
    await cp(folder, broken, { recursive: true });
    await rm(join(broken, 'tools.json'));
    await mkdir(join(home, 'packs', '.half-written'));
    const list = await listPacks({ home });
    expect(list.map(({ name, origin, kind }) => [name, origin, kind])).toEqual([
      ['alder-finch', 'shipped', 'usable'],
      ['kittiwake', 'shipped', 'usable'],
      ['broken', 'imported', 'broken'],
      ['sound', 'imported', 'usable'],
    ]);
    expect(list[2]).toMatchObject({
      problem: `${join(broken, 'tools.json')}: the file is missing; a retail pack needs it.`,
    });
  });

  it('shows the shipped ones without a home folder', async () => {
    expect((await listPacks()).map((entry) => entry.name)).toEqual(['alder-finch', 'kittiwake']);
  });
});

describeWithReference('the reference as a pack', (dir) => {
  it('is refused with a hint if it is of another domain', async () => {
    const folder = join(dir, 'airline');
    expect(await rejection(resolvePack('retail', folder))).toBe(
      `PackError: the pack tau-bench-airline in ${folder} is of the domain airline, but the env is retail; ` +
        'use --env airline or another pack.',
    );
  });

  it('is found by its path, although it has no manifest', async () => {
    const pack = await resolvePack('retail', join(dir, 'retail'));
    expect(pack.ref.name).toBe('tau-bench-retail');
    expect(await findPackByRef(pack.ref)).toBe(pack);
  });
});
