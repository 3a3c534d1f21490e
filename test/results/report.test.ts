import { describe, expect, it } from 'vitest';

import { chooseStyle } from '../../src/cli/terminal/testing.ts';
import { formatCount, formatDuration, formatRewards, formatUsd } from '../../src/results/document/index.ts';
import { buildReport, formatLeaderboardRow, SCRIPTED_REMARK } from '../../src/results/report/testing.ts';
import {
  metricsToJson,
  reportToJson,
  subjectOfFile,
  reportOfEntries,
  reportOfRun,
  reportToMarkdown,
  type ReportSubject,
} from '../../src/results/report/index.ts';
import { readResultsFile, assembleResultsFile } from '../../src/results/files/index.ts';
import { computePassHats } from '../../src/results/metrics/index.ts';
import type { EpisodeRow } from '../../src/run-log/index.ts';
import { CONFIG, record, row, scratchLog, renderReport } from './fixtures.ts';

const SUBJECT: ReportSubject = {
  ...subjectOfFile('run-1.json'),
  env: 'retail',
  split: 'test',
  strategy: 'tool-calling',
  label: 'TC',
  agentModel: 'gpt-4o',
  agentProvider: 'openai',
  userModel: 'gpt-4o',
  userProvider: 'openai',
  userStrategy: 'llm',
  startedAt: '2025-01-01T00:00:00.000Z',
  endedAt: '2025-01-01T00:12:05.000Z',
  planned: null,
  maxCostUsd: null,
};

const ROWS: readonly EpisodeRow[] = [
  row(7, 0, 1, { steps: 4, turns: 2 }),
  row(7, 1, 0, { outcome: 'agent_error', error: 'the arguments are\n\u001b[31mnot JSON' }),
  row(3, 1, 1, { steps: 9, turns: 4 }),
  row(3, 0, 1, { steps: 6, turns: 3, outcome: 'transferred' }),
  row(9, 0, 0, { outcome: 'cancelled' }),
];

const PLAIN = { columns: 140, color: false };
const widths = (text: string) => text.split('\n').map((line) => line.length);

