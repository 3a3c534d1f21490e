import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isScratchName, removeStaleScratch, writeFileAtomically } from '../../src/io/index.ts';
import { RunLog } from '../../src/run-log/index.ts';
import { record } from '../results/fixtures.ts';

function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tauflow-io-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function* pieces(count: number): AsyncGenerator<string, void, undefined> {
  for (let i = 0; i < count; i++) yield await Promise.resolve('é'.repeat(100_000));
}

const module = fileURLToPath(new URL('../../dist/src/io/atomic-file.js', import.meta.url));

/** Runs the lines in a process of its own, in which `writeFileAtomically` is known. */
function run(code: string, before = ''): { readonly out: string; readonly signal: NodeJS.Signals | null } {
  const source = `const { writeFileAtomically } = await import(${JSON.stringify(module)});\n${code}`;
  const script = `${before} exec "$0" --input-type=module -e "$1"`;
  const { stdout, signal } = spawnSync('bash', ['-c', script, process.execPath, source], { encoding: 'utf8' });
  return { out: stdout.trim(), signal };
}

describe('a file that is written as a whole', () => {
  it('has all of the text, or of its pieces, and the permissions asked for', async () => {
    const folder = scratchFolder();
    const file = join(folder, 'a.json');
    expect(await writeFileAtomically(file, 'ä')).toBe(2);
    expect(readFileSync(file, 'utf8')).toBe('ä');
    expect(await writeFileAtomically(file, pieces(7), { mode: 0o600 })).toBe(1_400_000);
    expect(readFileSync(file, 'utf8')).toBe('é'.repeat(700_000));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  it('stays as it was where its pieces fail', async () => {
    const folder = scratchFolder();
    const file = join(folder, 'a.json');
    writeFileSync(file, 'before');
    async function* failing(): AsyncGenerator<string, void, undefined> {
      yield await Promise.resolve('x'.repeat(400_000));
      throw new Error('no more');
    }
    await expect(writeFileAtomically(file, failing())).rejects.toThrow('no more');
    expect(readFileSync(file, 'utf8')).toBe('before');
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  // The first write takes 100 kB of the 300 kB without an error; only the second one fails.
  it.each([
    ['a text', "'x'.repeat(300_000)"],
    ['pieces', "(async function* () { yield 'x'.repeat(300_000); })()"],
  ])('stays as it was where the process may not write that much: %s', (_, content) => {
    const folder = scratchFolder();
    const file = join(folder, 'a.json');
    writeFileSync(file, 'before');
    const { out } = run(
      `await writeFileAtomically(${JSON.stringify(file)}, ${content}).then(
         () => console.log('written'), (error) => console.log(error.code));`,
      'ulimit -f 100;',
    );
    expect(out).toBe('EFBIG');
    expect(readFileSync(file, 'utf8')).toBe('before');
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  it('stays as it was on a full disk', async ({ skip }) => {
    const folder = scratchFolder();
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tauflow-test', folder], { stdio: 'ignore' });
    } catch {
      skip('a small file system cannot be mounted here');
    }
    onTestFinished(() => void execFileSync('umount', [folder]));
    const file = join(folder, 'a.json');
    await writeFileAtomically(file, 'before');
    await expect(writeFileAtomically(file, 'x'.repeat(300_000))).rejects.toMatchObject({ code: 'ENOSPC' });
    await expect(writeFileAtomically(file, pieces(3))).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(readFileSync(file, 'utf8')).toBe('before');
    expect(readdirSync(folder)).toEqual(['a.json']);
    await writeFileAtomically(file, 'y'.repeat(100_000));
    expect(statSync(file).size).toBe(100_000);
  });
});

describe('what a killed writer has left', () => {
  it('is removed, and files that are being written stay', async () => {
    const folder = scratchFolder();
    const { signal } = run(`
      await writeFileAtomically(${JSON.stringify(join(folder, 'r.json'))}, (async function* () {
        yield 'x'.repeat(300_000);
        process.kill(process.pid, 'SIGKILL');
        await new Promise(() => undefined);
      })());`);
    expect(signal).toBe('SIGKILL');
    const [left = '', ...more] = readdirSync(folder);
    expect(more).toEqual([]);
    expect(isScratchName(left)).toBe(true);

    let unfinished = '';
    const file = join(folder, 'own.json');
    await writeFileAtomically(
      file,
      (async function* () {
        unfinished = readdirSync(folder).find((name) => name.startsWith('.own.json')) ?? '';
        await removeStaleScratch(folder);
        yield 'written';
      })(),
    );
    expect(isScratchName(unfinished)).toBe(true);
    expect(readdirSync(folder)).toEqual(['own.json']);
  });

  it('of a process that cannot be asked for is removed after an hour, and nothing else is', async () => {
    const folder = scratchFolder();
    const elsewhere = '.run.json.00000000-1-00000000-1.tmp';
    const others = ['run.json', 'run.json.1', '.notes.tmp', 'task-1.trial-0.json'];
    for (const name of [elsewhere, ...others]) writeFileSync(join(folder, name), '');
    await removeStaleScratch(folder);
    expect(readdirSync(folder)).toHaveLength(5);
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), new Date(0), new Date(0));
    await removeStaleScratch(folder);
    expect(readdirSync(folder).sort()).toEqual([...others].sort());
    await removeStaleScratch(join(folder, 'missing'));
    expect(existsSync(join(folder, 'missing'))).toBe(false);
  });
});

describe('the record of an episode on a full disk', () => {
  it('fails with a sentence that names the folder, and leaves no part of it', async ({ skip }) => {
    const logDir = scratchFolder();
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tauflow-test', logDir], { stdio: 'ignore' });
    } catch {
      skip('a small file system cannot be mounted here');
    }
    onTestFinished(() => void execFileSync('umount', [logDir]));
    const log = new RunLog({ runId: 'run-1', logDir });
    await log.writeEpisode(record(1, 0));
    const long = record(2, 0, { served: Array.from({ length: 9000 }, (_, i) => `model-${String(i)}`) });
    await expect(log.writeEpisode(long)).rejects.toMatchObject({
      problem: 'disk_full',
      message: `the disk of ${logDir} is full: free space there; what waits to be written is then written`,
    });
    expect((await log.listEpisodes()).episodes).toEqual([{ taskId: 1, trial: 0 }]);
    expect(await log.readEpisode({ taskId: 1, trial: 0 })).toEqual(record(1, 0));
  });
});
