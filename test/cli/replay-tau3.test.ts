/** `tauflow replay` on packs of τ³-bench: our own in small, and every recorded sequence where a machine has them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { dumpJson, type DumpableValue } from '../../src/benchmarks/python/index.ts';
import { tau3Importer } from '../../src/pack-tools/import-tau3/index.ts';
import { writePack } from '../../src/benchmarks/packs/index.ts';
import { dict, field, items } from '../benchmarks/helpers.ts';
import { writeTau3Folder } from '../helpers/tau3-checkout.ts';
import { NO_TAU3, tau3Dir } from '../helpers/tau3-folder.ts';
import { scratchFolder } from '../benchmarks/packs/folders.ts';
import { tauflow } from './in-process.ts';

interface Step {
  readonly requestor?: string;
  readonly name: string;
  readonly observation: string;
  readonly error: boolean;
  readonly db: string;
  readonly user_db?: string;
}

async function packFolder(checkout: string, domain: string): Promise<string> {
  const { packs } = await tau3Importer.read(checkout, undefined, { domains: [domain] });
  const folder = join(await scratchFolder(), domain);
  const [pack] = packs;
  if (pack === undefined) throw new Error('no pack');
  await writePack(folder, pack);
  return folder;
}

async function replayed(pack: string, lines: readonly DumpableValue[]) {
  const stdin = lines.map((line) => `${dumpJson(line)}\n`);
  const { stdout, stderr, code } = await tauflow(['replay', '--pack', pack], { stdin });
  const rows = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { steps: Step[] });
  return { rows: rows.map(({ steps }) => steps), stderr, code };
}

describe('replay of τ³-bench', () => {
  it('begins in the task’s initial state, and hashes both databases after each call', async () => {
    const pack = await packFolder(await writeTau3Folder(await scratchFolder()), 'tau3-telecom');
    const steps = [
      { requestor: 'user', name: 'toggle_data', kwargs: {} },
      { name: 'refuel_data', kwargs: { customer_id: 'C1', line_id: 'L1', gb_amount: 2.0 } },
      { requestor: 'user', name: 'refuel_data', kwargs: {} },
      { name: 'respond', kwargs: { content: 'Hi' } },
    ];
    const { rows, code } = await replayed(pack, [{ task_id: '[data]off', steps }, { steps }]);
    expect(code).toBe(0);
    const [prepared = [], fresh = []] = rows;
    expect(prepared.map(({ requestor, error }) => [requestor, error])).toEqual([
      ['user', false],
      [undefined, false],
      ['user', true],
      [undefined, true],
    ]);
    expect(prepared[0]?.observation).toContain('ON');
    expect(fresh[0]?.observation).toContain('OFF');
    expect(prepared[3]?.observation).toBe("Error: Tool 'respond' not found.");
    expect(prepared[0]?.db).not.toBe(prepared[1]?.db);
    expect(prepared[0]?.user_db).not.toBe(prepared[1]?.user_db);
    expect(prepared[2]).toMatchObject({ db: prepared[1]?.db, user_db: prepared[1]?.user_db });
  });

  it('names the line whose task the pack does not have', async () => {
    const pack = await packFolder(await writeTau3Folder(await scratchFolder()), 'tau3-retail');
    const { rows, stderr, code } = await replayed(pack, [
      { task_id: 'x', steps: [] },
      { task_id: null, steps: [] },
    ]);
    expect([rows.length, code]).toEqual([1, 2]);
    expect(stderr).toContain(`line 1 has a "task_id" that is no task's of tau3-retail.`);
  });
});

if (tau3Dir === null) console.warn(`replays of τ³-bench's recordings are skipped: ${NO_TAU3}`);

interface Recorded {
  readonly calls: readonly Step[];
}

describe.skipIf(tau3Dir === null).each(['retail', 'airline', 'telecom'])('recordings of %s', (name) => {
  it('are replayed to the letter', async () => {
    const dir = tau3Dir ?? '';
    const pack = await packFolder(dir, `tau3-${name}`);
    const text = readFileSync(join(dir, 'golden', `${name}-fuzz.jsonl`), 'utf8').trimEnd();
    const recorded = text.split('\n').map((line) => JSON.parse(line) as Recorded);
    // Numbers keep their spelling: 2.0 is not 2.
    const lines = text.split('\n').map((line) => {
      const recording = dict(line);
      const steps = items(field(recording, 'calls')).map((call) => ({
        requestor: field(call, 'requestor'),
        name: field(call, 'name'),
        kwargs: field(call, 'arguments'),
      }));
      return { task_id: field(recording, 'task_id'), steps };
    });
    const { rows } = await replayed(pack, lines);
    const shown = (steps: readonly Step[]) =>
      steps.map(({ observation, error, db, user_db }) => [observation, error, db, user_db]);
    expect(rows.map(shown)).toEqual(recorded.map(({ calls }) => shown(calls)));
  });
});
