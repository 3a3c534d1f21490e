/** A report as a document. Pure. */

import { formatTask } from '../../evaluation/index.ts';
import { USER_FAULT_KINDS, FAULT_KINDS, type UserFaultKind, type FaultKind } from '../../analysis/index.ts';
import {
  NONE,
  figures,
  formatAmount,
  formatCount,
  formatDuration,
  formatMean,
  formatPercent,
  formatReward,
  formatRewards,
  formatShare,
  formatTally,
  formatUsd,
  heading,
  list,
  notes,
  paragraph,
  renderMarkdown,
  section,
  snippet,
  sortByCount,
  table,
  type Block,
  type Column,
  type Document,
  type Figure,
  type Text,
} from '../document/index.ts';
import { sumCosts } from '../../episode/index.ts';
import type { RoleFigures, TaskDefect } from '../../run-log/index.ts';
import { isSuccess, type CostSummary, type Metrics, type RoleMeans } from '../metrics/index.ts';
import { LEADERBOARD_HEADER, findRowNote, type Report, type TaskRow } from './report.ts';
import type { ReportSubject } from './subject.ts';
import { gateSection } from '../gates/index.ts';
import { conditionSection } from './conditions.ts';
import { scoreFigures, uncertaintyFigures } from './score-figures.ts';

/** Place of the tasks. Tasks come first in a terminal, which shows the end of a long text, and last in a file. */
type TaskOrder = 'tasks first' | 'tasks last';

/** Most errors and defects to list if space is short, before the number of further ones. */
const MOST_LISTED = 10;

export function reportDocument(report: Report, order: TaskOrder = 'tasks first'): Document {
  const { subject, tasks, metrics, problems } = report;
  const taskTable = table(TASK_COLUMNS, tasks.map(taskCells));
  const isEmpty = tasks.length === 0;
  const tasksFirst = isEmpty ? paragraph('No episode has ended.') : taskTable;
  const perTask: Block[] = [
    order === 'tasks first' || isEmpty ? tasksFirst : section('Tasks', taskTable),
    section('Known defects of tasks (! wrong, ? suspicious)', list(formatDefects(report), MOST_LISTED)),
    section('Errors', list(errorItems(tasks), MOST_LISTED)),
  ];
  const score = section('Results', figures(hasScores(report) ? scoreFigures(report) : []));
  const results: Block[] = [
    score,
    section('Uncertainty', figures(uncertaintyFigures(report))),
    section('Why episodes failed', figures(faultFigures(report))),
    section("Fault types (tau-bench's)", figures(faultTypeFigures(report))),
    section('Simulated user', figures(userFigures(report))),
    section('Costs', figures(costFigures(report))),
    section('Model calls by role', roleTable(report)),
    section('Counts', figures(countFigures(report))),
    section('Outcomes', paragraph(formatTally(metrics.outcomes) || NONE)),
    section('Leaderboard row', ...leaderboardBlocks(report)),
  ];
  return [
    heading(subject.runId, describeSubject(subject), describeExtent(report)),
    notes(report.remarks),
    conditionSection(report),
    gateSection(report.gates),
    ...(order === 'tasks first' ? [...perTask, ...results] : [...results, ...perTask]),
    section('Files left out', list(problems)),
  ];
}

export function leaderboardBlocks({ leaderboardRow, leaderboardDetail, subject }: Report): Block[] {
  if (leaderboardRow === null) return [];
  const below = [leaderboardDetail, findRowNote(subject.notes)].filter((text) => text !== null).join(' ');
  return [snippet(leaderboardRow, LEADERBOARD_HEADER, below === '' ? null : below)];
}

export function reportToMarkdown(report: Report): string {
  return renderMarkdown(reportDocument(report, 'tasks last'));
}

/** True if an episode has a reward; an episode in which the agent only decided has none. */
export function hasScores({ metrics }: Report): boolean {
  return metrics.decided === 0 || metrics.decided < metrics.episodes;
}