describe('a report', () => {
  const report = buildReport(SUBJECT, ROWS, { problems: ['x.json is not an episode’s record'] });

  it('has a row a task with rewards in the trials’ order', () => {
    expect(report.tasks.map(({ taskId, rewards, passRate }) => [taskId, rewards, passRate])).toEqual([
      [3, [1, 1], 1],
      [7, [1, 0], 0.5],
      [9, [null], null],
    ]);
    expect(report.tasks[0]).toMatchObject({ steps: 7.5, stepsToSuccess: 7.5, successTurn: 3.5, costUsd: 1 });
    expect(report.tasks[1]).toMatchObject({ stepsToSuccess: 4, outcomes: { user_stop: 1, agent_error: 1 } });
  });

  it('names every estimator for what it is, with its k and n', () => {
    const text = renderReport(report, PLAIN);
    expect(text).toMatch(
      /pass\^1 +0\.750 \[0\.\d\d, [01]\.\d\d\] +one trial succeeds; pass\^k is the mean of C\(c,k\)\/C\(n,k\), n = 2, 2 tasks/,
    );
    expect(text).toMatch(/pass\^2 +0\.500 \[0\.\d\d, [01]\.\d\d\] +2 trials of a task all succeed\n/);
    expect(text).toMatch(
      /success within 1 turn +0\.000 +share of episodes that succeeded with the agent speaking at most once/,
    );
    expect(text).toMatch(/success within 3 turns +0\.500 +at most 3 times\n/);
    expect(text).toMatch(/success in exactly 3 turns +0\.250 +3 times\n/);
    expect(text).toMatch(/overall score +0\.625 +mean of pass\^1, pass\^2/);
    expect(text).toMatch(/average reward +0\.750 +3 of 4 episodes succeeded, errors counted as failures/);
    expect(text).toContain('2 tasks × 2 trials: 4 episodes in 12 min 5 s');
    expect(text).toContain('| TC (gpt-4o) | 0.750 | 0.500 | ?? | ?? |');
    expect(text).toContain('x.json is not an episode’s record');
  });

  it('shows the second denominator only where infrastructure errors make a difference', () => {
    expect(renderReport(report, PLAIN)).not.toContain('infrastructure errors left out');
    const broken = [...ROWS, row(9, 1, 0, { outcome: 'infrastructure_error', error: 'rate limited' })];
    const text = renderReport(buildReport(SUBJECT, broken), PLAIN);
    expect(text).toMatch(/average reward +0\.600/);
    expect(text).toMatch(/average reward, missing trials and infrastructure errors left out +0\.750/);
  });

  it('shows errors on one line, without control characters', () => {
    expect(renderReport(report, PLAIN)).toContain('task 7: the arguments are [31mnot JSON\n');
  });

  it('fits the terminal, one row a task, by leaving columns out and cutting the outcome', () => {
    const wide = buildReport(
      { ...SUBJECT, runId: 'run' },
      Array.from({ length: 460 }, (_, i) =>
        row(Math.floor(i / 4), i % 4, i % 3 === 0 ? 1 : 0, { outcome: 'agent_error' }),
      ),
    );
    for (const columns of [60, 80, 100, 200]) {
      const text = renderReport(wide, { columns, color: false });
      expect(Math.max(...widths(text))).toBeLessThanOrEqual(columns);
      expect(text.split('\n').filter((line) => /^│ +\d+ │/.test(line))).toHaveLength(115);
    }
  });

  it('is the same text with colours as without, but for the colours', () => {
    const coloured = renderReport(report, { columns: 140, color: true });
    // eslint-disable-next-line no-control-regex -- colours are control sequences
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(renderReport(report, PLAIN));
    expect(coloured).not.toBe(renderReport(report, PLAIN));
  });

  it('says in plain words that the model was scripted, once', () => {
    const scripted = { ...SUBJECT, agentProvider: 'scripted' };
    expect(buildReport(scripted, ROWS).remarks).toContain(SCRIPTED_REMARK);
    expect(renderReport(buildReport(scripted, ROWS), PLAIN)).toContain('The model was scripted');
    const noted = { ...scripted, notes: ['The model was scripted (oracle).'] };
    expect(buildReport(noted, ROWS).remarks.filter((remark) => remark.includes('scripted'))).toEqual(noted.notes);
  });

  it('says that costs are unknown rather than zero', () => {
    const unpriced = ROWS.map((each) => ({
      ...each,
      costUsd: null,
      roles: each.roles.map((role) => ({ ...role, costUsd: null })),
    }));
    const text = renderReport(buildReport(SUBJECT, unpriced), PLAIN);
    expect(text).toMatch(/cost +not known/);
    expect(text).not.toContain('$0.00');
  });

  it('is valid without a single episode', () => {
    const empty = buildReport(SUBJECT, []);
    expect(renderReport(empty, PLAIN)).toContain('No episode has ended.');
    expect(reportToMarkdown(empty)).toContain('No episode has ended.');
    expect(JSON.parse(JSON.stringify(reportToJson(empty)))).toMatchObject({ metrics: { average_reward: null } });
  });

  it('is the same in JSON, with figures by k', () => {
    const json = JSON.parse(JSON.stringify(metricsToJson(report))) as object;
    expect(json).toMatchObject({
      run_id: 'run-1',
      average_reward: 0.75,
      pass_hat_k: { '1': 0.75, '2': 0.5 },
      success_within_turns: { '2': 0.25, '3': 0.5, '4': 0.75 },
      errors_as_failures: { episodes: 4, pass_hat_k: [{ k: 1, trials: 2, tasks: 2 }, { k: 2 }] },
      outcomes: { user_stop: 2, agent_error: 1, transferred: 1, cancelled: 1 },
      leaderboard_row: '| TC (gpt-4o) | 0.750 | 0.500 | ?? | ?? |',
    });
  });

  it('is a Markdown document whose tables have as many cells as columns', () => {
    const lines = reportToMarkdown(buildReport({ ...SUBJECT, runId: 'a|b' }, ROWS)).split('\n');
    const cells = lines.filter((line) => line.startsWith('|')).map((line) => line.split(/(?<!\\)\|/).length - 2);
    expect(new Set(cells)).toEqual(new Set([3, 5, 7, 10]));
    expect(lines[0]).toBe('# a\\|b');
  });
});

