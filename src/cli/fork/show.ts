/** Result of a fork, beside its origin. */

import Table from 'cli-table3';
import { formatAction } from '../../agents/index.ts';
import { dumpJson } from '../../benchmark/python/index.ts';
import type { Action } from '../../benchmark/index.ts';
import { NONE, formatReward, formatUsd } from '../../results/document/index.ts';
import { snakeKeys, summarizeRecord, type EpisodeRecord } from '../../results/log/index.ts';
import { forkName } from '../../wire/index.ts';
import type { CliContext } from '../context.ts';
import { ExitCode } from '../../errors/index.ts';
import { colorsOf, cut, printable, styleOf } from '../terminal/style.ts';

export interface ShownFork {
  readonly origin: EpisodeRecord;
  readonly originName: string;
  readonly record: EpisodeRecord;
  /** Of the fork's record. */
  readonly file: string;
  /** Its page in Temporal UI. */
  readonly url: string | null;
}

/** The first step that is another than the origin's; null when none is. */
interface Difference {
  readonly step: number;
  readonly origin: Action | null;
  readonly fork: Action | null;
}

export function showFork(shown: ShownFork, isJson: boolean, context: CliContext): ExitCode {
  const difference = firstDifference(shown.origin.actions, shown.record.actions);
  if (isJson) context.out(dumpJson(documentOf(shown, difference), { indent: 2 }));
  else showTable(shown, difference, context);
  return shown.record.outcome.kind === 'infrastructure_error' ? ExitCode.Failed : ExitCode.Done;
}

function showTable(
  { origin, originName, record, file, url }: ShownFork,
  difference: Difference | null,
  context: CliContext,
): void {
  const style = styleOf(context.stdout, context.env);
  const { bold } = colorsOf(style);
  const { fork } = record;
  const changes = fork?.changes ?? [];
  const line = (name: string, text: string) =>
    context.out(`${name.padEnd(9)}${cut(printable(text), style.columns - 9)}`);
  line('origin', `${originName} of ${origin.runId}, kept to step ${(fork?.atStep ?? 1) - 1} of ${origin.steps.length}`);
  for (const [at, change] of changes.entries()) line(at === 0 ? 'changed' : '', change);
  if (changes.length === 0) line('changed', 'nothing: what comes out otherwise is chance, or another version');
  const ownName = fork === undefined ? NONE : forkName({ taskId: record.taskId, trial: record.trial }, fork.name);
  const table = new Table({
    head: ['', bold(`origin (${originName})`), bold(`fork (${ownName})`)],
    colAligns: ['left', 'right', 'right'],
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
    style: { head: [], border: [] },
  });
  for (const [name, of] of ROWS) table.push([name, of(origin), of(record)]);
  context.out(table.toString());
  if (difference === null) line('steps', 'the same as in the origin');
  else {
    line('differs', `from step ${difference.step} on`);
    line('  origin', difference.origin === null ? 'has ended' : formatAction(difference.origin));
    line('  fork', difference.fork === null ? 'has ended' : formatAction(difference.fork));
  }
  if ('message' in record.outcome) line('because', record.outcome.message);
  context.out(`record   ${file}`);
  if (url !== null) context.out(`UI       ${url}`);
}

/** Calls and costs are each one's own: what was replayed is the origin's. */
const ROWS: readonly (readonly [name: string, of: (record: EpisodeRecord) => string])[] = [
  ['outcome', ({ outcome }) => outcome.kind],
  ['reward', (record) => formatReward(record.reward)],
  ['steps', ({ steps }) => String(steps.length)],
  ['turns', (record) => String(summarizeRecord(record).turns)],
  ['model calls', (record) => String(summarizeRecord(record).calls)],
  ['replayed', ({ fork }) => (fork === undefined ? NONE : String(fork.replayedCalls))],
  ['cost', ({ totalCostUsd: cost }) => formatUsd(cost)],
];

function documentOf({ origin, originName, record, file, url }: ShownFork, difference: Difference | null) {
  const figuresOf = (of: EpisodeRecord) => ({
    workflow_id: of.workflowId,
    workflow_run_id: of.workflowRunId,
    outcome: of.outcome,
    reward: of.reward,
    steps: of.steps.length,
    model_calls: summarizeRecord(of).calls,
    cost_usd: of.totalCostUsd,
  });
  return {
    run_id: origin.runId,
    fork: snakeKeys(record.fork),
    origin: { name: originName, ...figuresOf(origin) },
    result: figuresOf(record),
    first_difference: difference,
    record: file,
    ui: url,
  };
}

function firstDifference(origin: readonly Action[], fork: readonly Action[]): Difference | null {
  for (let at = 0; at < Math.max(origin.length, fork.length); at++) {
    const [a = null, b = null] = [origin[at], fork[at]];
    if (a === null || b === null || formatAction(a) !== formatAction(b)) return { step: at + 1, origin: a, fork: b };
  }
  return null;
}
