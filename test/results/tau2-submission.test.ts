/** Submissions to the leaderboard of τ³-bench: their document, and the check before they are written. */

import { describe, expect, it } from 'vitest';
import { checkSubmission, createSubmission, type SubmittedRun } from '../../src/benchmarks/tau3/testing.ts';
import type { EvaluationConfig } from '../../src/evaluation/index.ts';
import { leaderboardFigures } from '../../src/results/export/index.ts';
import { buildReport } from '../../src/results/report/testing.ts';
import { subjectOfRun } from '../../src/results/report/index.ts';
import type { RunManifest } from '../../src/run-log/index.ts';
import { manifest } from './compare/runs.ts';
import { CONFIG, PACKAGE, TASK, row } from './fixtures.ts';

const PUBLISHED = { version: '1.0.1', splits: { base: [TASK] } };

function submitted(
  changes: Partial<RunManifest> = {},
  config: Partial<EvaluationConfig> = {},
  facts: Partial<SubmittedRun> = {},
): SubmittedRun {
  const plan = { taskIds: [3], numTrials: 4, shuffle: false };
  const run = manifest('run-1', { env: 'tau3-retail', split: 'base', maxSteps: 200, ...config }, { plan, ...changes });
  const rows = [1, 1, 1, 0].map((reward, trial) => row(3, trial, reward));
  const figures = leaderboardFigures(buildReport(subjectOfRun(run), rows));
  return {
    run,
    figures,
    pack: PUBLISHED,
    isJudgeMissing: false,
    trajectories: 4,
    resultsFile: 'results.json',
    ...facts,
  };
}

describe('a submission', () => {
  it('has percentages, method, and what was left out', () => {
    const pack = { ...PUBLISHED, splits: { base: [TASK, TASK] } };
    expect(createSubmission([submitted({}, {}, { pack })])).toMatchObject({
      model_name: 'openai/gpt-4o',
      submission_type: 'standard',
      submission_date: '2026-11-21',
      trajectory_files: { retail: 'results.json' },
      results: { retail: { pass_1: 75, pass_2: 50, pass_4: 0 } },
      methodology: {
        user_simulator: 'openai/gpt-4o',
        verification: { modified_prompts: false, omitted_questions: true },
      },
    });
  });

  it("names version and retrieval of a run on the benchmark's own package", () => {
    expect(createSubmission([submitted({}, PACKAGE)])).toMatchObject({
      results: { banking_knowledge: { pass_1: 75, retrieval_config: 'bm25' } },
      methodology: { tau2_bench_version: '1.0.1' },
    });
  });

  it('has one entry for each domain', () => {
    const airline = submitted({ runId: 'air' }, { env: 'tau3-airline' }, { resultsFile: 'air.json' });
    expect(createSubmission([submitted(), airline])).toMatchObject({
      trajectory_files: { retail: 'results.json', airline: 'air.json' },
      results: { retail: { pass_1: 75 }, airline: { pass_1: 75 } },
    });
  });

  it.each([
    ['tau-bench', submitted({}, { env: 'retail' })],
    ['a domain of no leaderboard', submitted({}, { env: 'tau2:mock' })],
    ['two trials', submitted({ plan: { taskIds: [3], numTrials: 2, shuffle: false } })],
    ['missing episodes', submitted({ plan: { taskIds: [3, 4], numTrials: 4, shuffle: false } })],
  ])('is not made of %s', (_name, run) => {
    expect(createSubmission([run])).toBeNull();
  });
});

describe('the check of a submission', () => {
  const problems = (...runs: SubmittedRun[]) =>
    checkSubmission(runs).flatMap(({ state, check, message }) => (state === 'wrong' ? [`${check}: ${message}`] : []));

  it('finds nothing wrong with a whole run, and names the domains that are missing', () => {
    expect(checkSubmission([submitted()]).map(({ state, check }) => `${state} ${check}`)).toEqual([
      'right type',
      'note domains',
      'right models',
      'right episodes',
      'right version',
    ]);
    const domains = ['retail', 'airline', 'telecom'].map((domain) => submitted({}, { env: `tau3-${domain}` }));
    const all = [...domains, submitted({}, { ...PACKAGE, split: 'base', maxSteps: 200 })];
    expect(checkSubmission(all).find(({ check }) => check === 'domains')).toMatchObject({ state: 'right' });
  });

  it.each([
    ['an agent of its own', submitted({}, { strategy: 'fastworkflow' }), 'the agent is fastworkflow'],
    ['another user', submitted({}, { userStrategy: 'react' }), 'the user is react'],
    ['fewer steps', submitted({}, { maxSteps: 30 }), 'at most 30 steps'],
    ['another policy', submitted({}, {}, { pack: { ...PUBLISHED, changedFiles: ['wiki.md'] } }), 'wiki.md is not'],
  ])('calls a submission with %s custom', (_name, run, reason) => {
    expect(checkSubmission([run])[0]).toMatchObject({
      check: 'type',
      message: expect.stringContaining(reason) as string,
    });
    expect(createSubmission([run])).toMatchObject({ submission_type: 'custom' });
  });

  it.each([
    ['tau-bench', submitted({}, { env: 'retail' }), 'domains: the run run-1 is of tau-bench'],
    ['a domain of no leaderboard', submitted({}, { env: 'tau2:mock' }), 'domains: the leaderboard has no domain mock'],
    ['another split', submitted({}, { split: 'test' }), 'tasks: the run run-1 is of the split test'],
    ['no pack', submitted({}, {}, { pack: undefined }), 'tasks: the tasks of run-1 cannot be checked'],
    [
      'tasks left out',
      submitted({}, {}, { pack: { splits: { base: [TASK, TASK] } } }),
      'tasks: the run run-1 has 1 of 2',
    ],
    ['two trials', submitted({ plan: { taskIds: [3], numTrials: 2, shuffle: false } }), 'trials: the leaderboard asks'],
    [
      'missing episodes',
      submitted({ plan: { taskIds: [3, 4], numTrials: 4, shuffle: false } }),
      'results: 4 of 8 episodes',
    ],
    ['sentences without a judge', submitted({}, {}, { isJudgeMissing: true }), 'results: sentences of its tasks'],
    ['lost conversations', submitted({}, {}, { trajectories: 3 }), 'trajectories: 1 of 4 episodes'],
  ])('refuses %s', (_name, run, problem) => {
    expect(problems(run)).toContainEqual(expect.stringContaining(problem));
  });

  it('refuses domains with different models or versions, and a domain twice', () => {
    const userModel = { ...CONFIG.userModel, model: 'gpt-5.2' };
    expect(problems(submitted(), submitted({}, { env: 'tau3-airline', userModel }))).toEqual([
      expect.stringMatching(/^models: the run run-1 has .*gpt-5\.2.*; play all domains with the same models/),
    ]);
    const old = submitted({}, { env: 'tau3-airline' }, { pack: { ...PUBLISHED, version: '1.0.0' } });
    expect(problems(submitted(), old)).toEqual([expect.stringContaining('(1.0.1 and 1.0.0)')]);
    expect(problems(submitted(), submitted({ runId: 'again' }))).toEqual([
      'domains: the runs run-1 and again are both of retail; leave out one of them',
    ]);
  });
});
