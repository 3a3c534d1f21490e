/** The result of a fork beside its origin, and the list of a run's forks. */

import Table from 'cli-table3';
import { formatAction } from '../../agents/index.ts';
import { dumpJson } from '../../benchmark/python/index.ts';
import type { Action } from '../../benchmark/index.ts';
import { NONE, formatReward, formatUsd } from '../../results/document/index.ts';
import { snakeKeys, summarizeRecord, type EpisodeRecord, type RunLog } from '../../results/log/index.ts';
import { forkName, episodeName, parseWorkflowId } from '../../wire/index.ts';
import { type CliContext, printJson } from '../context.ts';
import { ExitCode } from '../../errors/index.ts';
import { colorsOf, cut, printable, styleOf } from '../terminal/style.ts';
import { connect, openForks } from '../../temporal/client/index.ts';
import { isUnreachable } from '../../temporal/codec/index.ts';
import { openLog } from '../run-log.ts';
import { parseRunOptions, type RawRunOptions } from '../run/options.ts';

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

/** Null is what a fork under way does not have yet. */
interface ListedFork {
  readonly name: string;
  readonly atStep: number | null;
  readonly origin: string | null;
  readonly outcome: string;
  readonly reward: number | null;
  readonly costUsd: number | null;
  readonly changes: readonly string[];
}

export async function listForks(runId: string, flags: RawRunOptions, context: CliContext): Promise<void> {
  const { logDir, json } = parseRunOptions({ logDir: flags.logDir, json: flags.json });
  const log = openLog(runId, logDir, context.cwd);
  const ended = await endedForks(log);
  const names = new Set(ended.map(({ name }) => name));
  const open = (await forksUnderWay(runId, context)).filter(({ name }) => !names.has(name));
  const forks = [...ended, ...open];
  if (json) {
    const listed = forks.map(({ atStep, costUsd, ...fork }) => ({ ...fork, at_step: atStep, cost_usd: costUsd }));
    printJson(listed, context);
  } else if (forks.length === 0) context.out(`no forks of ${runId}`);
  else context.out(renderForks(forks));
}

async function endedForks(log: RunLog): Promise<ListedFork[]> {
  const forks: ListedFork[] = [];
  for (const { episode, fork: number } of await log.listForks()) {
    const record = await log.readFork(episode, number);
    if (record?.fork === undefined) continue;
    forks.push({
      name: forkName(episode, number),
      atStep: record.fork.atStep,
      origin: record.fork.origin.workflowId,
      outcome: record.outcome.kind,
      reward: record.reward,
      costUsd: record.totalCostUsd,
      changes: record.fork.changes,
    });
  }
  return forks;
}

/** None where no server runs: then nothing is under way. */
async function forksUnderWay(runId: string, context: CliContext): Promise<ListedFork[]> {
  const { cwd: workDir, home, env } = context;
  try {
    const temporal = await connect({
      workDir,
      home,
      env,
      local: 'find',
      onProgress: () => undefined,
      onWait: context.log,
    });
    try {
      const open = await openForks(temporal.client, runId);
      return open.map(({ name, origin }) => {
        return { name, origin, atStep: null, outcome: 'running', reward: null, costUsd: null, changes: [] };
      });
    } finally {
      await temporal.close();
    }
  } catch (error) {
    if (isUnreachable(error)) return [];
    throw error;
  }
}

/** `task-17.trial-0.fork-1` of its workflow's id. */
function originName(workflowId: string): string {
  const { task, trial, fork } = parseWorkflowId(workflowId);
  if (task === undefined || trial === undefined) return workflowId;
  const key = { taskId: task, trial };
  return fork === undefined ? episodeName(key) : forkName(key, `fork-${fork}`);
}

function renderForks(forks: readonly ListedFork[]): string {
  const table = new Table({
    head: ['fork', 'origin', 'at step', 'outcome', 'reward', 'cost', 'changed'],
    style: { head: [], border: [] },
  });
  for (const { name, origin, atStep, outcome, reward: given, costUsd, changes } of forks) {
    table.push([
      name,
      origin === null ? NONE : originName(origin),
      atStep === null ? NONE : String(atStep),
      outcome,
      given === null ? NONE : formatReward(given),
      formatUsd(costUsd),
      cut(printable(changes.join('; ')), 60),
    ]);
  }
  return table.toString();
}
