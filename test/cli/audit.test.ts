import { cp } from 'node:fs/promises';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shippedPackFolder } from '../../src/benchmarks/testing.ts';
import { scratchFolder, tauflow } from './in-process.ts';

/** The shipped pack with tasks of the dev split whose one change is refused. */
async function spoiltPack(spoilt: readonly number[] = [0]): Promise<string> {
  const folder = join(scratchFolder(), 'retail');
  await cp((await shippedPackFolder('retail')) ?? '', folder, { recursive: true });
  rmSync(join(folder, 'pack.json'));
  const file = join(folder, 'tasks-dev.json');
  const tasks = JSON.parse(readFileSync(file, 'utf8')) as object[];
  const action = { name: 'cancel_pending_order', kwargs: { order_id: '#W0', reason: 'no longer needed' } };
  writeFileSync(
    file,
    JSON.stringify(tasks.map((task, id) => (spoilt.includes(id) ? { ...task, actions: [action], outputs: [] } : task))),
  );
  return folder;
}

describe('tauflow data verify --audit', () => {
  it('finds nothing wrong in the shipped pack, and reports its floor', async () => {
    const { code, stdout } = await tauflow(['data', 'verify', 'alder-finch', '--audit', '--fail-on', 'wrong']);
    expect(code).toBe(0);
    expect(stdout).toContain('audit: 0 wrong');
    expect(stdout).toMatch(/test: doing nothing solves \d+ of \d+ tasks \(\d+\.\d %\)/);
  });

  it('prints a table by kind and what is wrong, and fails only when asked to', async () => {
    const folder = await spoiltPack([0, 2, 3, 5, 6, 7]);
    const calm = await tauflow(['data', 'verify', folder, '--audit']);
    expect(calm.code).toBe(0);
    expect(calm.stdout).toMatch(/has a call that is answered with an error +│ wrong +│ dev 0, 2, 3, 5–7 /);
    expect(calm.stdout).toContain('wrong: dev 0: cancel_pending_order is refused');
    expect(calm.stdout).toContain('    Error: order not found');
    expect(calm.stdout).not.toContain('warning:');
    const strict = await tauflow(['data', 'verify', folder, '--audit', '--fail-on', 'suspicious']);
    expect(strict).toMatchObject({
      code: 1,
      stderr: '1 of 1 packs have findings that fail --fail-on suspicious.',
    });
  });

  it('prints one document with every finding', async () => {
    const folder = await spoiltPack();
    const { stdout } = await tauflow(['data', 'verify', folder, '--audit', '--json']);
    const [report] = JSON.parse(stdout) as { audit: { splits: object[]; counts: object; findings: object[] } }[];
    expect(report?.audit.counts).toMatchObject({ wrong: 1 });
    expect(report?.audit.splits).toMatchObject([
      { split: 'dev', do_nothing: expect.any(Array) as unknown[], wrong: [0] },
      {},
    ]);
    expect(report?.audit.findings).toContainEqual(
      expect.objectContaining({ kind: 'failing-call', severity: 'wrong', split: 'dev', task: 0 }),
    );
  });

  it('has no audit in the document when none was asked for, and null when the pack cannot be read', async () => {
    const plain = await tauflow(['data', 'verify', 'alder-finch', '--json']);
    expect(plain.stdout).not.toContain('"audit"');
    const gone = await tauflow(['data', 'verify', './gone', '--audit', '--json']);
    expect(gone.code).toBe(2);
    expect(JSON.parse(gone.stdout)).toMatchObject([{ summary: null, audit: null }]);
  });

  it('refuses flags that do not fit', async () => {
    const alone = await tauflow(['data', 'verify', '--fail-on', 'wrong']);
    expect(alone).toMatchObject({ code: 2, stderr: 'error: --fail-on needs --audit; give both.' });
    const word = await tauflow(['data', 'verify', '--audit', '--fail-on', 'remark']);
    expect(word).toMatchObject({ code: 2, stderr: 'error: --fail-on must be wrong or suspicious, not "remark".' });
  });
});
