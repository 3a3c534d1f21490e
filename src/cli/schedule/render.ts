/** A schedule as people and programs read it. Pure. */

import { formatDuration } from '../../results/document/index.ts';
import { snakeKeys } from '../../results/log/index.ts';
import type { ScheduleState } from '../../temporal/client/index.ts';
import type { AlertTarget, NightlyInput } from '../../wire/index.ts';
import { shownPath } from '../context.ts';

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

export function timesOf({ cron, timezone }: Pick<ScheduleState, 'cron' | 'timezone'>): string {
  return `${cron} ${timezone ?? 'UTC'}`;
}

export function modelsOf({ sweep }: NightlyInput): { readonly agent: string; readonly user: string } {
  const { strategy, agentModel, userStrategy, userModel } = sweep.config;
  return {
    agent: `${strategy} with ${agentModel.provider}/${agentModel.model}`,
    user: `${userStrategy} with ${userModel.provider}/${userModel.model}`,
  };
}

/** `2026-11-21 02:00 UTC` */
export function shownTime(iso: string): string {
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
