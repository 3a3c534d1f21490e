import { describe, expect, it } from 'vitest';

import {
  describeFailures,
  evaluateGates,
  parseGate,
  parseGates,
  requirePlanned,
} from '../../../src/results/gates/index.ts';
import { reportsToJunit } from '../../../src/results/export/index.ts';
import { firstScreen, reportToJson, subjectOfFile, withGates } from '../../../src/results/report/index.ts';
import { buildReport } from '../../../src/results/report/testing.ts';
import { compareRuns } from '../../../src/results/compare/testing.ts';
import { renderTerminal } from '../../../src/cli/terminal/testing.ts';
import type { EpisodeRow } from '../../../src/run-log/index.ts';
import { row } from '../fixtures.ts';

/** Ten tasks with five trials; task n is solved n times, those above 5 always. */
const ROWS = Array.from({ length: 10 }, (_, task) =>
  Array.from({ length: 5 }, (__, trial) => row(task, trial, trial < task ? 1 : 0, { steps: task })),
).flat();

function decide(text: string, rows: readonly EpisodeRow[] = ROWS, delta: number | null = null) {
  const interval = { low: -0.3, high: 0.1, level: 0.95 };
  const difference = delta === null ? null : { delta, interval };
  const [result] = evaluateGates([parseGate(text)], (name) => (name === null ? { rows, difference } : null));
  return result;
}

describe('a gate', () => {
  it.each([
    ['pass^1 < 0.8', { figure: 'pass^k', k: 1, trials: 1, comparison: '<', bound: 0.8, certainty: null, task: null }],
    ['  pass^3<=.5 ', { figure: 'pass^k', k: 3, trials: 3, comparison: '<=', bound: 0.5 }],
    ['pass^1 surely < 80 %', { certainty: 'surely', bound: 0.8 }],
    ['suspects possibly > 10%', { figure: 'suspects', certainty: 'possibly', bound: 0.1 }],
    ['task 3: 4 of 5', { task: 3, figure: 'pass^k', k: 1, trials: 5, comparison: '<', bound: 0.8 }],
    ['task 12 : steps > 20', { task: 12, figure: 'steps', bound: 20 }],
    ['tool-errors: drop > 0.1', { condition: 'tool-errors', figure: 'drop' }],
    ['user:claims: drop surely >= 0.1', { condition: 'user-claims', certainty: 'surely' }],
    ['cost  per episode > $0.05', { figure: 'cost per episode', bound: 0.05 }],
    ['cost > 20', { figure: 'cost', bound: 20 }],
  ])('reads %s', (text, gate) => {
    expect(parseGate(text)).toMatchObject({ text: text.trim(), ...gate });
  });

  it.each([
    ['', /character 1: the gate ends instead of one of pass\^1/],
    ['pass^1 << 0.8', /character 9: there is "< 0\.8" instead of a number/],
    ['pass^0 < 1', /character 1: there is "pass\^0 < 1" instead of one of/],
    ['pass^1 = 1', /character 8: there is "= 1" instead of one of <, <=, > and >=/],
    ['pass^1 < 80', /character 10: pass\^1 is a share|character 10: pass\^k is a share/],
    ['reward < $1', /reward is a share/],
    ['cost > 5 %', /character 8: cost is no share/],
    ['steps > $5', /steps is no amount of money/],
    ['pass^1 < 0.8 or cost > 3', /character 14: there is "or cost > 3" after the gate/],
    ['cost surely > 3', /character 6: cost has no interval, so leave out surely/],
    ['4 of 5', /character 1: "4 of 5" needs a task/],
    ['task 3: 6 of 5', /character 8: "6 of 5" is no share of trials/],
    ['Task 3: pass^1 < 1', /character 1: "Task 3" is neither a task/],
    [`pass^1 < ${'9'.repeat(100_000)}x`, /^--fail-if 'pass\^1 < 9{71}…', character/],
  ])('refuses %.30s with the place', (text, sentence) => {
    expect(() => parseGate(text)).toThrow(sentence);
  });

  it.each([
    // 0.7 over all: (0 + 1 + 2 + 3 + 4 + 5 × 5) / 50.
    ['pass^1 < 0.71', false, 'pass^1 is 0.700 (95 % CI 0.397 to 0.899, which includes 0.710)'],
    ['pass^1 < 0.7', true, 'which includes 0.700)'],
    ['pass^1 <= 0.7', false, ''],
    ['pass^1 surely < 0.71', true, 'pass^1 is 0.700 (95 % CI'],
    ['pass^1 surely < 0.99', false, ''],
    ['pass^1 possibly < 0.69', false, ''],
    ['pass^1 possibly < 0.1', true, ''],
    ['pass^6 < 0.1', false, 'pass^6 is unknown: there are 5 trials instead of 6'],
    ['reward < 0.7', true, 'reward is 0.700 (95 % CI'],
    ['task 4: 4 of 5', true, 'task 4: pass^1 is 0.800 (95 % CI'],
    ['task 3: 4 of 5', false, 'task 3: pass^1 is 0.600'],
    ['task 3: 2 of 6', false, 'task 3: pass^1 is unknown: there are 5 trials instead of 6'],
    ['task 99: 1 of 5', false, 'task 99: pass^1 is unknown: no episode has ended'],
    ['steps > 4.4', false, 'steps is 4.5 (95 % CI'],
    ['steps possibly > 6', false, ''],
    ['errors > 0', true, 'errors is 0'],
    ['cost > $24.99', false, 'cost is $25.00'],
    ['cost per episode > 0.5', true, 'cost per episode is $0.5000 (95 % CI $0.5000 to $0.5000)'],
    ['suspects > 0', false, 'suspects is unknown: no conversation was checked'],
    ['drop > 0.1', false, 'drop is unknown: there is nothing to compare with'],
    ['tool-errors: drop > 0.1', false, 'tool-errors: drop is unknown: the run was not played under tool-errors'],
  ])('%s: %s', (text, isPassed, sentence) => {
    expect(decide(text)).toMatchObject({ isPassed, sentence: expect.stringContaining(sentence) as string });
  });

  it('reads a drop from a difference', () => {
    expect(decide('drop > 0.1', ROWS, -0.15)).toMatchObject({ isPassed: false, value: 0.15 });
    expect(decide('drop > 0.2', ROWS, -0.15)?.sentence).toBe(
      'drop is 0.150 (95 % CI -0.100 to 0.300, which includes 0.200)',
    );
    expect(decide('drop surely > 0.1', ROWS, -0.15)?.isPassed).toBe(true);
    expect(decide('drop possibly > 0.2', ROWS, -0.15)?.isPassed).toBe(false);
  });

  it('refuses what a run can never pass', () => {
    const plan = { taskIds: [1, 2, 3], numTrials: 4 };
    const check =
      (text: string, hasBaseline = false) =>
      () => {
        requirePlanned([parseGate(text)], plan, hasBaseline);
      };
    expect(check('task 4: 1 of 4')).toThrow("--fail-if 'task 4: 1 of 4' cannot be decided: the run has no task 4.");
    expect(check('task 3: 4 of 5')).toThrow(/it needs 5 trials, and the run has 4/);
    expect(check('pass^5 < 0.1')).toThrow(/it needs 5 trials/);
    expect(check('drop > 0.1')).toThrow(/drop needs a condition, or two runs/);
    expect(check('drop > 0.1', true)).not.toThrow();
    expect(check('noisy: pass^1 < 1')).toThrow(/not played under the condition noisy/);
  });
});