/** Describes the subject: `retail (test), tool-calling, gpt-4o, no policy; user gpt-4o (llm); pack my-pack (1a2b…)`. */
export function describeSubject(subject: ReportSubject): string {
  const agent = [
    subject.env === null ? null : `${subject.env}${subject.split === null ? '' : ` (${subject.split})`}`,
    subject.strategy,
    subject.agentModel,
    ...subject.variants,
  ];
  const user = subject.userModel === null ? null : `user ${subject.userModel} (${subject.userStrategy ?? 'llm'})`;
  const pack = subject.pack === null ? null : `pack ${subject.pack}`;
  return [agent.filter((part) => part !== null).join(', '), user, pack].filter(Boolean).join('; ');
}

/** Describes the extent: `115 tasks × 4 trials: 460 episodes in 12 min 5 s`. */
export function describeExtent({ metrics, subject }: Report): string {
  const took =
    subject.startedAt === null || subject.endedAt === null
      ? ''
      : ` in ${formatDuration(Date.parse(subject.endedAt) - Date.parse(subject.startedAt))}`;
  const extent = `${formatAmount(metrics.tasks, 'task')} × ${formatAmount(metrics.trials, 'trial')}`;
  return `${extent}: ${formatAmount(metrics.episodes, 'episode')}${took}`;
}

const TASK_COLUMNS: readonly Column[] = [
  { head: 'Task', align: 'right' },
  { head: 'Trials', align: 'right', dropOrder: 1 },
  { head: 'Rewards' },
  { head: 'Pass rate', align: 'right' },
  { head: 'Steps', align: 'right', dropOrder: 4 },
  { head: 'Steps to success', align: 'right', dropOrder: 2 },
  { head: 'Success turn', align: 'right', dropOrder: 3 },
  { head: 'Cost', align: 'right', dropOrder: 5 },
  { head: 'Outcome', minWidth: 7 },
  { head: 'Fault', minWidth: 14 },
];

function taskCells(task: TaskRow): Text[] {
  return [
    `${markDefects(task.defects)}${formatTask(task)}`,
    String(task.trials),
    rewardsCell(task.rewards),
    formatShare(task.passRate),
    formatMean(task.steps),
    formatMean(task.stepsToSuccess),
    formatMean(task.successTurn),
    formatUsd(task.costUsd),
    formatTally(task.outcomes),
    [formatTally(task.faults), task.suspects === 0 ? '' : `${String(task.suspects)} suspect`]
      .filter((part) => part !== '')
      .join('; '),
  ];
}

function rewardsCell(rewards: TaskRow['rewards']): Text {
  const text = formatRewards(rewards);
  const spans = rewards.flatMap((value, at) => [
    ...(at === 0 ? [] : [' ']),
    value === null
      ? ({ text: NONE, tone: 'faint' } as const)
      : ({ text: formatReward(value), tone: isSuccess(value) ? 'good' : 'bad' } as const),
  ]);
  // formatRewards sums up many trials.
  return spans.map((span) => (typeof span === 'string' ? span : span.text)).join('') === text ? spans : text;
}

function errorItems(tasks: readonly TaskRow[]): string[] {
  return tasks.flatMap((task) => (task.error === null ? [] : [`task ${formatTask(task)}: ${task.error}`]));
}

/** Returns a mark: `!` for an error in a task's ground truth, `?` for a suspicion. */
function markDefects(defects: readonly Pick<TaskDefect, 'severity'>[]): string {
  if (defects.length === 0) return '';
  return defects.some(({ severity }) => severity === 'wrong') ? '!' : '?';
}

/** Formats the defects of the tasks: `! task 106, failing-call: …`. */
export function formatDefects({ tasks }: Pick<Report, 'tasks'>): string[] {
  return tasks.flatMap((task) =>
    task.defects.map(
      (defect) => `${markDefects([defect])} task ${formatTask(task)}, ${defect.kind}: ${defect.sentence}`,
    ),
  );
}

/** Summarizes a task's defects: `wrong failing-call`. */
export function summarizeDefects(defects: readonly TaskDefect[]): string {
  return defects.length === 0 ? NONE : defects.map(({ severity, kind }) => `${severity} ${kind}`).join(', ');
}

