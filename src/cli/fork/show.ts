/** The result of a fork beside its origin, and the list of a run's forks. */

import { formatAction } from '../../agents/index.ts';
import { dumpJson } from '../../benchmarks/python/index.ts';
import type { Action } from '../../benchmarks/index.ts';
import {
  NONE,
  facts,
  formatReward,
  formatUsd,
  table,
  type Column,
  type Document,
} from '../../results/document/index.ts';
import { snakeKeys, summarizeRecord, type EpisodeRecord, type RunLog } from '../../run-log/index.ts';
import { forkedPart } from '../../run-log/store/index.ts';
import { forkName, episodeName, parseWorkflowId } from '../../evaluation/index.ts';
import { type CliContext, printJson } from '../context.ts';
import { ExitCode } from '../../errors/index.ts';
import { printDocument } from '../terminal/print.ts';
import { cut, escapeControls, chooseStyle } from '../terminal/style.ts';
import { openForks } from '../../temporal/client/index.ts';
import { isUnreachable } from '../../temporal/errors.ts';
import { withTemporal } from '../find-run.ts';
import { readLog } from '../run-log.ts';
import type { RawRunOptions } from '../../run-setup/options/index.ts';
import { parseRunOptions } from '../../run-setup/index.ts';

interface ShownFork {
  readonly origin: EpisodeRecord;
  readonly originName: string;
  readonly record: EpisodeRecord;
  /** Path of the fork's record. */
  readonly file: string;
  /** Address of the fork's page in Temporal UI; null if unknown. */
  readonly url: string | null;
}

/** The first step that differs from the origin's. */
interface ForkDifference {
  readonly step: number;
  readonly origin: Action | null;
  readonly fork: Action | null;
}

export function showFork(shown: ShownFork, isJson: boolean, context: CliContext): ExitCode {
  const difference = firstDifference(shown.origin.actions, shown.record.actions);
  if (isJson) context.out(dumpJson(toJson(shown, difference), { indent: 2 }));
  else printDocument(forkDocument(shown, difference, chooseStyle(context.stdout, context.env).columns), context);
  return shown.record.outcome.kind === 'infrastructure_error' ? ExitCode.Failed : ExitCode.Done;
}

function forkDocument(
  { origin, originName, record, file, url }: ShownFork,
  difference: ForkDifference | null,
  columns: number,
): Document {
  const { fork, outcome } = record;
  const changes = fork?.changes ?? [];
  const line = (name: string, text: string) => [name, cut(escapeControls(text), columns - LABEL_WIDTH)] as const;
  const ownName = fork === undefined ? NONE : forkName(record, fork.name);
  const last = (fork?.atStep ?? 1) - 1;
  const replayed = last === 0 ? 'no step replayed' : `steps 1 to ${last} of ${origin.steps.length} replayed`;
  return [
    facts([
      line('origin', `${originName} of ${origin.runId}, ${replayed}`),
      ...changes.map((change, at) => line(at === 0 ? 'changed' : '', change)),
      ['changed', changes.length === 0 ? 'nothing: other results are due to chance or another version' : null],
    ]),
    table(
      [{ head: '' }, { head: `origin (${originName})`, align: 'right' }, { head: `fork (${ownName})`, align: 'right' }],
      ROWS.map(([name, of]) => [name, of(origin), of(record)]),
    ),
    facts([
      ...(difference === null
        ? [line('steps', 'the same as in the origin')]
        : [
            line('differs', `from step ${difference.step} on`),
            line('  origin', difference.origin === null ? 'has ended' : formatAction(difference.origin)),
            line('  fork', difference.fork === null ? 'has ended' : formatAction(difference.fork)),
          ]),
      ['because', 'message' in outcome ? cut(escapeControls(outcome.message), columns - LABEL_WIDTH) : null],
      ['record', file],
      ['UI', url],
    ]),
  ];
}

/** Width of the longest label and the space after it, in columns. */
const LABEL_WIDTH = 10;

/** Rows of the comparison. Calls and costs exclude replayed steps, which the origin has paid. */
const ROWS: readonly (readonly [name: string, of: (record: EpisodeRecord) => string])[] = [
  ['outcome', ({ outcome }) => outcome.kind],
  ['reward', (record) => formatReward(record.reward)],
  ['steps', ({ steps }) => String(steps.length)],
  ['turns', (record) => String(summarizeRecord(record).turns)],
  ['model calls', (record) => String(summarizeRecord(record).calls)],
  ['replayed', ({ fork }) => (fork === undefined ? NONE : String(fork.replayedCalls))],
  ['cost', ({ totalCostUsd: cost }) => formatUsd(cost)],
];

function toJson({ origin, originName, record, file, url }: ShownFork, difference: ForkDifference | null) {
  const toFigures = (of: EpisodeRecord) => ({
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
    origin: { name: originName, ...toFigures(origin) },
    result: toFigures(record),
    first_difference: difference,
    record: file,
    ui: url,
  };
}

function firstDifference(origin: readonly Action[], fork: readonly Action[]): ForkDifference | null {
  for (let at = 0; at < Math.max(origin.length, fork.length); at++) {
    const [a = null, b = null] = [origin[at], fork[at]];
    if (a === null || b === null || formatAction(a) !== formatAction(b)) return { step: at + 1, origin: a, fork: b };
  }
  return null;
}

/** A fork in the list. Values that a fork in progress lacks are null. */
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
  const log = await readLog(runId, logDir, context, forkedPart(null));
  const ended = await endedForks(log);
  const names = new Set(ended.map(({ name }) => name));
  const open = (await forksUnderWay(runId, context)).filter(({ name }) => !names.has(name));
  const forks = [...ended, ...open];
  if (json) {
    const listed = forks.map(({ atStep, costUsd, ...fork }) => ({ ...fork, at_step: atStep, cost_usd: costUsd }));
    printJson(listed, context);
  } else if (forks.length === 0) context.out(`no forks of ${runId}`);
  else printDocument([table(FORK_COLUMNS, forks.map(forkCells))], context);
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

/** Lists the forks in progress; none if no server runs. */
async function forksUnderWay(runId: string, context: CliContext): Promise<ListedFork[]> {
  try {
    const open = await withTemporal(context, 'find', ({ client }) => openForks(client, runId));
    return open.map(({ name, origin }) => {
      return { name, origin, atStep: null, outcome: 'running', reward: null, costUsd: null, changes: [] };
    });
  } catch (error) {
    if (isUnreachable(error)) return [];
    throw error;
  }
}

/** Returns the fork's or the episode's name from its workflow id. */
function originName(workflowId: string): string {
  const { task: taskId, trial, condition, fork } = parseWorkflowId(workflowId);
  if (taskId === undefined || trial === undefined) return workflowId;
  const key = { taskId, trial, condition };
  return fork === undefined ? episodeName(key) : forkName(key, `fork-${fork}`);
}

const FORK_COLUMNS: readonly Column[] = [
  { head: 'fork' },
  { head: 'origin' },
  { head: 'at step' },
  { head: 'outcome' },
  { head: 'reward' },
  { head: 'cost' },
  { head: 'changed', minWidth: 20 },
];

function forkCells({ name, origin, atStep, outcome, reward, costUsd, changes }: ListedFork): string[] {
  return [
    name,
    origin === null ? NONE : originName(origin),
    atStep === null ? NONE : String(atStep),
    outcome,
    reward === null ? NONE : formatReward(reward),
    formatUsd(costUsd),
    cut(escapeControls(changes.join('; ')), 60),
  ];
}
