/** `tauflow errors`: what is refused, a run's and a file's failed episodes, and how far the judge and the analysis agree. */

import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

import { RunLog } from '../../src/run-log/index.ts';
import { readVerdicts } from '../../src/results/judge/index.ts';
import { environment, namesIn, run, scratchFolder, serverOfTests, type Ended, type Place } from './in-process.ts';

const cwd = scratchFolder();
const place: Place = { cwd, env: environment(serverOfTests()) };

beforeAll(async () => {
  const play = (runId: string, model: string, last: string) => {
    const words = ['run', '--run-id', runId, '--model', model, '--end-index', last, '--max-concurrency', '8'];
    return run([...words, '--task-queue', 'errors-cli'], place);
  };
  const { code, stderr } = await play('half', 'oracle:0.5', '20');
  expect(code, stderr).toBe(0);
  expect((await play('perfect', 'oracle', '2')).code).toBe(0);
});

const noProblem = (sentence: string) => expect.fail(sentence);

function errors(...words: string[]): Promise<Ended> {
  return run(['errors', ...words, '--task-queue', 'errors-cli'], place);
}

interface Document {
  readonly failed: number;
  readonly fault_assignment_analysis: readonly { task_id: number; author: string; description: string }[];
  readonly fault_type_analysis: readonly { task_id: number; fault_type: string; fault_type_detail: string }[];
  readonly agreement: { compared: number; same_author: number; types_compared: number; same_type: number };
  readonly judge: { calls: number; cost_usd: number };
}

describe('what cannot be judged', () => {
  it.each([
    ['nothing', [], 'name a run, or a results file'],
    ['an unknown run', ['nothing'], 'there is no run nothing'],
    ['no file', ['no.json'], 'there is no results file no.json'],
    ['a count', ['half', '-n', '0'], '--max-num-failed-results must be a whole number of at least 1'],
    ['a model alone', ['half', '--model', 'm'], '--model m needs a --model-provider'],
    ['a provider', ['half', '--model', 'm', '--platform', 'nobody'], 'nobody'],
    ['an output', ['half', '--output-path', 'x.txt'], '--output-path x.txt must end in .json'],
    ['a key', ['half', '--model', 'gpt-4o', '--provider', 'openai'], 'OPENAI_API_KEY'],
  ])('for %s is reported in one sentence', async (_, words, sentence) => {
    const { code, stderr, stdout } = await errors(...words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).toMatch(/^.+\n$/);
  });
});

describe('a run', () => {
  it('without failures has nothing to judge', async () => {
    const { code, stdout } = await errors('perfect');
    expect(code).toBe(0);
    expect(stdout).toBe('No episode of perfect has failed: there is nothing to judge.\n');
    const document = JSON.parse(await readFile(join(cwd, 'results', 'perfect', 'errors.json'), 'utf8')) as Document;
    expect(document.fault_assignment_analysis).toEqual([]);
  });

  it('is judged by its own scripted model, with whom the analysis of actions and data agrees', async () => {
    const { code, stdout, stderr } = await errors('half', '--max-concurrency', '8', '--json');
    expect(code, stderr).toBe(0);
    const { failed, agreement, judge, ...lists } = JSON.parse(stdout) as Document;
    expect(failed).toBeGreaterThan(5);
    expect(lists.fault_assignment_analysis).toHaveLength(failed);
    expect(judge).toMatchObject({ calls: 2 * failed, cost_usd: 0 });
    const known = ['called_wrong_tool', 'used_wrong_tool_argument', 'goal_partially_completed', 'other'];
    for (const { fault_type: type } of lists.fault_type_analysis) expect(known).toContain(type);
    // What the scripted agent was made to do wrong is the truth, and the judge tells it.
    expect(agreement.compared).toBe(failed);
    expect(agreement.same_author).toBe(failed);
    expect(agreement.same_type / agreement.types_compared).toBeGreaterThanOrEqual(0.8);
    const verdicts = await readVerdicts(new RunLog({ runId: 'half', logDir: join(cwd, 'results') }), noProblem);
    expect(verdicts).toHaveLength(failed);
    expect(verdicts.every(({ quotes, unfoundQuotes }) => quotes.length === 1 && unfoundQuotes === 0)).toBe(true);

    // Once more: nobody is asked, and the same is said; by the names that tau-bench has for the flags.
    const file = join('results', 'half.json');
    const again = await errors('--results-path', file, '--platform', 'scripted', '--output-path', 'copy.json');
    expect(again.code, again.stderr).toBe(0);
    expect(again.stdout).toMatch(/agent +\d+ \(100%\)/);
    expect(again.stdout).toContain('errors   copy.json');
    const copy = await readFile(join(cwd, 'copy.json'), 'utf8');
    expect(copy).toBe(await readFile(join(cwd, 'results', 'half', 'errors.json'), 'utf8'));
    expect(copy).toContain('\n    "fault_assignment_analysis": [\n        {\n            "task_id": ');
  });
});

describe("another tool's results file", () => {
  it('is judged beside it, with the data that its tasks are of', async () => {
    await copyFile(join(cwd, 'results', 'half.json'), join(cwd, 'theirs.json'));
    const needsModel = await errors('theirs.json');
    expect([needsModel.code, needsModel.stderr]).toEqual([
      2,
      expect.stringContaining('name the model that is to judge'),
    ]);
    const { code, stdout, stderr } = await errors('theirs.json', '--model', 'oracle:0.5', '-n', '3', '--json');
    expect(code, stderr).toBe(0);
    const { fault_assignment_analysis: authors, agreement } = JSON.parse(stdout) as Document;
    expect(authors).toHaveLength(3);
    expect(agreement).toMatchObject({ compared: 3, same_author: 3 });
    expect(namesIn(join(cwd, 'theirs.errors'))).toHaveLength(3);
    expect(JSON.parse(await readFile(join(cwd, 'theirs.errors.json'), 'utf8'))).toMatchObject({ agreement });
  });

  it('that ends in errors alone needs no judge', async () => {
    const entry = { task_id: 0, reward: 0, info: { error: 'boom', traceback: 'x' }, traj: [], trial: 0 };
    await writeFile(join(cwd, 'broken.json'), JSON.stringify([entry]));
    const { code, stdout } = await errors('broken.json', '--model', 'oracle');
    expect(code).toBe(0);
    expect(stdout).toMatch(/infrastructure +1 \(100%\)/);
  });
});
