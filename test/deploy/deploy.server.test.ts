/** What is deployed: the packed package, the GitHub Action, and the scripts of docker-compose.yml. */

import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  chmodSync,
  writeFileSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import getPort from 'get-port';
import { environment, scratchFolder, type Place, namesIn, run } from '../cli/in-process.ts';
import { endAll, runApart } from '../cli/processes.ts';
import { PROGRAM } from '../helpers/program.ts';
import { firstLine } from '../../src/errors/index.ts';
import { readComposeParts } from './cluster/compose-parts.ts';
import { POSTGRESQL_PASSWORD, POSTGRESQL_USER, startPostgresql } from './cluster/postgresql.ts';
import { findPostgresql, whyNoCluster } from './cluster/programs.ts';

/**
 * The package as it is packed: what is in it, and that it plays from there. `installed.scheduled.test.ts` installs it with
 * its own dependencies, kills it and resumes it.
 */
describe('the package', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const cwd = scratchFolder();
  const unpacked = join(cwd, 'package');

  let place: Place;
  let files: readonly string[];
  let program: readonly string[];

  beforeAll(async () => {
    place = { cwd, env: environment({ TEMPORAL_ADDRESS: inject('temporal').address }) };
    // The build is there: `prepare` would make another one.
    const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', cwd];
    const packed = await runApart(words, { ...place, cwd: root }, ['npm']);
    const [made] = JSON.parse(packed.stdout) as [{ filename: string; files: { path: string }[] }];
    files = made.files.map(({ path }) => path);
    expect(await runApart(['-xf', made.filename], place, ['tar'])).toMatchObject({ code: 0 });
    symlinkSync(join(root, 'node_modules'), join(unpacked, 'node_modules'));
    program = [process.execPath, join(unpacked, 'dist/program/tauflow.js')];
  }, 120_000);

  afterAll(endAll);

  it('has one workflow bundle, what README links to, and nothing of the build or the tests', () => {
    expect(files.filter((file) => file.includes('bundle') && file.endsWith('.cjs'))).toEqual([
      'dist/workflows/bundle.cjs',
    ]);
    // The test of `examples/benchmark` is part of what `benchmark init` writes.
    expect(files.filter((file) => /\.tsbuildinfo$|\.map$|^test\/|^src\/|^dist\/.*\.test\./.test(file))).toEqual([]);
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const linked = [...readme.matchAll(/\]\((docs\/[^)#]+)/g)].map(([, path = '']) => path);
    expect(linked.length).toBeGreaterThan(10);
    expect(linked.filter((path) => !files.includes(path))).toEqual([]);
  });

  it('plays a sweep in an empty folder, and shows its report', { timeout: 120_000 }, async () => {
    const empty = { ...place, cwd: join(cwd, 'empty') };
    mkdirSync(empty.cwd);
    const words = ['run', '--agent-strategy', 'fastworkflow', '--run-id', 'mine', '--task-queue', 'packed'];
    const played = await runApart([...words, '--task-ids', '0', '--num-trials', '2'], empty, program);
    expect(played.code, played.stderr).toBe(0);
    expect(played.stdout).toContain('1 task × 2 trials: 2 episodes');
    const report = await runApart(['report', 'mine', '--format', 'html'], empty, program);
    expect(report).toMatchObject({ code: 0, stderr: 'wrote results/mine.html\n' });
  });

  it('serves an agent that is a function', { timeout: 120_000 }, async () => {
    copyFileSync(join(root, 'test/fixtures/agent-function/agent.ts'), join(unpacked, 'agent.ts'));
    const words = ['run', '--agent-url', './agent.ts', '--run-id', 'function', '--task-queue', 'packed-function'];
    const inside = { ...place, cwd: unpacked };
    const { code, stdout, stderr } = await runApart(
      [...words, '--task-ids', '0', '--num-trials', '1'],
      inside,
      program,
    );
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/errors +0/);
  });
});

/** The GitHub Action: its file names what its scripts read, and the scripts do what it says, with a stand-in for `gh`. */
describe('the GitHub Action', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const script = (name: string) => join(root, 'deploy/github-action', name);

  interface Action {
    readonly inputs: Readonly<Record<string, unknown>>;
    readonly runs: {
      readonly steps: readonly { readonly run?: string; readonly env?: Readonly<Record<string, string>> }[];
    };
  }
  const ACTION = readFileSync(join(root, 'action.yml'), 'utf8');

  /** A stand-in for GitHub's program: keeps comments in a file, and prints what a query for the marked one would. */
  const GH = `#!/usr/bin/env node
const fs = require('node:fs');
const [, ...words] = process.argv.slice(2);
const store = process.env.COMMENTS;
const comments = fs.existsSync(store) ? JSON.parse(fs.readFileSync(store, 'utf8')) : [];
const after = (flag) => words[words.indexOf(flag) + 1];
if (words.includes('--jq')) {
  const marker = /startswith\\("(.*)"\\)/.exec(after('--jq'))[1];
  for (const { id, body } of comments) if (body.startsWith(marker)) process.stdout.write(String(id) + "\\n");
} else {
  const body = fs.readFileSync(after('--field').replace('body=@', ''), 'utf8');
  const id = Number(/comments\\/(\\d+)$/.exec(words.find((word) => word.startsWith('repos/')))?.[1]);
  if (after('--method') === 'PATCH') comments.find((each) => each.id === id).body = body;
  else comments.push({ id: comments.length + 7, body });
  fs.writeFileSync(store, JSON.stringify(comments));
}
`;

  const cwd = scratchFolder();
  let env: Place['env'];

  beforeAll(() => {
    const bin = join(cwd, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'gh'), GH);
    chmodSync(join(bin, 'gh'), 0o755);
    env = {
      ...environment({ TEMPORAL_ADDRESS: inject('temporal').address }),
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      COMMENTS: join(cwd, 'comments.json'),
      TAUFLOW: PROGRAM[1],
      TAUFLOW_LOG_DIR: 'results',
      TAUFLOW_BASELINE: '',
      TAUFLOW_FAIL_UNDER: '',
      TAUFLOW_FAIL_IF: '',
      TAUFLOW_FAIL_ON_REGRESSION: 'true',
      GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'),
      GITHUB_OUTPUT: join(cwd, 'output'),
      GITHUB_REPOSITORY: 'me/agent',
      PULL_REQUEST: '3',
    };
  });

  afterAll(endAll);

  function evaluate(runId: string, model: string, further: Place['env'] = {}) {
    const flags = `--model '${model}' --task-ids 0 1 2 3 4 5 --max-concurrency 6 --task-queue action`;
    const place = { cwd, env: { ...env, TAUFLOW_RUN_ID: runId, TAUFLOW_FLAGS: flags, ...further } };
    return runApart([script('evaluate.sh')], place, ['bash']);
  }

  it('gives its scripts every variable that they read, and uses every input that it has', () => {
    const { inputs, runs } = parse(ACTION) as Action;
    for (const { run: command, env: given = {} } of runs.steps) {
      const name = /github-action\/(\S+\.sh)/.exec(command ?? '')?.[1];
      if (name === undefined) continue;
      const text = readFileSync(script(name), 'utf8');
      const read = new Set([...text.matchAll(/\$\{?((?:TAUFLOW|PULL)\w*)/g)].map(([, variable]) => variable));
      expect(
        Object.keys(given)
          .filter((variable) => variable !== 'GH_TOKEN')
          .sort(),
      ).toEqual([...read].sort());
    }
    const used = new Set([...ACTION.matchAll(/inputs\.([\w-]+)/g)].map(([, input]) => input));
    expect(Object.keys(inputs).sort()).toEqual([...used].sort());
  });

  it('reports a run, and fails by threshold and by baseline alone', { timeout: 180_000 }, async () => {
    const good = await evaluate('good', 'oracle');
    expect(good.code, good.stderr).toBe(0);
    expect(namesIn(join(cwd, 'results'))).toEqual(['good', 'good.html', 'good.json', 'good.junit.xml', 'good.md']);
    expect(readFileSync(join(cwd, 'output'), 'utf8')).toBe('reward=1\nreport=results/good.md\n');
    expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toMatch(/^# good\n/);

    const low = await evaluate('bad', 'oracle:0', { TAUFLOW_FAIL_UNDER: '0.9' });
    expect(low.code, low.stderr).toBe(1);
    expect(low.stderr).toMatch(/the average reward 0\.000 is below --fail-under 0\.9/);

    const gates = 'task 3: 1 of 1\n\npass^1 < 0\n drop > 0.5\n';
    const gated = await evaluate('bad', 'oracle:0', {
      TAUFLOW_FAIL_IF: gates,
      TAUFLOW_BASELINE: 'results/good.json',
      TAUFLOW_FAIL_ON_REGRESSION: 'false',
    });
    expect(gated.code, gated.stderr).toBe(1);
    expect(gated.stderr).toContain("failed by --fail-if 'task 3: 1 of 1': task 3: pass^1 is 0.000");
    expect(gated.stderr).toMatch(/failed by --fail-if 'drop > 0\.5': drop is 1\.000/);
    const junit = readFileSync(join(cwd, 'results/bad.junit.xml'), 'utf8');
    expect(junit).toMatch(/<testcase name="pass\^1 &lt; 0" classname="gates"\/>/);

    const worse = await evaluate('bad', 'oracle:0', { TAUFLOW_BASELINE: 'results/good.json' });
    expect(worse.code, worse.stderr).toBe(1);
    expect(readFileSync(join(cwd, 'results/bad.md'), 'utf8')).toContain('regression: worse than good');
    await run(['baseline', 'set', 'main', 'good'], { cwd, env });
    const known = { TAUFLOW_BASELINE: 'main', TAUFLOW_FAIL_ON_REGRESSION: 'false' };
    expect((await evaluate('bad', 'oracle:0', known)).code).toBe(0);

    expect((await evaluate('broken', 'oracle', { TAUFLOW_FLAGS: '--model oracle --env nowhere' })).code).toBe(2);
  });

  it('keeps one comment, and replaces what it says', async () => {
    const comment = (report: string) =>
      runApart([script('comment.sh')], { cwd, env: { ...env, TAUFLOW_REPORT: report, TAUFLOW_COMMENT: 'ci/eval' } }, [
        'bash',
      ]);
    writeFileSync(join(cwd, 'first.md'), '# first\n');
    writeFileSync(join(cwd, 'second.md'), `# second\n${'é'.repeat(60_000)}`);
    for (const report of ['first.md', 'second.md']) {
      const { code, stderr } = await comment(report);
      expect(code, stderr).toBe(0);
    }
    const comments = JSON.parse(readFileSync(join(cwd, 'comments.json'), 'utf8')) as { body: string }[];
    expect(comments).toHaveLength(1);
    expect(comments[0]?.body).toMatch(/^<!-- tauflow: ci\/eval -->\n# second\né+$/);
    expect(comments[0]?.body.length).toBeLessThan(65_536);
    expect(await comment('missing.md')).toMatchObject({
      code: 0,
      stdout: 'no report was made, so there is nothing to comment\n',
    });
  });
});

const parts = readComposeParts();
const DATABASES = ['temporal', 'temporal_visibility'];

function sh(script: string, env: NodeJS.ProcessEnv): string {
  return execFileSync('/bin/sh', ['-c', script], { env: { PATH: process.env['PATH'], ...env }, encoding: 'utf8' });
}

test('the service `results` gives a folder that Docker made to the workers’ user, and no other', () => {
  const isRoot = process.getuid?.() === 0;
  const folder = scratchFolder();
  const owner = () => statSync(folder).uid;
  const before = owner();
  sh(parts.config('results-script'), { RESULTS: folder, OWNER: '1000:1000' });
  expect(owner()).toBe(isRoot ? 1000 : before);
  sh(parts.config('results-script'), { RESULTS: folder, OWNER: '1001:1001' });
  expect(owner()).toBe(isRoot ? 1000 : before);
});

const bin = (() => {
  try {
    return { path: findPostgresql(process.env) };
  } catch (error) {
    process.stderr.write(`the test of the service \`backup\` is skipped: ${firstLine(error)}\n`);
    return null;
  }
})();

describe.skipIf(bin === null)('the service `backup`', { timeout: 120_000 }, () => {
  test('writes both databases, which the guide’s command puts back', async () => {
    const folder = scratchFolder();
    const backups = join(folder, 'backups');
    mkdirSync(backups);
    const path = bin?.path ?? '';
    const database = await startPostgresql(path, folder, await getPort({ port: 20_432 }));
    onTestFinished(() => database.child.end());
    for (const name of DATABASES) {
      database.query('postgres', `create database ${name}`);
      database.query(name, `create table executions as select '${name}' as id`);
    }
    const login = {
      PATH: `${path}:${String(process.env['PATH'])}`,
      PGHOST: '127.0.0.1',
      PGPORT: String(database.port),
      PGUSER: POSTGRESQL_USER,
      PGPASSWORD: POSTGRESQL_PASSWORD,
    };
    const printed = sh(parts.config('backup-script').replaceAll('/backups', backups), login).trim().split('\n');
    expect(printed).toEqual(DATABASES.map((name) => expect.stringMatching(`/\\d{4}-.*Z\\.${name}\\.dump$`) as string));
    expect(
      readdirSync(backups)
        .map((name) => join(backups, name))
        .sort(),
    ).toEqual([...printed].sort());

    for (const [index, name] of DATABASES.entries()) {
      database.query(name, "update executions set id = 'later'; create table later ()");
      const restore = ['pg_restore', '--clean', '--if-exists', '--dbname', name, printed[index]];
      sh(restore.join(' '), login);
      expect(database.query(name, 'select id from executions')).toBe(name);
    }
  });
});

/** `npm run cluster`, where this machine has PostgreSQL and Temporal's programs. */
describe('cluster', () => {
  const ROOT = join(import.meta.dirname, '../..');
  const reason = whyNoCluster(process.env);
  if (reason !== null) process.stderr.write(`the test of \`npm run cluster\` is skipped: ${reason}\n`);

  /** Runs `npm run cluster`, of the build that there is. */
  async function runCluster(flags: readonly string[], command: readonly string[]) {
    const args = ['--import', 'tsx', 'test/deploy/cluster/main.ts', ...flags, '--', ...command];
    return await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  }

  describe.skipIf(reason !== null)('a cluster by the compose’s scripts', { timeout: 240_000 }, () => {
    test('runs a sweep over a restart of its server, after its schema was updated again, and says what it used', async () => {
      const logDir = await mkdtemp(join(tmpdir(), 'tauflow-cluster-test-'));
      onTestFinished(() => rm(logDir, { recursive: true }));
      const flags = ['--workers', '2', `--worker-flags=--log-dir ${logDir}`, '--restart-after', '3'];
      const { stdout, stderr } = await runCluster(
        [...flags, '--upgrade-to', process.env['TEMPORAL_BIN'] ?? ''],
        [...PROGRAM, 'run', '--no-worker', '--log-dir', logDir, '--run-id', 'main', '--end-index', '10'].concat(
          // Long enough that the server is away in the middle.
          ['--num-trials', '1', '--max-concurrency', '5', '--scripted-latency', '1s'],
        ),
      );
      expect(stderr).toMatch(/the server is back, as \d+\.\d+/);
      expect(await readdir(join(logDir, 'main/episodes'))).toHaveLength(10);
      const { database_bytes: grown, after } = JSON.parse(stdout) as {
        database_bytes: { temporal: number };
        after: Record<string, { cpu_s: number }>;
      };
      expect(grown.temporal).toBeGreaterThan(0);
      for (const part of ['database', 'server', 'workers', 'command'])
        expect(after[part]?.cpu_s, part).toBeGreaterThan(0);
    });
  });
});
