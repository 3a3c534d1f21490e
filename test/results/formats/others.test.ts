/** Formats whose own packages wrote the fixtures: harbor 0.25.0, every-eval-ever 0.3.0 (from Inspect's log), promptfoo 0.123.1. */

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder, tauflow } from '../../cli/in-process.ts';

const fixtures = new URL('../../fixtures/formats/', import.meta.url).pathname;
const [HARBOR, INSTANCES, PROMPTFOO] = ['harbor', 'every-eval-ever_samples.jsonl', 'promptfoo.json'].map((name) =>
  join(fixtures, name),
) as [string, string, string];

interface Report {
  readonly subject: { run_id: string; agent_model: string | null; notes: string[] };
  readonly metrics: {
    average_reward: number;
    pass_hat_k: Record<string, number>;
    costs: { total_usd: number | null; prompt_tokens: number; calls: number };
    turns: { mean: number } | null;
    duration_ms: { mean: number } | null;
  };
}

async function read(...words: string[]): Promise<Report[]> {
  const { stdout, stderr } = await tauflow(['report', '--json', ...words]);
  expect(stderr).not.toContain('error:');
  const json = JSON.parse(stdout) as Report | { reports: Report[] };
  return 'reports' in json ? json.reports : [json];
}

async function refusal(...words: string[]): Promise<string> {
  const { stderr, code } = await tauflow(words);
  expect(code).toBe(2);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  return stderr;
}

describe('a job folder of Harbor', () => {
  it("has Harbor's figures, in which an error counts as 0", async () => {
    const [report] = await read(HARBOR);
    expect(report?.metrics.average_reward).toBe(0.5);
    expect(report?.subject).toMatchObject({
      run_id: 'terminus__gpt-5__terminal-bench',
      agent_model: 'gpt-5',
      notes: ['The score is reward.', "Harbor's own figures: mean 0.500, pass@2 1.000."],
    });
    expect(report?.metrics.costs).toMatchObject({ prompt_tokens: 600, calls: 12 });
    expect(report?.metrics.costs.total_usd).toBeCloseTo(0.12, 12);
    expect(report?.metrics.turns).toMatchObject({ mean: 1 });
    expect(report?.metrics.duration_ms).toMatchObject({ mean: 32_500 });
  });

  it('without a trial, and without its trajectories, is read as far as it goes', async () => {
    const folder = join(scratchFolder(), 'job');
    cpSync(HARBOR, folder, { recursive: true });
    rmSync(join(folder, 'alpha__0'), { recursive: true });
    for (const trial of ['alpha__1', 'beta__0', 'beta__1', 'gamma__0', 'gamma__1'])
      rmSync(join(folder, trial, 'agent'), { recursive: true });
    const [report] = await read(folder);
    expect(report?.metrics.turns).toBeNull();
    expect(report?.subject.notes).toContain('1 of 6 trials have no result.');
  });

  it('with a damaged trial is refused', async () => {
    const folder = join(scratchFolder(), 'job');
    cpSync(HARBOR, folder, { recursive: true });
    writeFileSync(join(folder, 'beta__0', 'result.json'), '{"task_name": "beta", ');
    expect(await refusal('report', folder)).toMatch(/beta__0\/result\.json cannot be read: it is cut short/);
  });

  it('has trajectories without scores, which count neither as successes nor as failures', async () => {
    const trajectory = join(HARBOR, 'beta__0', 'agent', 'trajectory.json');
    const [report] = await read(trajectory);
    expect(report?.metrics).toMatchObject({ average_reward: null, pass_hat_k: {} });
    expect(report?.subject.notes[0]).toContain('It has no scores, so no trial counts');
    expect(await refusal('report', trajectory, '--score', 'reward')).toContain('has no scores; leave out --score');
  });

  it('is found in a folder of jobs', async () => {
    const folder = scratchFolder();
    cpSync(HARBOR, join(folder, 'monday'), { recursive: true });
    cpSync(HARBOR, join(folder, 'week', 'friday'), { recursive: true });
    expect((await read(folder)).map(({ subject }) => subject.run_id)).toEqual([
      'terminus__gpt-5__terminal-bench monday',
      'terminus__gpt-5__terminal-bench week/friday',
    ]);
  });
});

