/**
 * Reports as JUnit XML: a run is a suite; an episode or a gate is a case. An agent's failure is a failure, an
 * infrastructure error is an error, and an episode without a score is skipped. Pure.
 */

import type { DataDifference } from '../../analysis/index.ts';
import { episodeName } from '../../evaluation/index.ts';
import type { GateResult } from '../gates/index.ts';
import { allEpisodes, formatDefects, describeSubject, type Report } from '../report/index.ts';
import { firstFault, isScored, isSuccess } from '../metrics/index.ts';
import type { EpisodeRow } from '../../run-log/index.ts';

export function reportsToJunit(reports: readonly Report[]): string {
  const suites = reports.map(toSuite);
  return xmlDocument({ name: 'testsuites', attributes: { name: 'tauflow' }, children: suites });
}

type CaseResult = 'passed' | 'failure' | 'error' | 'skipped';

function toSuite(report: Report): XmlElement {
  const { subject, gates } = report;
  const episodes = allEpisodes(report);
  const results = episodes.map(findResult);
  const countResults = (result: CaseResult) => results.filter((other) => other === result).length;
  const durations = episodes.flatMap(({ durationMs }) => durationMs ?? []);
  return {
    name: 'testsuite',
    attributes: {
      name: subject.runId,
      tests: episodes.length + gates.length,
      failures: countResults('failure') + gates.filter(({ isPassed }) => !isPassed).length,
      errors: countResults('error'),
      skipped: countResults('skipped'),
      // The sum of durations, as for tests that run in parallel.
      time: toSeconds(durations.reduce((sum, duration) => sum + duration, 0)),
      timestamp: subject.startedAt?.replace(/\.\d+Z$/, ''),
    },
    children: [properties(report), ...episodes.map((row) => toTestcase(report, row)), ...gates.map(gateCase)],
  };
}

function properties(report: Report): XmlElement {
  const { metrics, notes, remarks } = report;
  const { errorsAsFailures: all } = metrics;
  const facts: readonly (readonly [string, string | number | null])[] = [
    ['subject', describeSubject(report.subject)],
    ['average_reward', all.averageReward],
    ...all.passHatK.map(({ k, value }) => [`pass^${String(k)}`, value] as const),
    ['floor', notes?.floor ?? null],
    ['ceiling', notes?.ceiling ?? null],
    ['cost_usd', metrics.costs.totalUsd],
    ...remarks.map((remark) => ['remark', remark] as const),
    ...formatDefects(report).map((line) => ['task_defect', line] as const),
  ];
  return {
    name: 'properties',
    attributes: {},
    children: facts.flatMap(([name, value]) =>
      value === null || value === '' ? [] : [{ name: 'property', attributes: { name, value } }],
    ),
  };
}

function toTestcase({ subject }: Report, row: EpisodeRow): XmlElement {
  const place = [subject.env, subject.split].filter((part) => part !== null).join('.');
  return {
    name: 'testcase',
    attributes: {
      name: row.taskName === undefined ? episodeName(row) : `${episodeName(row)} (${row.taskName})`,
      classname: place === '' ? subject.runId : place,
      time: row.durationMs === null ? undefined : toSeconds(row.durationMs),
    },
    children: resultElements(row),
  };
}

function gateCase({ gate, isPassed, sentence }: GateResult): XmlElement {
  const failure = { name: 'failure', attributes: { type: 'gate', message: sentence } };
  return { name: 'testcase', attributes: { name: gate, classname: 'gates' }, children: isPassed ? [] : [failure] };
}

function findResult(row: EpisodeRow): CaseResult {
  if (row.outcome === 'infrastructure_error' || row.outcome === 'error') return 'error';
  if (!isScored(row)) return 'skipped';
  return isSuccess(row.reward) ? 'passed' : 'failure';
}

function resultElements(row: EpisodeRow): XmlElement[] {
  const fault = firstFault(row);
  switch (findResult(row)) {
    case 'passed':
      return [];
    case 'skipped':
      return [{ name: 'skipped', attributes: { message: row.outcome } }];
    case 'error':
      return [{ name: 'error', attributes: { type: row.outcome, message: row.error ?? row.outcome } }];
    case 'failure':
      return [
        {
          name: 'failure',
          attributes: {
            type: [fault?.kind ?? row.outcome, fault?.faultType].filter(Boolean).join('/'),
            message: fault?.sentence ?? row.error ?? `the reward is ${String(row.reward)}`,
          },
          text: describeRow(row),
        },
      ];
  }
}

/** Describes all faults with their steps, and the differences of the data. */
function describeRow({ analysis, error }: EpisodeRow): string {
  const faults = (analysis?.faults ?? []).map(({ kind, step, sentence }) => `${kind}${stepWords(step)}: ${sentence}`);
  const userFaults = (analysis?.user ?? []).map(
    ({ kind, severity, step, sentence }) => `user ${severity}, ${kind}${stepWords(step)}: ${sentence}`,
  );
  const differences = (analysis?.differences ?? []).map(differenceWords);
  return [...(error === null ? [] : [error]), ...faults, ...differences, ...userFaults].join('\n');
}

/** Describes a difference: `orders #W1 items.0.price (step 3): agent 12.0, ground truth 13.0`. */
function differenceWords({ table, id, path, step, agent, wanted }: DataDifference): string {
  const place = [table, id, path.join('.')].filter((part) => part !== '').join(' ');
  return `${place}${stepWords(step)}: agent ${agent ?? 'nothing'}, ground truth ${wanted ?? 'nothing'}`;
}

function stepWords(step: number | null): string {
  return step === null ? '' : ` (step ${String(step)})`;
}

function toSeconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

interface XmlElement {
  readonly name: string;
  /** Attributes of the element; undefined ones are left out. */
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  readonly children?: readonly XmlElement[];
  readonly text?: string;
}

/** Formats a document. Escapes values and texts, not names. */
export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, '')}\n`;
}

function element({ name, attributes, children = [], text = '' }: XmlElement, indent: string): string {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const open = [name, ...given.map(([key, value]) => `${key}="${attribute(String(value))}"`)].join(' ');
  const inside = children.map((child) => `\n${element(child, `${indent}  `)}`).join('');
  if (inside === '' && text === '') return `${indent}<${open}/>`;
  return `${indent}<${open}>${escapeXml(text)}${inside === '' ? '' : `${inside}\n${indent}`}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeXml(text: string): string {
  return withoutForbidden(text).replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** Writes line feeds and tabs as references, because a parser turns them into blanks. */
function attribute(text: string): string {
  return escapeXml(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}

/**
 * Removes characters that XML 1.0 forbids in any spelling, and carriage returns, which parsers turn into line feeds.
 */
function withoutForbidden(text: string): string {
  // eslint-disable-next-line no-control-regex -- taking control characters out is the point
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]|\p{Surrogate}/gu, '');
}
