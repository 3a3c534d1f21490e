import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FIXTURE } from '../pack-tools/import/checkouts.ts';
import { scratchFolder, tauflow, type Ended } from './in-process.ts';

const TASKS = 'tau_bench/envs/retail/tasks_test.py';

function copyOfFixture(): string {
  const folder = join(scratchFolder(), 'checkout');
  cpSync(FIXTURE, folder, { recursive: true });
  return folder;
}

/** `data import` with a home of its own. */
async function importInto(home: string, ...words: string[]): Promise<Ended> {
  return tauflow(['data', 'import', ...words], { cwd: home, env: { TAUFLOW_HOME: home } });
}

/** Everything in the home, hidden things too. */
function namesIn(home: string): string[] {
  return existsSync(join(home, 'packs')) ? readdirSync(join(home, 'packs')).sort() : [];
}

function manifestOf(home: string, name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(home, 'packs', name, 'pack.json'), 'utf8')) as Record<string, unknown>;
}

const hasGit = (() => {
  try {
    execFileSync('git', ['--version']);
    return true;
  } catch {
    return false;
  }
})();

/** A repository with two commits of the fixture; the first one has another task. */
function repository(): { readonly folder: string; readonly commits: readonly string[] } {
  const folder = copyOfFixture();
  const git = (...words: string[]): string => {
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
    return execFileSync('git', ['-C', folder, ...who, ...words], { encoding: 'utf8', stdio: 'pipe' }).trim();
  };
  const text = readFileSync(join(folder, TASKS), 'utf8');
  git('init', '--quiet');
  const commits = [text.replace('Your café', 'Your shop'), text].map((version) => {
    writeFileSync(join(folder, TASKS), version);
    git('add', '.');
    git('commit', '--quiet', '-m', 'a version');
    return git('rev-parse', 'HEAD');
  });
  return { folder, commits };
}

