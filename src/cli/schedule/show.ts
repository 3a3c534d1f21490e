/** `tauflow schedule list` and `tauflow schedule show`. */

import {
  facts,
  paragraph,
  table,
  type Block,
  type Column,
  type Text,
  NONE,
  formatShare,
  formatUsd,
  formatSigned,
  formatDuration,
} from '../../results/document/index.ts';
import { snakeKeys } from '../../run-log/index.ts';
import {
  findPollers,
  readSchedule,
  waitingReason,
  listSchedules,
  type ScheduleState,
} from '../../temporal/client/index.ts';
import {
  describeConditions,
  describeAgent,
  describeUser,
  listCalledProviders,
  type AlertTarget,
  type ScheduledRunInput,
} from '../../evaluation/index.ts';
import { printJson, type CliContext, shownPath } from '../context.ts';
import { retirementWarnings } from '../../models/index.ts';
import { UsageError } from '../../errors/index.ts';
import { printDocument } from '../terminal/print.ts';
import { withTemporal } from '../find-run.ts';
import { lastScheduledRuns, reachLogs, type ScheduleRow } from './runs.ts';

export interface ScheduleFlags {
  readonly json?: boolean;
}

interface ShowFlags extends ScheduleFlags {
  readonly runs: string;
}

export async function showSchedule(name: string, flags: ShowFlags, context: CliContext): Promise<void> {
  if (!/^[1-9]\d{0,3}$/.test(flags.runs)) throw new UsageError(`--runs must be a whole number from 1 to 9999.`);
  await withTemporal(context, 'find', async ({ client }) => {
    const state = await readSchedule(client, name);
    const { input } = state;
    const warn = (sentence: string) => context.log(`warning: ${sentence}`);
    const logs = await reachLogs(name, input.logDir, context);
    const runs = await lastScheduledRuns(client, name, logs, Number(flags.runs), warn);
    if (flags.json === true) {
      printJson({ ...scheduleToJson(state), runs: snakeKeys(runs) }, context);
      return;
    }
    printDocument([scheduleFacts(state, context.cwd), ...runBlocks(runs)], context);
    const waiting = waitingReason(
      await findPollers(client, input.sweep.queues, listCalledProviders(input.sweep.config)),
    );
    if (waiting !== null) warn(waiting);
    for (const warning of await retirementWarnings(input.sweep.config, context.home, new Date())) warn(warning);
  });
}

const RUN_COLUMNS: readonly Column[] = [
  { head: 'Run' },
  { head: 'Reward', align: 'right' },
  { head: 'pass^1', align: 'right' },
  { head: 'Cost', align: 'right' },
  { head: 'Difference (95 %)' },
  { head: 'Verdict' },
  { head: 'Unfinished' },
];

function runBlocks(runs: readonly ScheduleRow[]): Block[] {
  if (runs.length === 0) return [paragraph('no run yet')];
  const rows = runs.map((run) => [
    run.runId,
    formatShare(run.averageReward),
    formatShare(run.passHat1),
    formatUsd(run.costUsd),
    differenceText(run),
    verdictText(run.verdict),
    run.unfinished ?? NONE,
  ]);
  const alerts = runs.flatMap(({ runId, alert }): Text[] => {
    if (alert === null || alert.kind === 'none') return [];
    if (alert.kind === 'sent') return [`alert of ${runId}: sent`];
    return [[{ text: `alert of ${runId}: not sent, ${alert.message}`, tone: 'warning' }]];
  });
  const failures = runs.flatMap(({ runId, failedGates }) =>
    failedGates.map((failure): Text => [{ text: `${runId}: ${failure}`, tone: 'bad' }]),
  );
  return [table(RUN_COLUMNS, rows), paragraph(...failures, ...alerts)];
}

function differenceText({ delta, low, high }: ScheduleRow): string {
  if (delta === null) return NONE;
  return low === null || high === null
    ? formatSigned(delta)
    : `${formatSigned(delta)} (${formatSigned(low)} to ${formatSigned(high)})`;
}

function verdictText(verdict: string): Text {
  const text = verdict.replaceAll('_', ' ');
  if (verdict === 'regression' || verdict === 'failed') return [{ text, tone: 'bad' }];
  if (verdict === 'improvement') return [{ text, tone: 'good' }];
  return verdict === 'first' || verdict === 'no_difference' ? text : [{ text, tone: 'warning' }];
}

