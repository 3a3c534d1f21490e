/** Counts over the analyses of a run's episodes. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { USER_FAULT_KINDS, FAULT_KINDS, type UserFaultKind, type FaultKind } from '../../src/analysis/index.ts';
import { userFaultBreakdown, faultBreakdown } from '../../src/results/metrics/testing.ts';
import { firstFault, computeMetrics } from '../../src/results/metrics/index.ts';
import { buildReport } from '../../src/results/report/testing.ts';
import { metricsToJson, subjectOfFile } from '../../src/results/report/index.ts';
import type { EpisodeRow, RowAnalysis } from '../../src/run-log/index.ts';
import { row, renderReport } from './fixtures.ts';

const NOTHING: RowAnalysis = { faults: [], differences: [], user: [] };

function fault(kind: FaultKind, faultType: RowAnalysis['faults'][number]['faultType'] = null) {
  return { kind, faultType, step: 1, sentence: `${kind}.` };
}

function finding(kind: UserFaultKind, severity: 'suspect' | 'remark') {
  return { kind, severity, step: 0, sentence: `${kind}.` };
}

const SUSPECT: RowAnalysis = { ...NOTHING, user: [finding('invented_fact', 'suspect')] };

const ROWS: readonly EpisodeRow[] = [
  row(0, 0, 1, { analysis: { ...NOTHING, user: [finding('recited_instruction', 'remark')] } }),
  row(0, 1, 0, {
    analysis: { ...SUSPECT, faults: [fault('missing_write', 'goal_partially_completed'), fault('wrong_tool')] },
  }),
  row(1, 0, 0, { analysis: { ...NOTHING, faults: [fault('missing_write', 'goal_partially_completed')] } }),
  row(1, 1, 0, { analysis: NOTHING }),
  row(2, 0, 0),
  row(2, 1, 0, { outcome: 'cancelled', analysis: { ...SUSPECT, faults: [fault('other', 'other')] } }),
];

describe('why episodes failed', () => {
  it('is counted by the first fault, those without an analysis apart', () => {
    expect(computeMetrics(ROWS).faults).toEqual({
      failed: 4,
      notAnalyzed: 1,
      unexplained: 1,
      kinds: { missing_write: 2 },
      faultTypes: { goal_partially_completed: 2 },
    });
  });

  it('says nothing of a solved episode, whatever was noticed in it', () => {
    expect(firstFault(row(0, 0, 1, { analysis: { ...NOTHING, faults: [fault('other')] } }))).toBeNull();
  });

  it('adds up to the failed episodes, however they were analysed', () => {
    const kinds = Object.keys(FAULT_KINDS) as FaultKind[];
    const anyRow = fc
      .tuple(fc.nat(9), fc.constantFrom(0, 1), fc.option(fc.array(fc.constantFrom(...kinds), { maxLength: 3 })))
      .map(([task, reward, faults]) =>
        row(
          task,
          0,
          reward,
          faults === null ? {} : { analysis: { ...NOTHING, faults: faults.map((kind) => fault(kind)) } },
        ),
      );
    fc.assert(
      fc.property(fc.array(anyRow), (rows) => {
        const { failed, notAnalyzed, unexplained, kinds: counts } = faultBreakdown(rows);
        const explained = Object.values(counts).reduce((sum, n) => sum + n, 0);
        expect(notAnalyzed + unexplained + explained).toBe(failed);
        expect(failed).toBe(rows.filter(({ reward }) => reward === 0).length);
      }),
    );
  });

  it('is in the table, at its task, and as a breakdown', () => {
    const text = renderReport(buildReport(subjectOfFile('run.json'), ROWS), { columns: 100, color: false });
    expect(text).toMatch(/│ +0 │ 1 0 .*│ missing_write; 1 suspect +│/);
    expect(text).toMatch(
      /Why episodes failed\n {2}missing_write +2 +a change was not made\n {2}no fault found +1 .*\n {2}not analyzed +1 /,
    );
    expect(text).toMatch(/goal_partially_completed +2 +67 % of the failed episodes that were analyzed/);
  });
});

describe('suspect users', () => {
  it('are counted by what they did, remarks and cancelled episodes aside', () => {
    expect(userFaultBreakdown(ROWS.slice(0, 5))).toEqual({
      analyzed: 4,
      suspects: 1,
      kinds: { recited_instruction: { episodes: 1, suspects: 0 }, invented_fact: { episodes: 1, suspects: 1 } },
    });
    expect(computeMetrics(ROWS).userFaults.suspects).toBe(1);
  });

  it('of half of the episodes or more are said to leave little to say about the agent', () => {
    const remark = /^2 of 3 episodes have a suspect user: this run says little about the agent\./;
    const rows = [
      row(0, 0, 0, { analysis: SUSPECT }),
      row(1, 0, 0, { analysis: SUSPECT }),
      row(2, 0, 1, { analysis: NOTHING }),
    ];
    expect(buildReport(subjectOfFile('run.json'), rows).remarks).toEqual([expect.stringMatching(remark)]);
    expect(buildReport(subjectOfFile('run.json'), ROWS).remarks.some((text) => /suspect/.test(text))).toBe(false);
  });

  it('leave the scores as they are, and have one without them beside', () => {
    const metrics = computeMetrics(ROWS);
    expect(metrics.errorsAsFailures).toMatchObject({ episodes: 5, successes: 1, averageReward: 0.2 });
    expect(metrics.withoutSuspects).toMatchObject({ episodes: 4, successes: 1, averageReward: 0.25 });
    // Task 0 has one trial left, and it was solved.
    expect(metrics.withoutSuspects.passHatK[0]).toMatchObject({ k: 1, value: 1 / 3, tasks: 3 });
    const report = buildReport(subjectOfFile('run.json'), ROWS);
    const text = renderReport(report, { columns: 140, color: false });
    expect(text).toMatch(/average reward, suspect users left out +0\.250 \[0\.\d\d, 0\.\d\d\] +1 of 4 episodes/);
    expect(text).toMatch(/episodes with a suspect user +1 +of 4 checked episodes/);
    expect(metricsToJson(report)).toMatchObject({ without_suspects: { episodes: 4 }, user_faults: { suspects: 1 } });
  });

  it('have no second reading where there are none', () => {
    const report = buildReport(subjectOfFile('run.json'), [row(0, 0, 1, { analysis: NOTHING })]);
    const text = renderReport(report, { columns: 140, color: false });
    expect(text).toMatch(/episodes with a suspect user +0 +of 1 checked episode;/);
    expect(text).not.toContain('suspect users left out');
  });

  it('have a title for every kind', () => {
    for (const kind of Object.keys(USER_FAULT_KINDS) as UserFaultKind[]) {
      const rows = [row(0, 0, 1, { analysis: { ...NOTHING, user: [finding(kind, 'suspect')] } })];
      const text = renderReport(buildReport(subjectOfFile('run.json'), rows), { columns: 140, color: false });
      expect(text).toContain(USER_FAULT_KINDS[kind]);
    }
  });
});
