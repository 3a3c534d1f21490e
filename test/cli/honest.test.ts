/** Sentences of commands on packs and limits, so that nobody takes them for something else. */

import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { announceRun } from '../../src/cli/run/testing.ts';
import { resolveRequest } from '../../src/run-setup/index.ts';
import { parseRunOptions } from '../../src/run-setup/index.ts';
import { reportToMarkdown, subjectOfFile } from '../../src/results/report/index.ts';
import { buildReport } from '../../src/results/report/testing.ts';
import { renderReport } from '../results/fixtures.ts';
import { inProcessContext, scratchFolder, tauflow } from './in-process.ts';

const shipped = fileURLToPath(new URL('../../data/retail', import.meta.url));
const NOTE =
  "These are not tau-bench's tasks: the pack alder-finch is synthetic. Get tau-bench's with `npx tauflow data import` " +
  'and run them with `--pack tau-bench-retail`.';

/** The shipped pack, with another origin. */
function packFrom(source: string): string {
  const folder = join(scratchFolder(), 'pack');
  cpSync(shipped, folder, { recursive: true });
  const file = join(folder, 'pack.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...manifest, source }));
  return folder;
}

describe("tau-bench's own command line on the shipped pack", () => {
  const request = (pack?: string) => {
    const cwd = scratchFolder();
    // As tau-bench's README has it.
    const options = { env: 'retail', taskIds: ['2', '4', '6'], model: 'gpt-4o', modelProvider: 'openai' };
    return resolveRequest(parseRunOptions({ ...options, ...(pack === undefined ? {} : { pack }) }), {
      cwd,
      home: cwd,
      now: new Date(0),
    });
  };

  it('says at its start that the tasks are others', async () => {
    const { context, ended } = inProcessContext([]);
    announceRun(await request(), context);
    expect(
      ended()
        .stderr.split('\n')
        .filter((line) => line.trim() === NOTE),
    ).toHaveLength(1);
  });

  it('says nothing of the kind for a pack that nobody has generated', async () => {
    const { notes } = await request(packFrom('https://github.com/sierra-research/tau-bench, commit 59a200c'));
    expect(notes).not.toContain(NOTE);
    expect((await request()).notes).toContain(NOTE);
  });

  it('says it beside the leaderboard row', () => {
    const report = {
      ...buildReport({ ...subjectOfFile('r.json'), notes: [NOTE] }, []),
      leaderboardRow: '| TC (gpt-4o) | 1.000 | ?? | ?? | ?? |',
    };
    expect(renderReport(report, { color: false, columns: 200 })).toContain(`${report.leaderboardRow}\n${NOTE}\n`);
    expect(reportToMarkdown(report)).toContain(`${report.leaderboardRow}\n\n> ${NOTE}`);
    const plain = { ...report, subject: { ...report.subject, notes: [] }, remarks: [] };
    expect(renderReport(plain, { color: false, columns: 200 })).not.toContain('These are not');
  });
});

describe('--max-concurrency', () => {
  it('has a bound, and says why', async () => {
    const { code, stderr } = await tauflow(['run', '--max-concurrency', '100000000', '--dry-run']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--max-concurrency must be at most 10000: each open episode takes memory of a worker/);
    expect((await tauflow(['set', 'r', '--max-concurrency', '100000000'])).stderr).toContain('must be at most 10000');
  });
});

describe('data verify', () => {
  it('groups warnings of a kind: how many, and the first few', async () => {
    const folder = packFrom('somewhere');
    const file = join(folder, 'tasks-dev.json');
    const tasks = JSON.parse(readFileSync(file, 'utf8')) as { actions: unknown[] }[];
    for (const task of tasks) task.actions.unshift({ name: 'get_order_details', kwargs: { order_id: '#W0' } });
    writeFileSync(file, JSON.stringify(tasks));
    // Without it the digests are computed.
    rmSync(join(folder, 'pack.json'));
    const { code, stdout } = await tauflow(['data', 'verify', folder]);
    expect(code, stdout).toBe(0);
    expect(stdout).toContain('  warning: 8 ground-truth calls that fail; the first 3 (--json has all):\n');
    expect(stdout.match(/is answered Error: order not found/g)).toHaveLength(3);
    const { stdout: json } = await tauflow(['data', 'verify', folder, '--json']);
    expect((JSON.parse(json) as { warnings: string[] }[])[0]?.warnings).toHaveLength(8);
  });
});