describe('a leaderboard row', () => {
  it('has three decimals', () => {
    const rows = Array.from({ length: 12 }, (_, i) => row(Math.floor(i / 4), i % 4, i < 8 ? 1 : 0));
    expect(formatLeaderboardRow({ label: 'TC', model: 'gpt-4o', variants: [] }, computePassHats(rows))).toBe(
      '| TC (gpt-4o) | 0.667 | 0.667 | 0.667 | 0.667 |',
    );
  });
});

describe('a run that is not whole', () => {
  const lost = { outcome: 'infrastructure_error', error: '401 key rejected' } as const;

  it('has no leaderboard row, and says how many episodes its budget has left out', () => {
    const subject = { ...SUBJECT, status: 'budget_reached', planned: 12, maxCostUsd: 0.05 } as const;
    const report = buildReport(subject, [row(1, 0, 1), row(2, 0, 0)]);
    expect(report).toMatchObject({ leaderboardRow: null, unfinished: { missing: 10 } });
    expect(report.remarks).toEqual([
      'The run is incomplete: 10 of 12 planned episodes have no result because the budget of $0.0500 is spent. The ' +
        'figures cover the others, and there is no leaderboard row. Run the missing episodes with ' +
        '`npx tauflow resume run-1 --max-cost USD`.',
    ]);
    expect(metricsToJson(report)).toMatchObject({ planned: 12, unfinished: { missing: 10 }, leaderboard_row: null });
  });

  it('has a leaderboard row if all episodes of base have ended', () => {
    const subject = { ...SUBJECT, status: 'cancelled', planned: 4 } as const;
    const broken = row(1, 0, 0, { condition: 'tool-errors' });
    const report = buildReport(subject, [row(1, 0, 1), row(2, 0, 0), broken], { conditions: ['tool-errors'] });
    expect(report.leaderboardRow).toContain('| 0.500 |');
    expect(report.remarks[0]).toContain('The figures cover the others, and those of base are whole.');
    const lost = buildReport(subject, [row(1, 0, 1), broken], { conditions: ['tool-errors'] });
    expect(lost).toMatchObject({ leaderboardRow: null, unfinished: { missing: 2 } });
  });

  it('has no leaderboard row while it is in progress, and none after episodes were cancelled', () => {
    const running = buildReport({ ...SUBJECT, status: 'running', planned: 3 }, [row(1, 0, 1)]);
    expect(running.leaderboardRow).toBeNull();
    expect(running.remarks).toEqual(['The run is in progress: the figures cover the episodes that have ended.']);
    const cancelled = buildReport({ ...SUBJECT, status: 'cancelled', planned: 2 }, [
      row(1, 0, 1),
      row(2, 0, 0, { outcome: 'cancelled' }),
    ]);
    expect(cancelled.leaderboardRow).toBeNull();
    expect(buildReport({ ...SUBJECT, status: 'completed', planned: 1 }, [row(1, 0, 1)]).leaderboardRow).not.toBeNull();
  });

  it('has unknown figures where infrastructure ended every episode, and not a score of 0', () => {
    const report = buildReport({ ...SUBJECT, status: 'completed', planned: 2 }, [
      row(1, 0, 0, lost),
      row(2, 0, 0, lost),
    ]);
    expect(report).toMatchObject({ leaderboardRow: null });
    expect(report.metrics).toMatchObject({
      episodes: 2,
      errorsAsFailures: { averageReward: null, episodes: 0, interval: null, passHatK: [] },
    });
    expect(metricsToJson(report)).toMatchObject({ average_reward: null, pass_hat_k: {} });
    const text = renderReport(report, PLAIN);
    expect(text).toContain('No episode has a score');
    expect(text).not.toContain('0.000');
    expect(reportToMarkdown(report)).not.toContain('0.000');
  });

  it('counts lost episodes as failures as soon as one has a score', () => {
    const report = buildReport({ ...SUBJECT, status: 'completed', planned: 2 }, [row(1, 0, 1), row(2, 0, 0, lost)]);
    expect(report.metrics.errorsAsFailures).toMatchObject({ averageReward: 0.5, episodes: 2 });
    expect(report.leaderboardRow).toContain('| 0.500 |');
  });
});

