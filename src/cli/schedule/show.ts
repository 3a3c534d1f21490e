/** `tauflow schedule list` and `tauflow schedule show`. */

import Table from 'cli-table3';
import { NONE, formatShare, formatUsd, formatSigned, formatDuration } from '../../results/document/index.ts';
import { snakeKeys } from '../../results/log/index.ts';
import {
  findPollers,
  readSchedule,
  waitingReason,
  listSchedules,
  type ScheduleState,
} from '../../temporal/client/index.ts';
import { providersOf, type AlertTarget, type NightlyInput } from '../../wire/index.ts';
import { printJson, type CliContext, shownPath } from '../context.ts';
import { UsageError } from '../../errors/index.ts';
import { colorsOf, printable, styleOf } from '../terminal/style.ts';
import { COMPACT } from '../terminal/render.ts';
import { withTemporal } from '../find-run.ts';
import { lastNights, type NightRow } from './nights.ts';
import type { ScheduleFlags } from './schedule.ts';

interface ShowFlags extends ScheduleFlags {
  readonly nights: string;
}

export async function showSchedule(name: string, flags: ShowFlags, context: CliContext): Promise<void> {
  if (!/^[1-9]\d{0,3}$/.test(flags.nights)) {
    throw new UsageError('--nights must be a whole number from 1 to 9999.');
  }
  await withTemporal(context, 'find', async ({ client }) => {
    const state = await readSchedule(client, name);
    const { input } = state;
    const warn = (sentence: string) => context.log(`warning: ${sentence}`);
    const nights = await lastNights(client, input, Number(flags.nights), warn);
    if (flags.json === true) {
      printJson({ ...scheduleToJson(state), nights: snakeKeys(nights) }, context);
      return;
    }
    for (const line of renderSchedule(state, context.cwd)) context.out(line);
    context.out('');
    context.out(nights.length === 0 ? 'no night yet' : renderNights(nights, context));
    const waiting = waitingReason(await findPollers(client, input.sweep.queues, providersOf(input.sweep.config)));
    if (waiting !== null) warn(waiting);
  });
}

function renderNights(nights: readonly NightRow[], context: CliContext): string {
  const colors = colorsOf(styleOf(context.stdout, context.env));
  const table = new Table({
    head: ['Run', 'Reward', 'pass^1', 'Cost', 'Difference (95 %)', 'Verdict', 'Unfinished'].map(colors.bold),
    colAligns: ['left', 'right', 'right', 'right', 'left', 'left', 'left'],
    chars: COMPACT,
    style: { head: [], border: [] },
  });
  for (const night of nights) {
    table.push([
      night.runId,
      formatShare(night.averageReward),
      formatShare(night.passHat1),
      formatUsd(night.costUsd),
      differenceText(night),
      paint(night.verdict, colors),
      night.unfinished ?? NONE,
    ]);
  }
  const alerts = nights.flatMap(({ runId, alert }) => {
    if (alert === null || alert.kind === 'none') return [];
    return alert.kind === 'sent'
      ? [`alert of ${runId}: sent`]
      : [colors.yellow(`alert of ${runId}: not sent, ${printable(alert.message)}`)];
  });
  return [table.toString(), ...alerts].join('\n');
}

function differenceText({ delta, low, high }: NightRow): string {
  if (delta === null) return NONE;
  return low === null || high === null
    ? formatSigned(delta)
    : `${formatSigned(delta)} (${formatSigned(low)} to ${formatSigned(high)})`;
}

function paint(verdict: string, colors: ReturnType<typeof colorsOf>): string {
  const words = verdict.replaceAll('_', ' ');
  if (verdict === 'regression' || verdict === 'failed') return colors.red(words);
  if (verdict === 'improvement') return colors.green(words);
  return verdict === 'first' || verdict === 'no_difference' ? words : colors.yellow(words);
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
  const table = new Table({
    head: ['Schedule', 'Times', 'Agent', 'Next', 'Nights'],
    colAligns: ['left', 'left', 'left', 'left', 'right'],
    chars: COMPACT,
    style: { head: [], border: [] },
  });
  for (const state of schedules) {
    const next = state.paused
      ? `paused${state.note === '' ? '' : `: ${state.note}`}`
      : state.next[0] === undefined
        ? 'none'
        : shownTime(state.next[0]);
    table.push([state.name, timesOf(state), modelsOf(state.input).agent, next, String(state.started)]);
  }
  context.out(table.toString());
}

const MOST_TIMES = 3;

export function renderSchedule(state: ScheduleState, cwd: string): string[] {
  const { input, overlap, catchUpMs, jitterMs, started, skipped, missed } = state;
  const { sweep, logDir } = input;
  const { config, plan, maxConcurrency, queues } = sweep;
  const models = modelsOf(input);
  const trials = plan.numTrials === 1 ? '1 trial' : `${plan.numTrials} trials`;
  const rows: (readonly [name: string, text: string | null])[] = [
    ['schedule', state.name],
    ['times', timesOf(state)],
    ['paused', state.paused ? state.note || 'yes' : null],
    [
      'policy',
      `overlap ${overlap}, catch-up ${formatDuration(catchUpMs)}, jitter ${jitterMs === 0 ? 'none' : formatDuration(jitterMs)}`,
    ],
    ['agent', models.agent],
    ['user', models.user],
    ['tasks', `${plan.taskIds.length} of ${config.env} ${config.split} × ${trials}, ${maxConcurrency} at once`],
    ['pack', `${config.pack.name} (${config.pack.digest.slice(0, 12)})`],
    ['queue', queues.main],
    ['run log', shownPath(logDir, cwd)],
    ['alerts', alertsOf(input) || null],
    ['next', state.paused ? null : state.next.slice(0, MOST_TIMES).map(shownTime).join(', ')],
    ['nights', `${started} started, ${skipped} skipped for overlap, ${missed} missed`],
  ];
  return rows.flatMap(([name, text]) => (text === null ? [] : [`${name.padEnd(9)} ${text}`]));
}

/** With the alerts' kinds, but no address: a part of it may be a secret. */
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
    alerts: Object.fromEntries(targetsOf(input).map(([when, target]) => [when, alertText(target)])),
  }) as object;
}

function timesOf({ cron, timezone }: Pick<ScheduleState, 'cron' | 'timezone'>): string {
  return `${cron} ${timezone ?? 'UTC'}`;
}

function modelsOf({ sweep }: NightlyInput): { readonly agent: string; readonly user: string } {
  const { strategy, agentModel, userStrategy, userModel } = sweep.config;
  return {
    agent: `${strategy} with ${agentModel.provider}/${agentModel.model}`,
    user: `${userStrategy} with ${userModel.provider}/${userModel.model}`,
  };
}

/** `2026-11-21 02:00 UTC` */
function shownTime(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

function alertsOf(input: NightlyInput): string {
  return targetsOf(input)
    .map(([when, target]) => `${when}: ${alertText(target)}`)
    .join('; ');
}

function targetsOf({ alerts }: NightlyInput): [when: string, target: AlertTarget][] {
  return Object.entries(alerts as Readonly<Record<string, AlertTarget>>);
}

/** Only the host of an address: what follows is often a password. */
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