/** Yields figures of the failed episodes' first faults, the most frequent first. */
function* faultFigures({ metrics: { faults } }: Report): Iterable<Figure> {
  const { kinds, unexplained, notAnalyzed } = faults;
  for (const [kind, n] of sortByCount(kinds)) {
    yield { name: kind, value: String(n), meaning: FAULT_KINDS[kind as FaultKind] };
  }
  if (unexplained > 0) {
    yield { name: 'no fault found', value: String(unexplained), meaning: 'failed, and the analysis found no fault' };
  }
  if (notAnalyzed > 0) {
    yield { name: 'not analyzed', value: String(notAnalyzed), meaning: 'failed; the analysis needs the pack' };
  }
}

/** Returns figures of the agent's faults by tau-bench's types. */
function faultTypeFigures({ metrics: { faults } }: Report): Figure[] {
  const analyzed = faults.failed - faults.notAnalyzed;
  return sortByCount(faults.faultTypes).map(([type, n]) => ({
    name: type,
    value: String(n),
    meaning: `${formatPercent(n / analyzed)} of the failed episodes that were analyzed`,
  }));
}

/** Describes repeated episodes: `played again because of a suspect user, 3 more attempts; 1 is still suspect`. */
export function describeRepeatedAttempts({ attempts, stillSuspect }: NonNullable<Metrics['repeated']>): string {
  const verb = stillSuspect === 1 ? 'is' : 'are';
  return `played again because of a suspect user, ${formatAmount(attempts, 'more attempt')}; ${String(stillSuspect)} ${verb} still suspect`;
}

/** Yields figures of the simulated user's faults by kind; none if no user was checked. */
function* userFigures({ metrics: { userFaults: users, repeated } }: Report): Iterable<Figure> {
  if (users.analyzed === 0) return;
  yield {
    name: 'episodes with a suspect user',
    value: String(users.suspects),
    meaning: `of ${formatAmount(users.analyzed, 'checked episode')}; scores include them unless stated otherwise`,
  };
  if (repeated !== undefined) {
    yield {
      name: 'repeated episodes',
      value: String(repeated.episodes),
      meaning: describeRepeatedAttempts(repeated),
    };
  }
  const kinds = Object.entries(users.kinds) as [UserFaultKind, { episodes: number; suspects: number }][];
  kinds.sort(([a, m], [b, n]) => n.episodes - m.episodes || a.localeCompare(b));
  for (const [kind, { episodes, suspects }] of kinds) {
    const suspect = suspects === 0 ? '' : `; suspect in ${formatAmount(suspects, 'episode')}`;
    yield { name: kind, value: String(episodes), meaning: `${USER_FAULT_KINDS[kind]}${suspect}` };
  }
}

/** Yields figures of the run's cost: the total first, then each role. */
export function* costFigures({ metrics: { costs, superseded: archived }, judge }: Report): Iterable<Figure> {
  if (costs.roles.length === 0 && costs.unpriced > 0) {
    yield { name: 'cost', value: 'not known', meaning: 'a results file has no costs; a run log has them' };
    return;
  }
  yield { name: 'cost', value: formatTotal(costs), meaning: describeCalls(costs) };
  yield { name: 'cost per episode', value: formatUsd(costs.perEpisodeUsd), meaning: 'mean over all episodes' };
  yield { name: 'cost per success', value: formatUsd(costs.perSuccessUsd), meaning: 'total cost / successes' };
  for (const role of costs.roles) {
    yield { name: `cost of ${role.role}`, value: formatUsd(role.costUsd), meaning: describeRole(role) };
  }
  if (archived.episodes > 0) {
    yield {
      name: 'cost of archived records',
      value: archived.costUsd === null ? `≥ ${formatUsd(archived.knownUsd)}` : formatUsd(archived.costUsd),
      meaning: `not in the total: ${formatAmount(archived.episodes, 'rerun episode')}, in no other figure`,
    };
  }
  if (judge !== null) {
    yield {
      name: 'cost of judge',
      value: formatUsd(judge.costUsd),
      meaning:
        `not in the total: ${formatCount(judge.calls)} calls over ${formatAmount(judge.episodes, 'failed episode')}, ` +
        `${formatCount(judge.promptTokens)} tokens in, ${formatCount(judge.completionTokens)} out`,
    };
  }
}

