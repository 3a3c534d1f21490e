/** The GitHub Action: its file names what its scripts read, and the scripts do what it says, with a stand-in for `gh`. */

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';

import { PROGRAM } from '../helpers/program.ts';
import { environment, namesIn, run, scratchFolder, type Place } from './in-process.ts';
import { endAll, runApart } from './processes.ts';

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

describe('the action', () => {
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
