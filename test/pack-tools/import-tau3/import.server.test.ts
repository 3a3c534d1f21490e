/** Packs of τ³-bench from a checkout in small, and from the benchmark's own data where a machine has them. */

import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { dumpJson } from '../../../src/benchmarks/python/index.ts';
import { domains } from '../../../src/benchmarks/tau3/testing.ts';
import { tau3Importer } from '../../../src/pack-tools/import-tau3/index.ts';
import { readPack, renderUserSystemPrompt, writePack, type PackError } from '../../../src/benchmarks/packs/index.ts';
import { TOOL_SCHEMAS, tau3CheckoutFiles, writeTau3Checkout } from '../../helpers/tau3-checkout.ts';
import { NO_TAU3, tau3Dir } from '../../helpers/tau3-folder.ts';
import { scratchFolder } from '../../benchmarks/packs/folders.ts';

const OWN = ['tau3-retail', 'tau3-telecom'];

async function imported(files = tau3CheckoutFiles(), domains = OWN) {
  const folder = await writeTau3Checkout(await scratchFolder(), files);
  return tau3Importer.read(folder, 'it', { domains });
}

async function refusal(files: Record<string, string>, domains = OWN): Promise<string> {
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
    expect(await refusal(tau3CheckoutFiles('2.0.0'))).toMatch(
      /^it: this is tau2-bench 2\.0\.0, another benchmark: frozen subsets of 50 tasks, six languages, .* check out 1\.x/,
    );
    expect(await refusal(tau3CheckoutFiles('0.2.0'))).toContain('whose tasks were corrected in 1.0');
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
    const message = await refusal(Object.fromEntries(kept));
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