describe('instances of Every Eval Ever', () => {
  it("have the means of the aggregate that was made with them, which are Inspect's", async () => {
    for (const [score, mean] of Object.entries({ 'match:accuracy': '0.625', 'graded:mean': '0.491' })) {
      const [report] = await read(INSTANCES, '--score', score);
      expect(report?.metrics.average_reward.toFixed(3)).toBe(mean);
    }
  });

  it('are found as the data repository places them', async () => {
    const data = scratchFolder();
    for (const model of ['lab/large', 'lab/small']) {
      mkdirSync(join(data, 'bench', model), { recursive: true });
      cpSync(INSTANCES, join(data, 'bench', model, '0_samples.jsonl'));
    }
    const reports = await read(data);
    expect(reports.map(({ subject }) => subject.run_id)).toEqual([
      expect.stringMatching(/ bench\/lab\/large\/0_samples\.jsonl$/),
      expect.stringMatching(/ bench\/lab\/small\/0_samples\.jsonl$/),
    ]);
  });

  it('have tokens and no costs', async () => {
    const [report] = await read(INSTANCES);
    expect(report?.metrics.costs.prompt_tokens).toBeGreaterThan(0);
    expect(report?.metrics.costs.total_usd).toBeNull();
  });

  it('are refused where a line is damaged, or of another shape', async () => {
    const folder = scratchFolder();
    const lines = readFileSync(INSTANCES, 'utf8').split('\n');
    writeFileSync(join(folder, 'cut.jsonl'), `${lines[0] ?? ''}\n${(lines[1] ?? '').slice(0, 500)}`);
    expect(await refusal('report', join(folder, 'cut.jsonl'))).toContain('cut short or is not JSON');
    writeFileSync(join(folder, 'other.jsonl'), (lines[0] ?? '').replace(/"score": [\d.]+/, '"score": "high"'));
    expect(await refusal('report', join(folder, 'other.jsonl'))).toContain('evaluation.score');
  });
});

describe('hostile instances of Every Eval Ever', () => {
  async function readChanged(changes: object) {
    const file = join(scratchFolder(), 'samples.jsonl');
    const [line = ''] = readFileSync(INSTANCES, 'utf8').split('\n');
    writeFileSync(file, JSON.stringify({ ...(JSON.parse(line) as object), ...changes }));
    return (await read(file))[0];
  }

  it('with impossible figures leave them unknown', async () => {
    for (const input_tokens of [-5, 1e300]) {
      const report = await readChanged({ token_usage: { input_tokens, output_tokens: 1 } });
      expect(report?.metrics.costs.calls).toBe(0);
    }
  });

  it('with long texts and names are recognized, and their names cut', async () => {
    const long = 'x'.repeat(200_000);
    const report = await readChanged({ sample_id: long, input: { raw: long, reference: [] } });
    expect(JSON.stringify(report).length).toBeLessThan(50_000);
  });
});

it.each([['errors', '--model', 'oracle', '--model-provider', 'scripted'], ['regrade']])(
  '%s wants the pack of the tasks',
  async (...words) => {
    const file = join(scratchFolder(), 'samples.jsonl');
    cpSync(INSTANCES, file);
    expect(await refusal(...words, file)).toContain('this is a file of Every Eval Ever, which has no ground truth');
  },
);

describe('results of promptfoo', () => {
  it('have a run per provider and prompt, with its numbers of passed tests', async () => {
    const reports = await read(PROMPTFOO);
    expect(reports.map(({ subject }) => subject.run_id)).toEqual([
      'good: What is {{a}} + {{a}}?',
      'good: Add {{a}} and {{a}}.',
      'bad: What is {{a}} + {{a}}?',
      'bad: Add {{a}} and {{a}}.',
    ]);
    for (const { subject, metrics } of reports) {
      const share = /passed \(([\d.]+)%\)/.exec(subject.notes[1] ?? '')?.[1];
      expect((100 * metrics.average_reward).toFixed(2)).toBe(share);
    }
    // The second provider reports neither tokens nor costs.
    expect(reports.map(({ metrics }) => metrics.costs.total_usd)).toEqual([0.012, null, null, null]);
  });

  it('are compared by their other scores too', async () => {
    const { stdout } = await tauflow(['compare', PROMPTFOO, '--json', '--score', 'score']);
    const { runs } = JSON.parse(stdout) as { runs: { run_id: string; score: number }[] };
    expect(runs).toHaveLength(4);
    expect(await refusal('compare', PROMPTFOO, '--score', 'clarity')).toContain('success, score, exact');
  });
});

