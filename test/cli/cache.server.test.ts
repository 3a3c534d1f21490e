/** Commands that read what model calls left behind: the cache of completions, and `tauflow errors`. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CompletionStore, replySchema } from '../../src/models/index.ts';
import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import { resolvePack } from '../../src/benchmarks/testing.ts';
import { placeOf, replyWith } from '../models/cache/helpers.ts';
import {
  environment,
  run,
  scratchFolder,
  serverOfTests,
  tauflow,
  type Place,
  namesIn,
  type Ended,
} from './in-process.ts';
import { RunLog } from '../../src/run-log/index.ts';
import { readVerdicts } from '../../src/results/judge/index.ts';

/** A home with two completions of one model, in two configurations, and one of another. */
async function homeWithCompletions(): Promise<string> {
  const home = scratchFolder();
  const store = new CompletionStore({
    schema: replySchema,
    folder: join(home, 'completions'),
    warn: (message) => {
      throw new Error(message);
    },
  });
  await store.keep(placeOf(1), replyWith());
  await store.keep(placeOf(2, { configuration: 'fedcba9876543210' }), replyWith());
  await store.keep(placeOf(3, { model: 'o3-mini' }), replyWith());
  return home;
}

describe('cache', () => {
  it('shows where completions are, how many, and of which models', async () => {
    const home = await homeWithCompletions();
    const { code, stdout } = await tauflow(['cache'], { env: { TAUFLOW_HOME: home, TAUFLOW_CACHE_BYTES: '500M' } });
    expect(code).toBe(0);
    expect(stdout).toContain(`3 completions in ${join(home, 'completions')}, 12.0 kB of at most 500.0 MB\n`);
    expect(stdout).toMatch(/openai +│ gpt-4o +│ +2 │ +8\.0 kB │ \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
    expect(stdout).toMatch(/openai +│ o3-mini +│ +1 │ +4\.0 kB/);
  });

  it('prints one JSON document', async () => {
    const home = await homeWithCompletions();
    const { stdout } = await tauflow(['cache', '--json'], { env: { TAUFLOW_HOME: home } });
    const time = expect.stringMatching(/^\d{4}-.*Z$/) as string;
    expect(JSON.parse(stdout)).toEqual({
      place: join(home, 'completions'),
      max_bytes: 1_073_741_824,
      entries: 3,
      bytes: 12_288,
      models: [
        { provider: 'openai', model: 'gpt-4o', entries: 2, bytes: 8192, last_used: time },
        { provider: 'openai', model: 'o3-mini', entries: 1, bytes: 4096, last_used: time },
      ],
    });
  });

  it('is empty where nothing was ever kept', async () => {
    const home = scratchFolder();
    const { code, stdout } = await tauflow(['cache'], { env: { TAUFLOW_HOME: home } });
    expect(code).toBe(0);
    expect(stdout).toBe(`0 completions in ${join(home, 'completions')}, 0 B of at most 1.0 GB`);
    expect(await tauflow(['cache', 'clear'], { env: { TAUFLOW_HOME: home } })).toMatchObject({
      code: 0,
      stdout: 'deleted 0 completions, 0 B',
    });
    expect(readdirSync(home)).toEqual([]);
  });

  it.each(['gpt-4o', 'openai/gpt-4o'])('forgets those of one model, named %s', async (model) => {
    const env = { TAUFLOW_HOME: await homeWithCompletions() };
    const cleared = await tauflow(['cache', 'clear', '--model', model], { env });
    expect(cleared).toMatchObject({ code: 0, stdout: `deleted 2 completions of ${model}, 8.0 kB` });
    const { stdout } = await tauflow(['cache', '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({ entries: 1, models: [{ model: 'o3-mini' }] });
  });

  it('forgets all', async () => {
    const home = await homeWithCompletions();
    const { stdout } = await tauflow(['cache', 'clear', '--json'], { env: { TAUFLOW_HOME: home } });
    expect(JSON.parse(stdout)).toEqual({ entries: 3, bytes: 12_288 });
    expect(readdirSync(join(home, 'completions'))).toEqual([]);
  });

  it.each(['many', '-1', '0', '1.5X', 'NaN'])('refuses a bound of %j', async (bound) => {
    const { code, stderr } = await tauflow(['cache'], { env: { TAUFLOW_CACHE_BYTES: bound } });
    expect(code).toBe(2);
    expect(stderr).toBe(
      `error: TAUFLOW_CACHE_BYTES must be a number of bytes such as 1073741824, 500M or 2G, not "${bound}".`,
    );
  });
});

describe('run', () => {
  async function dryRun(words: readonly string[]): Promise<{ config: Record<string, unknown>; notes: string[] }> {
    const { code, stdout, stderr } = await tauflow(['run', '--dry-run', '--json', ...words]);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout) as { config: Record<string, unknown>; notes: string[] };
  }

  it('asks every time by default', async () => {
    for (const words of [[], ['--clear-cache'], ['--clear-cache', 'false'], ['--no-response-cache']]) {
      expect((await dryRun(words)).config).not.toHaveProperty('response_cache');
    }
  });

  it('uses the cache where flag or config file say so, and names that in the results', async () => {
    const file = join(scratchFolder(), 'run.json');
    writeFileSync(file, JSON.stringify({ response_cache: true, clear_cache: '0' }));
    for (const words of [['--response-cache'], ['--config', file]]) {
      const { config, notes } = await dryRun(words);
      expect(config['response_cache']).toMatch(/^[0-9a-f]{16}$/);
      expect(notes.join()).toContain('--response-cache');
    }
    expect((await dryRun(['--config', file, '--no-response-cache'])).config).not.toHaveProperty('response_cache');
  });

  it('finds a bound that is none before it starts anything', async () => {
    const { code, stderr } = await tauflow(['run', '--response-cache'], { env: { TAUFLOW_CACHE_BYTES: 'many' } });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('TAUFLOW_CACHE_BYTES') as string });
  });

  it('files completions by what changes them', async () => {
    const digest = async (...words: string[]) =>
      (await dryRun(['--response-cache', ...words])).config['response_cache'];
    const plain = await digest();
    expect(await digest('--num-trials', '2', '--task-ids', '1', '--max-steps', '9', '--run-id', 'x')).toBe(plain);
    expect(await digest('--seed', '11')).not.toBe(plain);
    expect(await digest('--omit-policy')).not.toBe(plain);
    expect(await digest('--model', 'oracle')).not.toBe(plain);
  });
});

