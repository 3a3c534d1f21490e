import { describe, expect, it } from 'vitest';
import { verdict } from '../../src/cli/report/testing.ts';
import { renderTerminal } from '../../src/cli/terminal/testing.ts';
import { renderMarkdown } from '../../src/results/document/index.ts';
import {
  firstScreen,
  formatSyntheticNote,
  metricsToJson,
  subjectOfFile,
  type Report,
} from '../../src/results/report/index.ts';
import { buildReport } from '../../src/results/report/testing.ts';
import type { EpisodeRow, RowAnalysis } from '../../src/run-log/index.ts';
import { inProcessContext } from '../cli/in-process.ts';
import { row } from './fixtures.ts';

const NOTE = formatSyntheticNote('alder-finch', 'retail');
const SUBJECT = {
  ...subjectOfFile('mine'),
  label: 'TC',
  strategy: 'tool-calling',
  agentModel: 'gpt-4o',
  notes: [NOTE],
};

const failing = (kind: RowAnalysis['faults'][number]['kind']): Partial<EpisodeRow> => ({
  analysis: { faults: [{ kind, faultType: null, step: 1, sentence: '' }], differences: [], user: [] },
});

/** Seven tasks, two trials each; the first is always solved, the others never, for six kinds of faults. */
const KINDS = ['wrong_tool', 'wrong_tool', 'extra_write', 'missing_write', 'extra_write', 'extra_write'] as const;
const ROWS = [
  ...[0, 1].map((trial) => row(0, trial, 1)),
  ...KINDS.flatMap((kind, at) => [0, 1].map((trial) => row(at + 1, trial, 0, failing(kind)))),
];

function lines(report: Report): string[] {
  return renderTerminal(firstScreen(report), { columns: 140, color: false }).trimEnd().split('\n');
}

describe('the first screen of a report', () => {
  const report = buildReport(SUBJECT, ROWS);

  it('has scores, counts, faults, the worst tasks and the leaderboard row, in less than 25 lines', () => {
    const text = lines(report);
    expect(text.length).toBeLessThan(25);
    const shown = text.join('\n');
    expect(shown).toMatch(/average reward +0\.143 +2 of 14 episodes succeeded\n/);
    expect(shown).toMatch(/pass\^1 +0\.143 \[0\.00, 0\.\d\d\] +one trial succeeds; pass\^k is the mean of/);
    expect(shown).toMatch(/pass\^2 +0\.143 .*2 trials of a task all succeed\n/);
    expect(shown).toMatch(/within 1–4 turns +0\.\d{3} +mean of the shares .*: (?:0\.\d{3}(?:, )?){4}; not pass\^k\n/);
    expect(metricsToJson(report)).toHaveProperty('turn_score', report.metrics.turnScore);
    expect(shown).toMatch(/failed +12 +extra_write ×6, wrong_tool ×4, missing_write ×2\n/);
    expect(shown).toMatch(/tasks with failures +6 +the worst: 1 \(0\.000\), .*5 \(0\.000\)\n/);
    expect(shown).toContain('| Strategy | Pass^1 | Pass^2 | Pass^3 | Pass^4 |\n| -------- |');
    expect(shown).toContain('\n| TC (gpt-4o) | 0.143 | 0.143 | ?? | ?? |\n');
  });

  it('says once, under the row, that the tasks are not those of the benchmark', () => {
    expect(lines(report).filter((line) => line === NOTE)).toHaveLength(1);
    const partial = buildReport({ ...SUBJECT, planned: 99 }, ROWS);
    expect(lines(partial).join('\n')).not.toContain('Strategy |');
    expect(lines(partial).filter((line) => line === NOTE)).toHaveLength(1);
  });

  it('counts the ends that nobody chose, and names kinds of faults only as far as there is space', () => {
    const broken = [
      ...ROWS,
      row(8, 0, 0, { outcome: 'agent_error', ...failing('wrong_argument') }),
      row(8, 1, 0, { outcome: 'max_steps', ...failing('wrong_argument') }),
    ];
    const shown = lines(buildReport(SUBJECT, broken)).join('\n');
    expect(shown).toMatch(/errors +2 +agent_error, max_steps\n/);
    expect(shown).toMatch(/failed +14 +extra_write ×6, wrong_tool ×4, missing_write ×2, 1 more kind\n/);
    expect(shown).toContain(
      '1 episode ran out of steps (--max-steps), which the benchmark counts as a failure; in none',
    );
  });

  it('names no score where there is none, and nothing at all of a run without an episode', () => {
    const refused = buildReport(SUBJECT, [row(0, 0, 0, { outcome: 'infrastructure_error' })]);
    expect(lines(refused).join('\n')).not.toMatch(/MDE|NaN/);
    expect(lines(buildReport(SUBJECT, [])).join('\n')).toContain('No episode has ended.');
  });

  it('has the reason that most errors share, and advises to resume only where that can help', () => {
    const thrown = 'the agent mine has thrown ReferenceError: fetch is not defined';
    const broken = (error: (trial: number) => string, strategy = 'tool-calling') =>
      buildReport(
        { ...SUBJECT, strategy },
        [0, 1].map((trial) => row(0, trial, 0, { outcome: 'infrastructure_error', error: error(trial) })),
      );
    const own = broken(() => thrown, 'mine');
    expect(lines(own).join('\n')).toMatch(/most frequent error +2 +the agent mine has thrown ReferenceError: fetch is/);
    const advice = (report: Report) => {
      const said: string[] = [];
      const { context } = inProcessContext([], {}, { log: (line) => void said.push(line) });
      expect(verdict(report, null, context)).toBe(1);
      return said.join('\n');
    };
    expect(advice(own)).toMatch(/^2 episodes .*: correct its file, and start a new run$/);
    expect(advice(broken((trial) => `no space left, at byte ${trial}`))).toMatch(
      /^all 2 .*: fix its cause, then resume/,
    );
    expect(advice(broken((trial) => ['reset', 'no answer'][trial] ?? ''))).toMatch(/; resume the run to repeat them$/);
  });

  it('is the same document in Markdown', () => {
    const markdown = renderMarkdown(firstScreen(report));
    expect(markdown).toMatch(/^# mine\n/);
    expect(markdown).toContain('| failed | 12 | extra_write ×6, wrong_tool ×4, missing_write ×2 |');
    expect(markdown).toContain(`\n| TC (gpt-4o) | 0.143 | 0.143 | ?? | ?? |\n\n> ${NOTE}`);
  });
});
