/** Model calls by role, what strategies count, and episodes without a score. */

import { describe, expect, it } from 'vitest';

import { computeMetrics } from '../../src/results/metrics/index.ts';
import { buildReport } from '../../src/results/report/testing.ts';
import { metricsToJson, subjectOfFile, reportToMarkdown } from '../../src/results/report/index.ts';
import type { RoleFigures } from '../../src/run-log/index.ts';
import { row, renderReport } from './fixtures.ts';

function figures(role: string, calls: number, promptTokens: number, costUsd: number | null): RoleFigures {
  return {
    role,
    calls,
    cachedCalls: 0,
    extraAttempts: 0,
    truncatedReplies: 0,
    promptTokens,
    completionTokens: 100 * calls,
    cachedTokens: 0,
    reasoningTokens: 0,
    costUsd,
    latencyMs: 2000 * calls,
  };
}

const ROWS = [
  row(1, 0, 1, {
    roles: [figures('user', 2, 100, 0), figures('agent/planner', 1, 3000, 0.5)],
    counts: { intent_exact: 3, parameter_errors: 1 },
  }),
  row(2, 0, 0, { roles: [figures('agent/planner', 2, 5001, 1), figures('agent', 9, 1_234_567, null)], costUsd: null }),
  row(3, 0, 0, { outcome: 'cancelled', roles: [], counts: { intent_exact: 1 } }),
  row(4, 0, 0, { outcome: 'infrastructure_error', roles: [figures('user', 2, 100, 0)] }),
];

describe('completions that reached the limit on tokens', () => {
  it('are reported with their role, where there are any', () => {
    const cut = { ...figures('agent', 5, 100, 1), truncatedReplies: 2 };
    const rows = [row(1, 0, 1, { roles: [cut, figures('user', 2, 100, 0)] }), row(2, 0, 1, { roles: [cut] })];
    const markdown = reportToMarkdown(buildReport(subjectOfFile('ours.json'), rows));
    expect(markdown).toMatch(/cost of agent.* out, 4 cut at the token limit/);
    expect(markdown).toMatch(/cost of user.* out(?!, )/);
  });
});

describe('model calls by role', () => {
  it('are means over every episode that was paid for', () => {
    expect(computeMetrics(ROWS).callsByRole).toEqual([
      {
        role: 'user',
        callsPerEpisode: 1,
        promptTokensPerEpisode: 50,
        completionTokensPerEpisode: 100,
        costPerEpisodeUsd: 0,
        latencyPerEpisodeMs: 2000,
        latencyPerCallMs: 2000,
      },
      {
        role: 'agent/planner',
        callsPerEpisode: 0.75,
        promptTokensPerEpisode: 2000.25,
        completionTokensPerEpisode: 75,
        costPerEpisodeUsd: 0.375,
        latencyPerEpisodeMs: 1500,
        latencyPerCallMs: 2000,
      },
      {
        role: 'agent',
        callsPerEpisode: 2.25,
        promptTokensPerEpisode: 308_641.75,
        completionTokensPerEpisode: 225,
        costPerEpisodeUsd: null,
        latencyPerEpisodeMs: 4500,
        latencyPerCallMs: 2000,
      },
    ]);
  });

  it('are a table in the report, with the sum over all roles', () => {
    const report = buildReport(subjectOfFile('run.json'), ROWS);
    const text = renderReport(report, { columns: 80, color: false });
    expect(text).toMatch(/Model calls by role\n +per episode +calls +tokens in +out +cost +latency +per call\n/);
    expect(text).toMatch(/\n +agent\/planner +0\.8 +2,000 +75 +\$0\.3750 +2 s +2 s\n/);
    expect(text).toMatch(/\n +agent +2\.3 +308,642 +225 +— +5 s +2 s\n/);
    expect(text).toMatch(/\n +all +4\.0 +310,692 +400 +— +8 s +2 s\n/);
    expect(reportToMarkdown(report)).toMatch(
      /## Model calls by role\n\n\| per episode \| calls .*\n.*\n\| user \| 1\.0 /,
    );
  });

  it('are in metrics.json', () => {
    expect(metricsToJson(buildReport(subjectOfFile('run.json'), ROWS))).toMatchObject({
      calls_by_role: [
        { role: 'user', calls_per_episode: 1, prompt_tokens_per_episode: 50, cost_per_episode_usd: 0 },
        { role: 'agent/planner' },
        { role: 'agent', cost_per_episode_usd: null },
      ],
      counts: { intent_exact: 4, parameter_errors: 1 },
    });
  });

  it('are no section where calls are not known', () => {
    const report = buildReport(subjectOfFile('theirs.json'), [row(1, 0, 1, { roles: [], costUsd: null })]);
    expect(renderReport(report, { columns: 80, color: false })).not.toContain('Model calls by role');
    expect(reportToMarkdown(report)).not.toContain('Model calls by role');
    expect(renderReport(report, { columns: 80, color: false })).not.toContain('Counts');
  });
});

describe('what a strategy counted', () => {
  it('is summed over all episodes, and shown with its mean', () => {
    const report = buildReport(subjectOfFile('run.json'), ROWS);
    expect(report.metrics.counts).toEqual({ intent_exact: 4, parameter_errors: 1 });
    expect(renderReport(report, { columns: 80, color: false })).toMatch(
      /Counts\n +intent exact +4 +1\.00 per episode\n +parameter errors +1 +0\.25 per episode\n/,
    );
    expect(reportToMarkdown(report)).toContain('| intent exact | 4 | 1.00 per episode |');
  });
});

describe('an episode in which the agent only decided', () => {
  it('counts as ended, and in no reading of rewards', () => {
    const decided = row(5, 0, 0, { outcome: 'decision_only' });
    const metrics = computeMetrics([row(1, 0, 1), decided]);
    expect(metrics).toMatchObject({ episodes: 2, decided: 1, cancelled: 0 });
    expect(metrics.errorsAsFailures).toMatchObject({ episodes: 1, successes: 1, averageReward: 1 });
    expect(metrics.infrastructureErrorsLeftOut.episodes).toBe(1);
    expect(computeMetrics([decided])).toMatchObject({
      episodes: 1,
      decided: 1,
      overallScore: null,
      errorsAsFailures: { averageReward: null, passHatK: [] },
    });
  });
});
