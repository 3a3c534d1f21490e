/** The body of `tauflow fork RUN --list`: the forks of a run that have ended, and those under way where a server says so. */

import Table from 'cli-table3';
import { NONE, formatReward, formatUsd } from '../../results/document/index.ts';
import type { RunLog } from '../../results/log/index.ts';
import { connect, openForks } from '../../temporal/client/index.ts';
import { isUnreachable } from '../../temporal/codec/index.ts';
import { episodeName, forkName, parseWorkflowId } from '../../wire/index.ts';
import { printJson, type CliContext } from '../context.ts';
import { openLog } from '../open-log.ts';
import { parseRunOptions, type RawRunOptions } from '../run/options.ts';
import { cut, printable } from '../terminal/style.ts';

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