describe('a report from disk', () => {
  it('is made of a run log alone', async () => {
    const log = scratchLog();
    await log.writeEpisode(record(1, 0));
    const bare = await reportOfRun(log);
    expect(bare).toMatchObject({ subject: { runId: 'run-1', strategy: null }, leaderboardRow: null });
    expect(bare.metrics.episodes).toBe(1);
    await log.writeRun({
      formatVersion: 1,
      runId: 'run-1',
      status: 'completed',
      startedAt: '2025-01-01T00:00:00.000Z',
      endedAt: '2025-01-01T00:01:00.000Z',
      label: 'TC',
      config: CONFIG,
      plan: { taskIds: [1], numTrials: 1, shuffle: false },
      maxConcurrency: 1,
      maxCostUsd: null,
      versions: {},
      temporal: null,
      notes: [],
    });
    const report = await reportOfRun(log);
    expect(report.leaderboardRow).toBe('| TC (gpt-4o) | 1.000 | ?? | ?? | ?? |');
    expect(report.metrics.costs.totalUsd).toBeCloseTo(0.024);
  });

  it('is made of a results file alone, with the same rewards, steps and turns', async () => {
    const log = scratchLog();
    await log.writeEpisode(record(1, 0));
    await log.writeEpisode(
      record(2, 0, {
        reward: 0,
        grade: null,
        outcome: { kind: 'agent_error', error: 'invalid_action', message: 'no' },
      }),
    );
    await assembleResultsFile(log);
    const report = reportOfEntries(log.paths.results, await readResultsFile(log.paths.results), null);
    expect(report.metrics).toMatchObject({ episodes: 2, outcomes: { user_stop: 1, error: 1 } });
    expect(report.tasks[0]).toMatchObject({ taskId: 1, stepsToSuccess: 2, successTurn: 1, costUsd: null });
    expect(report.tasks[1]?.error).toBe('no');
    expect(renderReport(report, PLAIN)).toContain('a results file has no costs; a run log has them');
    expect(report.remarks).toEqual([]);
  });
});

describe('figures for people', () => {
  it('are short and never hide a cost', () => {
    expect([0, 0.00042, 0.5, 1, 1234.5].map(formatUsd)).toEqual(['$0.00', '$0.0004', '$0.5000', '$1.00', '$1234.50']);
    expect([1, 999, 1000, 1234567].map(formatCount)).toEqual(['1', '999', '1,000', '1,234,567']);
    expect([850, 42_000, 278_000, 7_500_000].map(formatDuration)).toEqual([
      '850 ms',
      '42 s',
      '4 min 38 s',
      '2 h 5 min',
    ]);
    expect(formatRewards([1, 0, null, 0.5])).toBe('1 0 — 0.50');
    expect(formatRewards(Array.from({ length: 16 }, (_, i) => (i < 12 ? 1 : 0)))).toBe('12 of 16');
  });

  it('have colours only on a terminal that wants them', () => {
    expect(chooseStyle({ isTTY: true, columns: 90 }, {})).toEqual({ columns: 90, color: true });
    expect(chooseStyle({ isTTY: true }, { NO_COLOR: '1' }).color).toBe(false);
    expect(chooseStyle({ isTTY: false }, {})).toEqual({ columns: 120, color: false });
    expect(chooseStyle({ isTTY: false }, { FORCE_COLOR: '1' }).color).toBe(true);
  });
});