describe('runs with a response cache', () => {
  const cwd = scratchFolder();
  const home = scratchFolder();
  const SLOW = { timeout: 180_000 };
  const WORDS = 'run --model oracle --task-ids 1 --json --response-cache --task-queue cache'.split(' ');
  let model: ScriptedModel;
  let place: Place;

  beforeAll(async () => {
    model = await startScriptedModel({ packs: [await resolvePack('retail')] });
    place = { cwd, env: environment({ ...serverOfTests(), TAUFLOW_SCRIPTED_URL: model.url, TAUFLOW_HOME: home }) };
  });

  afterAll(async () => {
    await model.close();
  });

  const asked = () => model.stats().completions;

  interface Costs {
    readonly calls: number;
    readonly cached_calls: number;
    readonly prompt_tokens: number;
  }

  async function costsOf(runId: string, ...words: string[]): Promise<Costs> {
    const { code, stdout, stderr } = await run([...WORDS, '--run-id', runId, ...words], place);
    expect(code, stderr).toBe(0);
    return (JSON.parse(stdout) as { metrics: { costs: Costs } }).metrics.costs;
  }

  it('find what an earlier one left, for equal seeds and trials only', SLOW, async () => {
    const first = await costsOf('cached');
    expect(first).toMatchObject({ calls: asked(), cached_calls: 0 });

    const second = await costsOf('second', '--num-trials', '2');
    expect(asked()).toBe(2 * first.calls);
    expect(second).toMatchObject({ calls: 2 * first.calls, cached_calls: first.calls });
    expect(second.prompt_tokens).toBe(2 * first.prompt_tokens);

    const [one, again] = ['cached', 'second'].map((runId) => {
      const path = join(cwd, 'results', runId, 'episodes', 'task-1.trial-0.json');
      return JSON.parse(readFileSync(path, 'utf8')) as { trajectory: unknown; usage: object[] };
    });
    expect(again?.trajectory).toEqual(one?.trajectory);
    for (const usage of again?.usage ?? []) expect(usage).toMatchObject({ cost_usd: 0, last_call_cost_usd: 0 });
  });

  it('forget those of their configuration, and no others, when they are asked to', SLOW, async () => {
    const kept = async () => {
      const { stdout } = await tauflow(['cache', '--json'], { env: { TAUFLOW_HOME: home } });
      return (JSON.parse(stdout) as { entries: number }).entries;
    };
    const before = { asked: asked(), kept: await kept() };
    const other = await costsOf('other', '--seed', '11');
    expect(await kept()).toBe(before.kept + other.calls);

    const { code, stderr } = await run([...WORDS, '--run-id', 'cleared', '--clear-cache'], place);
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(new RegExp(`^deleted ${before.kept} completions of this configuration$`, 'm'));
    expect(asked()).toBe(before.asked + 2 * other.calls);
    expect(await kept()).toBe(2 * other.calls);
  });
});

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

describe('errors of what cannot be judged', () => {
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

describe('errors of a run', () => {
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
    // The scripted judge knows which mistakes the scripted agent was told to make.
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
    expect(again.stdout).toMatch(/calls +\d+ +for \d+ episodes/);
    expect(again.stdout).toContain('errors   copy.json');
    const copy = await readFile(join(cwd, 'copy.json'), 'utf8');
    expect(copy).toBe(await readFile(join(cwd, 'results', 'half', 'errors.json'), 'utf8'));
    expect(copy).toContain('\n    "fault_assignment_analysis": [\n        {\n            "task_id": ');
  });
});

describe("errors of another tool's results file", () => {
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