describe('gates of a report', () => {
  const report = withGates(buildReport(subjectOfFile('x.json'), ROWS), parseGates(['pass^1 < 0.1'], 0.75));

  it('are in the text, the JSON and JUnit', () => {
    const text = renderTerminal(firstScreen(report), { columns: 140, color: false });
    expect(text).toMatch(/--fail-under 0\.75 │ failed │ reward is 0\.700/);
    expect(text).toMatch(/pass\^1 < 0\.1 +│ passed │/);
    expect(reportToJson(report)).toMatchObject({
      gates: [
        { gate: '--fail-under 0.75', is_passed: false, value: 0.7 },
        { gate: 'pass^1 < 0.1', is_passed: true },
      ],
    });
    const junit = reportsToJunit([report]);
    expect(junit).toMatch(/<testsuite name="x" tests="52" failures="16"/);
    expect(junit).toContain('<testcase name="pass^1 &lt; 0.1" classname="gates"/>');
    expect(junit).toMatch(
      /name="--fail-under 0\.75" classname="gates">\s*<failure type="gate" message="reward is 0\.700/,
    );
    expect(describeFailures(report.gates)).toEqual(['the average reward 0.700 is below --fail-under 0.75']);
  });

  it('read the later run and the drop in a comparison', () => {
    const worse = ROWS.map((each) => (each.taskId > 6 ? { ...each, reward: 0 } : each));
    const side = (runId: string, rows: readonly EpisodeRow[]) => ({ runId, rows, manifest: null });
    const gates = parseGates(['drop > 0.2', 'pass^1 < 0.4'], undefined);
    const { gates: results } = compareRuns(side('a', ROWS), side('b', worse), { gates });
    expect(results.map(({ isPassed, value }) => ({ isPassed, value: value?.toFixed(3) }))).toEqual([
      { isPassed: false, value: '0.300' },
      { isPassed: true, value: '0.400' },
    ]);
  });
});