export function formatTotal({ totalUsd, knownUsd, unpriced }: CostSummary): string {
  if (unpriced > 0 && knownUsd === 0) return 'not known';
  return totalUsd === null ? `≥ ${formatUsd(knownUsd)}` : formatUsd(totalUsd);
}

function describeCalls({ calls, cachedCalls, extraAttempts }: CostSummary): string {
  const cached = cachedCalls === 0 ? '' : `, ${formatCount(cachedCalls)} from the response cache`;
  const retried = extraAttempts === 0 ? '' : `, ${formatAmount(extraAttempts, 'retry', 'retries')}`;
  return `${formatAmount(calls, 'model call')}${cached}${retried}`;
}

function describeRole(role: RoleFigures): string {
  const { cachedTokens, cacheWriteTokens = 0 } = role;
  const ofCache = [
    cachedTokens > 0 && `${formatCount(cachedTokens)} cached`,
    cacheWriteTokens > 0 && `${formatCount(cacheWriteTokens)} written to the cache`,
  ].filter(Boolean);
  const cached = ofCache.length > 0 ? ` (${ofCache.join(', ')})` : '';
  const reasoned = role.reasoningTokens === 0 ? '' : ` (${formatCount(role.reasoningTokens)} reasoning)`;
  const cut = role.truncatedReplies === 0 ? '' : `, ${formatCount(role.truncatedReplies)} cut at the token limit`;
  return (
    `${formatAmount(role.calls, 'call')}, ${formatCount(role.promptTokens)} tokens in${cached}, ` +
    `${formatCount(role.completionTokens)} out${reasoned}${cut}`
  );
}

/** Returns a table of means per episode for each role, and their sum; empty if the calls are unknown. */
function roleTable({ metrics: { callsByRole, costs } }: Report): Block {
  const heads = ['per episode', 'calls', 'tokens in', 'out', 'cost', 'latency', 'per call'];
  const columns = heads.map((head, at) => ({ head, align: at === 0 ? ('left' as const) : ('right' as const) }));
  if (callsByRole.length === 0) return table(columns, []);
  const total = (figure: (means: RoleMeans) => number) => callsByRole.reduce((sum, means) => sum + figure(means), 0);
  const latencyMs = sumCosts(costs.roles.map((role) => role.latencyMs));
  const all: RoleMeans = {
    role: 'all',
    callsPerEpisode: total((means) => means.callsPerEpisode),
    promptTokensPerEpisode: total((means) => means.promptTokensPerEpisode),
    completionTokensPerEpisode: total((means) => means.completionTokensPerEpisode),
    costPerEpisodeUsd: costs.perEpisodeUsd,
    latencyPerEpisodeMs: sumCosts(callsByRole.map((means) => means.latencyPerEpisodeMs)),
    latencyPerCallMs: costs.calls === 0 || latencyMs === null ? null : latencyMs / costs.calls,
  };
  const rows = [...callsByRole, all].map((means) => [
    means.role,
    means.callsPerEpisode.toFixed(1),
    formatCount(Math.round(means.promptTokensPerEpisode)),
    formatCount(Math.round(means.completionTokensPerEpisode)),
    formatUsd(means.costPerEpisodeUsd),
    formatDuration(means.latencyPerEpisodeMs),
    formatDuration(means.latencyPerCallMs),
  ]);
  return table(columns, rows, true);
}

function countFigures({ metrics: { counts, episodes, cancelled } }: Report): Figure[] {
  return Object.entries(counts).map(([name, sum]) => ({
    name: name.replaceAll('_', ' '),
    value: formatCount(sum),
    meaning: `${(sum / (episodes + cancelled)).toFixed(2)} per episode`,
  }));
}
