/** Reports as CSV and as JUnit's XML: complete, well-formed, and safe whatever models and users wrote. */

import { SaxesParser } from 'saxes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { reportsToCsv, reportsToJunit } from '../../../src/results/export/index.ts';
import { xmlDocument } from '../../../src/results/export/testing.ts';
import { buildReport } from '../../../src/results/report/testing.ts';
import { subjectOfFile, type Report } from '../../../src/results/report/index.ts';
import type { EpisodeRow, RowAnalysis } from '../../../src/run-log/index.ts';
import { row } from '../fixtures.ts';

const ANALYSIS: RowAnalysis = {
  faults: [
    { kind: 'wrong_argument', faultType: 'used_wrong_tool_argument', step: 3, sentence: '=HYPERLINK("x") was given.' },
    { kind: 'missing_write', faultType: 'goal_partially_completed', step: null, sentence: 'The rest was left out.' },
  ],
  differences: [
    { table: 'orders', id: '#W1', path: ['items', 0, 'price'], step: 3, agent: '12.0', wanted: null },
    { table: 'users', id: 'ada', path: [], step: null, agent: null, wanted: '{}' },
  ],
  user: [{ kind: 'invented_fact', severity: 'suspect', step: 2, sentence: 'It made up a fact.' }],
};

const ROWS: readonly EpisodeRow[] = [
  row(17, 0, 0, { analysis: ANALYSIS, workflowId: 'run/task-17/trial-0' }),
  row(17, 1, 1),
  row(18, 0, 0, { outcome: 'infrastructure_error', error: '@rate limited,\nagain', costUsd: null, roles: [] }),
  row(18, 1, 0, { outcome: 'cancelled', durationMs: null }),
  row(19, 0, 0, { outcome: 'max_steps' }),
];

const REPORT = buildReport({ ...subjectOfFile('run.json'), env: 'retail', split: 'test' }, ROWS, {
  episodeNotes: [
    {
      taskId: 17,
      trial: 1,
      labels: ['flaky user', 'check'],
      text: '=1+1, "twice"\n',
      writtenAt: '2025-01-02T00:00:00Z',
    },
    { taskId: 18, trial: 0, labels: [], text: 'no labels', writtenAt: '2025-01-02T00:00:00Z' },
  ],
  notes: {
    formatVersion: 1,
    env: 'retail',
    split: 'test',
    pack: { name: 'shop', digest: 'd' },
    doNothing: [],
    floor: 0,
    ceiling: 0.5,
    defects: [{ taskId: 17, kind: 'failing-call', severity: 'wrong', sentence: 'A call <fails> & "ends".' }],
  },
});

/** RFC 4180, read independently of the library that writes it. */
function readCsv(text: string): Record<string, string>[] {
  const records: string[][] = [[]];
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy;
  for (let match = cell.exec(text); match !== null; match = cell.exec(text)) {
    const [, raw = '', end] = match;
    records.at(-1)?.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end !== ',') records.push([]);
  }
  const [head = [], ...rows] = records.slice(0, -1);
  return rows.map((cells) => Object.fromEntries(head.map((name, i) => [name, cells[i] ?? ''])));
}

describe('CSV', () => {
  const rows = readCsv(reportsToCsv([REPORT]));

  it('has a row an episode with all that is known of it', () => {
    expect(rows.map(({ task, trial }) => `${task ?? ''}/${trial ?? ''}`)).toEqual([
      '17/0',
      '18/0',
      '19/0',
      '17/1',
      '18/1',
    ]);
    expect(rows[0]).toMatchObject({
      run: 'run',
      reward: '0',
      success: 'false',
      outcome: 'user_stop',
      cost_usd: '0.5',
      agent_cost_usd: '0.5',
      user_cost_usd: '0',
      prompt_tokens: '20000',
      duration_ms: '60000',
      fault_kind: 'wrong_argument',
      fault_type: 'used_wrong_tool_argument',
      fault_step: '3',
      suspect: 'true',
      user_faults: 'invented_fact',
      task_defects: 'wrong failing-call',
      workflow_id: 'run/task-17/trial-0',
    });
  });

  it('leaves empty what is not known, and what has no score', () => {
    expect(rows[1]).toMatchObject({ cost_usd: '', prompt_tokens: '', suspect: '', fault_kind: '', workflow_id: '' });
    expect(rows[4]).toMatchObject({ outcome: 'cancelled', reward: '', success: '', duration_ms: '' });
    expect(rows[3]).toMatchObject({ reward: '1', success: 'true', fault_kind: '', task_defects: 'wrong failing-call' });
  });

  it('has the notes and labels of people at its end', () => {
    const cells = rows.map(({ task, trial, labels, note }) => [task, trial, labels, note]);
    expect(cells.filter(([, , labels, note]) => `${labels ?? ''}${note ?? ''}` !== '')).toEqual([
      ['18', '0', '', 'no labels'],
      ['17', '1', 'flaky user; check', `'=1+1, "twice"\n`],
    ]);
    expect(Object.keys(rows[0] ?? {}).slice(-3)).toEqual(['labels', 'note', 'task_name']);
  });

  it('lets no text be taken for a formula', () => {
    expect(rows[0]?.['fault']).toBe('\'=HYPERLINK("x") was given.');
    expect(rows[1]?.['error']).toBe("'@rate limited,\nagain");
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (error) => {
        const report = buildReport(subjectOfFile('x.json'), [row(0, 0, 0, { error })]);
        const [read] = readCsv(reportsToCsv([report]));
        const cell = read?.['error'] ?? '';
        expect(cell).not.toMatch(/^[=+\-@\t\r]/);
        expect(cell === error || cell === `'${error}`).toBe(true);
      }),
    );
  });

  it('has one heading for several runs', () => {
    const other = buildReport(subjectOfFile('other.json'), [row(1, 0, 1)]);
    expect(readCsv(reportsToCsv([REPORT, other])).map(({ run }) => run)).toEqual([...ROWS.map(() => 'run'), 'other']);
  });
});

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** @throws for what is not well-formed */
function readXml(text: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes: attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (piece) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += piece;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  return root.children[0] ?? root;
}