describe('data import', () => {
  it('makes packs that data list and --pack find by name, and says what came and how to go on', async () => {
    const home = scratchFolder();
    const { code, stdout } = await importInto(home, FIXTURE);
    expect(code).toBe(0);
    expect(stdout).toContain(
      'pack tau-bench-retail in packs/tau-bench-retail: 1 order, 1 product, 1 user, 2 test tasks,',
    );
    expect(stdout).toContain("warning: the checkout differs from tau-bench's commit 59a200c in ");
    expect(stdout).toContain(
      'run with: tauflow run --env retail --pack tau-bench-retail --agent-strategy tool-calling',
    );
    expect(namesIn(home)).toEqual(['tau-bench-airline', 'tau-bench-retail']);
    expect(existsSync(join(home, 'packs', 'tau-bench-retail', 'LICENSE'))).toBe(true);

    const surroundings = { cwd: home, env: { TAUFLOW_HOME: home } };
    expect((await tauflow(['data', 'list'], surroundings)).stdout).toMatch(
      /tau-bench-retail\s+│ imported │ dev 1, test 2, train 1/,
    );
    const verified = await tauflow(['data', 'verify', 'tau-bench-retail', 'tau-bench-airline'], surroundings);
    expect(verified.code).toBe(0);
  });

  it('prints one JSON document on request', async () => {
    const home = scratchFolder();
    const { stdout } = await importInto(
      home,
      FIXTURE,
      '--env',
      'airline',
      '--name',
      'planes',
      '--out',
      'here',
      '--json',
    );
    expect(JSON.parse(stdout)).toMatchObject({
      commit: null,
      files: { compared_with: '59a200c6d575d595120f1cb70fea53cef0632f6b' },
      packs: [{ name: 'planes', domain: 'airline', path: join(home, 'here', 'planes'), tasks: { test: 1 } }],
    });
    expect(readdirSync(join(home, 'here'))).toEqual(['planes']);
  });

  it('keeps a pack that is there, unless it is to be replaced', async () => {
    const home = scratchFolder();
    const checkout = copyOfFixture();
    await importInto(home, checkout, '--env', 'retail');
    const before = manifestOf(home, 'tau-bench-retail');
    writeFileSync(join(checkout, 'tau_bench/envs/retail/rules.py'), 'RULES = ["Be kind."]\n');
    const refused = await importInto(home, checkout);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toBe(
      'error: packs/tau-bench-retail: a pack exists here; replace it with --replace, or choose another name with --name.',
    );
    expect(manifestOf(home, 'tau-bench-retail')).toEqual(before);
    expect(namesIn(home)).toEqual(['tau-bench-retail']);

    expect((await importInto(home, checkout, '--replace')).code).toBe(0);
    expect(manifestOf(home, 'tau-bench-retail')).not.toEqual(before);
    expect(namesIn(home)).toEqual(['tau-bench-airline', 'tau-bench-retail']);
  });

  it('leaves nothing behind when a file is missing or cannot be read, not even a pack of the other domain', async () => {
    const home = scratchFolder();
    const checkout = copyOfFixture();
    writeFileSync(join(checkout, 'tau_bench/envs/airline/tasks_test.py'), 'TASKS = load()\n');
    const unread = await importInto(home, checkout);
    expect(unread.stderr).toBe(
      'error: tau_bench/envs/airline/tasks_test.py:1: a call of load cannot be read; only literals are read from it.',
    );
    rmSync(join(checkout, 'tau_bench/envs/airline/wiki.md'));
    const missing = await importInto(home, checkout, '--replace');
    expect(missing.stderr).toContain('the checkout has no tau_bench/envs/airline/wiki.md; restore what is missing');
    expect([unread.code, missing.code]).toEqual([2, 2]);
    expect(namesIn(home)).toEqual([]);
  });

  it('does not write into a folder that holds something else', async () => {
    const home = scratchFolder();
    cpSync(FIXTURE, join(home, 'packs', 'tau-bench-retail'), { recursive: true });
    const { code, stderr } = await importInto(home, FIXTURE, '--replace');
    expect(code).toBe(2);
    expect(stderr).toBe(
      'error: packs/tau-bench-retail: the folder is not empty and holds no pack; choose another one with --out or --name.',
    );
  });

  it.each([
    [['nowhere'], /^error: .*nowhere: no such folder; give the root folder of a tau-bench checkout, or its URL\.$/],
    [['.'], /^error: .*: there is no tau_bench\/envs here; give the root folder of a tau-bench checkout\.$/],
    [[FIXTURE, '--env', 'shop'], /^error: --env must be retail, airline or both, not "shop"\.$/],
    [[FIXTURE, '--commit', 'main'], /^error: --commit must be 7 to 40 hexadecimal digits in lower case, not "main"\.$/],
    [[FIXTURE, '--name', '../x'], /^error: "\.\.\/x-retail" is not a pack's name: /],
  ])('ends with one sentence for %j', async (words, sentence) => {
    const home = scratchFolder();
    const { code, stderr } = await importInto(home, ...words);
    expect(code).toBe(2);
    expect(stderr).toMatch(sentence);
    expect(namesIn(home)).toEqual([]);
  });

  it('ends with exit code 3 where git or the repository cannot be reached', async () => {
    const home = scratchFolder();
    const noGit = await tauflow(['data', 'import'], {
      cwd: home,
      env: { TAUFLOW_HOME: home, PATH: join(home, 'bin') },
    });
    expect(noGit.code).toBe(3);
    expect(noGit.stderr).toContain('error: the program git is needed to fetch tau-bench and was not found; install it');
    if (!hasGit) return;
    const url = 'https://me:secret@127.0.0.1:1/tau-bench';
    const noServer = await importInto(home, url);
    expect(noServer.code).toBe(3);
    expect(noServer.stderr).toMatch(
      /error: git could not clone https:\/\/127\.0\.0\.1:1\/tau-bench: .*; give the folder of /,
    );
    expect(noServer.stderr).not.toContain('secret');
  });

  describe.skipIf(!hasGit)('with git (skipped where there is none)', () => {
    it('knows the commit of a folder, and takes another one from its history', async () => {
      const home = scratchFolder();
      const { folder, commits } = repository();
      await importInto(home, folder, '--env', 'retail');
      expect(manifestOf(home, 'tau-bench-retail')).toMatchObject({ commit: commits[1] });
      const [first = ''] = commits;
      await importInto(home, folder, '--env', 'retail', '--commit', first.slice(0, 9), '--replace');
      expect(manifestOf(home, 'tau-bench-retail')).toMatchObject({
        commit: first,
        version: `${first.slice(0, 7)}+changes`,
      });
      expect(readFileSync(join(home, 'packs', 'tau-bench-retail', 'tasks-test.json'), 'utf8')).toContain('Your shop');
    });

    it('clones a URL, and says when it has no such commit', async () => {
      const home = scratchFolder();
      const { folder, commits } = repository();
      const url = pathToFileURL(folder).href;
      const cloned = await importInto(home, url, '--env', 'retail', '--commit', commits[0] ?? '');
      expect(cloned.code).toBe(0);
      expect(manifestOf(home, 'tau-bench-retail')).toMatchObject({ source: `${url}, commit ${commits[0] ?? ''}` });
      const unknown = await importInto(home, url, '--name', 'other');
      expect(unknown.code).toBe(2);
      expect(unknown.stderr).toContain(
        `error: ${url}: the repository has no commit 59a200c6d575d595120f1cb70fea53cef0632f6b; name one with --commit.`,
      );
    });

    it('does not take the commit of a repository that the folder merely lies in', async () => {
      const home = scratchFolder();
      const { folder } = repository();
      cpSync(FIXTURE, join(folder, 'inner'), { recursive: true });
      await importInto(home, join(folder, 'inner'), '--env', 'retail');
      expect(manifestOf(home, 'tau-bench-retail')).toMatchObject({ commit: null });
    });
  });
});