export async function showSchedules({ json }: ScheduleFlags, context: CliContext): Promise<void> {
  const schedules = await withTemporal(context, 'find', ({ client }) => listSchedules(client));
  if (json === true) {
    printJson(schedules.map(scheduleToJson), context);
    return;
  }
  if (schedules.length === 0) {
    context.out('no schedules; `npx tauflow schedule create NAME --cron "0 2 * * *" …` makes one');
    return;
  }
  printDocument([table(SCHEDULE_COLUMNS, schedules.map(scheduleCells))], context);
}

const SCHEDULE_COLUMNS: readonly Column[] = [
  { head: 'Schedule' },
  { head: 'Times' },
  { head: 'Agent' },
  { head: 'Next' },
  { head: 'Runs', align: 'right' },
];

function scheduleCells(state: ScheduleState): string[] {
  const paused = `paused${state.note === '' ? '' : `: ${state.note}`}`;
  const next = state.next[0] === undefined ? 'none' : shownTime(state.next[0]);
  const { agent } = describeModels(state.input);
  return [state.name, formatTimes(state), agent, state.paused ? paused : next, String(state.started)];
}

const MOST_TIMES = 3;

/** Prints a schedule that was just created. */
export function printSchedule(state: ScheduleState, context: CliContext): void {
  printDocument([scheduleFacts(state, context.cwd)], context);
}

function scheduleFacts(state: ScheduleState, cwd: string): Block {
  const { input, overlap, catchUpMs, jitterMs, started, skipped, missed } = state;
  const { sweep, logDir } = input;
  const { config, plan, maxConcurrency, queues } = sweep;
  const models = describeModels(input);
  const trials = plan.numTrials === 1 ? '1 trial' : `${plan.numTrials} trials`;
  return facts([
    ['schedule', state.name],
    ['times', formatTimes(state)],
    ['paused', state.paused ? state.note || 'yes' : null],
    [
      'policy',
      `overlap ${overlap}, catch-up ${formatDuration(catchUpMs)}, jitter ${jitterMs === 0 ? 'none' : formatDuration(jitterMs)}`,
    ],
    ['agent', models.agent],
    ['user', models.user],
    ['tasks', `${plan.taskIds.length} of ${config.env} ${config.split} × ${trials}, ${maxConcurrency} at once`],
    ['conditions', describeConditions(config)],
    ['pack', `${config.pack.name} (${config.pack.digest.slice(0, 12)})`],
    ['queue', queues.main],
    ['run log', shownPath(logDir, cwd)],
    ['gates', input.gates?.join('; ') ?? null],
    ['alerts', formatAlerts(input) || null],
    ['next', state.paused ? null : state.next.slice(0, MOST_TIMES).map(shownTime).join(', ')],
    ['runs', `${started} started, ${skipped} skipped for overlap, ${missed} missed`],
  ]);
}

/** Returns the JSON document, with the alerts' kinds but without addresses, because parts of them may be secret. */
export function scheduleToJson({ input, ...state }: ScheduleState): object {
  const { sweep, logDir } = input;
  const { config, plan, maxConcurrency, maxCostUsd, queues } = sweep;
  return snakeKeys({
    ...state,
    timezone: state.timezone ?? 'UTC',
    logDir,
    taskQueue: queues.main,
    config,
    plan,
    maxConcurrency,
    maxCostUsd,
    gates: input.gates,
    alerts: Object.fromEntries(listTargets(input).map(([when, target]) => [when, alertText(target)])),
  }) as object;
}

function formatTimes({ cron, timezone }: Pick<ScheduleState, 'cron' | 'timezone'>): string {
  return `${cron} ${timezone ?? 'UTC'}`;
}

function describeModels({ sweep }: ScheduledRunInput): { readonly agent: string; readonly user: string } {
  return { agent: describeAgent(sweep.config), user: describeUser(sweep.config) };
}

/** Formats a time: `2026-11-21 02:00 UTC`. */
function shownTime(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

function formatAlerts(input: ScheduledRunInput): string {
  return listTargets(input)
    .map(([when, target]) => `${when}: ${alertText(target)}`)
    .join('; ');
}

function listTargets({ alerts }: ScheduledRunInput): [when: string, target: AlertTarget][] {
  return Object.entries(alerts as Readonly<Record<string, AlertTarget>>);
}

/** Formats an alert; for an address only the host, because its path is often a secret. */
function alertText(target: AlertTarget): string {
  switch (target.kind) {
    case 'webhook':
      return `webhook at ${new URL(target.url).host}`;
    case 'webhook_from_env':
      return `webhook from the worker's ${target.variable}`;
    case 'command':
      return `command ${target.command}`;
  }
}