const suiteOf = (report: Report) => readXml(reportsToJunit([report])).children[0];
const caseOf = (name: string) => suiteOf(REPORT)?.children.find(({ attributes }) => attributes['name'] === name);

it('a run with conditions has the condition of each episode in CSV, and in the names of JUnit', () => {
  const rows = [row(17, 0, 1), row(17, 0, 0, { condition: 'tool-errors' })];
  const report = buildReport(subjectOfFile('run.json'), rows, { conditions: ['tool-errors'] });
  expect(readCsv(reportsToCsv([report, REPORT])).map(({ condition }) => condition)).toEqual([
    ...['base', 'tool-errors'],
    ...ROWS.map(() => 'base'),
  ]);
  expect(reportsToCsv([REPORT])).not.toContain('condition');
  const cases = suiteOf(report)?.children.filter(({ name }) => name === 'testcase');
  expect(cases?.map(({ attributes, children }) => [attributes['name'], children.map(({ name }) => name)])).toEqual([
    ['task-17.trial-0', []],
    ['task-17.trial-0.tool-errors', ['failure']],
  ]);
});

describe('JUnit', () => {
  it('is a suite a run, with counts that add up to its cases', () => {
    const suite = suiteOf(REPORT);
    expect(suite?.attributes).toEqual({
      name: 'run',
      tests: '5',
      failures: '2',
      errors: '1',
      skipped: '1',
      time: '240.000',
    });
    expect(suite?.children.filter(({ name }) => name === 'testcase')).toHaveLength(5);
    const facts = suite?.children[0]?.children.map(({ attributes }) => [attributes['name'], attributes['value']]);
    expect(facts).toContainEqual(['ceiling', '0.5']);
    expect(facts).toContainEqual(['task_defect', '! task 17, failing-call: A call <fails> & "ends".']);
  });

  it('has a failed episode’s fault, and what the data should be', () => {
    expect(caseOf('task-17.trial-0')).toMatchObject({
      attributes: { classname: 'retail.test', time: '60.000' },
      children: [
        {
          name: 'failure',
          attributes: {
            type: 'wrong_argument/used_wrong_tool_argument',
            message: '=HYPERLINK("x") was given.',
          },
          text: [
            'wrong_argument (step 3): =HYPERLINK("x") was given.',
            'missing_write: The rest was left out.',
            'orders #W1 items.0.price (step 3): agent 12.0, ground truth nothing',
            'users ada: agent nothing, ground truth {}',
            'user suspect, invented_fact (step 2): It made up a fact.',
          ].join('\n'),
        },
      ],
    });
    expect(caseOf('task-19.trial-0')?.children).toMatchObject([{ name: 'failure', attributes: { type: 'max_steps' } }]);
  });

  it('has an error for infrastructure, a skip for what has no score, nothing for a success', () => {
    expect(caseOf('task-18.trial-0')?.children).toMatchObject([
      { name: 'error', attributes: { type: 'infrastructure_error', message: '@rate limited,\nagain' } },
    ]);
    expect(caseOf('task-18.trial-1')?.children).toMatchObject([
      { name: 'skipped', attributes: { message: 'cancelled' } },
    ]);
    expect(caseOf('task-17.trial-1')?.children).toEqual([]);
  });

  it('is well-formed whatever was written, and loses nothing that XML can have', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (error, runId) => {
        const report = buildReport({ ...subjectOfFile('x'), runId }, [row(0, 0, 0, { outcome: 'agent_error', error })]);
        expect(() => suiteOf(report)).not.toThrow();
      }),
    );
    const odd = 'a\u0000\u001b[31m\u009b\ud800\uffff "b" <c> & ]]> \n\t😀';
    const { attributes, text } = readXml(xmlDocument({ name: 'x', attributes: { y: odd }, text: odd }));
    expect([attributes['y'], text]).toEqual(['a[31m "b" <c> & ]]> \n\t😀', 'a[31m "b" <c> & ]]> \n\t😀']);
  });
});