const simulation = (task: string, trial: number, reward: number) => ({
  id: `${task}.${String(trial)}`,
  task_id: task,
  trial,
  termination_reason: 'user_stop',
  reward_info: { reward },
  agent_cost: 0.25,
  user_cost: 0.05,
  messages: [
    { role: 'assistant', content: 'Hello' },
    { role: 'user', content: '###STOP###' },
  ],
});

function results(domain: string, shares: Readonly<Record<string, readonly number[]>>) {
  const simulations = Object.entries(shares).flatMap(([task, rewards]) =>
    rewards.map((reward, trial) => simulation(task, trial, reward)),
  );
  return JSON.stringify({ info: { environment_info: { domain_name: domain } }, tasks: [], simulations });
}

function submit(folder: string, model: string, airline: readonly number[]): void {
  mkdirSync(join(folder, model, 'trajectories'), { recursive: true });
  const place = (name: string) => join(folder, model, name);
  const figures = { airline: { pass_1: 50 }, telecom: { pass_1: 100 } };
  writeFileSync(place('submission.json'), JSON.stringify({ model_name: model, results: figures }));
  writeFileSync(place('trajectories/a.json'), results('airline', { 7: airline }));
  writeFileSync(place('trajectories/t.json'), results('telecom', { '[mms]late': [1, 1] }));
}

describe('a folder of submissions to the leaderboard of τ³-bench', () => {
  it('has a run per submission, over the tasks of all its domains', async () => {
    const folder = scratchFolder();
    submit(folder, 'model-a', [0, 1]);
    submit(folder, 'model-b', [1, 1]);
    const reports = await read(folder);
    expect(reports.map(({ subject, metrics }) => [subject.run_id, metrics.pass_hat_k])).toEqual([
      ['model-a', { 1: 0.75, 2: 0.5 }],
      ['model-b', { 1: 1, 2: 1 }],
    ]);
    expect(reports[0]?.metrics.costs.total_usd).toBeCloseTo(1.2, 12);
    expect(reports[0]?.subject.notes).toContain("The submission's own figures of airline: pass^1 50.0 %.");
    const { stdout } = await tauflow(['compare', folder, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ better: [{ task_name: 'airline/7' }] });
  });

  it('is refused where a domain is there twice, and a file is cut', async () => {
    const folder = scratchFolder();
    submit(folder, 'model-a', [0, 1]);
    cpSync(join(folder, 'model-a/trajectories/a.json'), join(folder, 'model-a/trajectories/b.json'));
    expect(await refusal('report', folder)).toContain('more than one result');
    rmSync(join(folder, 'model-a/trajectories/b.json'));
    writeFileSync(join(folder, 'model-a/trajectories/a.json'), results('airline', { 7: [1] }).slice(0, -30));
    expect(await refusal('report', folder)).toContain('cut short or is not JSON');
  });

  it('without trajectories is refused, and is named beside others', async () => {
    const folder = scratchFolder();
    submit(folder, 'model-a', [0, 1]);
    rmSync(join(folder, 'model-a/trajectories'), { recursive: true });
    expect(await refusal('report', folder)).toContain('its submissions have no trajectories');
    submit(folder, 'model-b', [1, 1]);
    const [report] = await read(folder);
    expect(report?.subject.notes).toContain('Left out, because they have no trajectories: model-a.');
  });

  it('may be a folder of results files', async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'a.json'), results('airline', { 1: [1], 2: [0] }));
    writeFileSync(join(folder, 'b.json'), JSON.stringify([{ task_id: 1, reward: 1, trial: 0, info: {}, traj: [] }]));
    const reports = await read(folder);
    expect(reports.map(({ subject, metrics }) => [subject.run_id, metrics.average_reward])).toEqual([
      ['a', 0.5],
      ['b', 1],
    ]);
  });
});
