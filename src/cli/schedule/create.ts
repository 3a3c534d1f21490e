/** `tauflow schedule create`: checks the flags of the schedule's runs, and creates the schedule. */

import {
  findPollers,
  putSchedule,
  readSchedule,
  waitingReason,
  type RunSchedule,
  type TemporalConnection,
} from '../../temporal/client/index.ts';
import { MAX_RUN_ID_BYTES, checkRunId } from '../../run-log/index.ts';
import {
  listCalledProviders,
  OVERLAPS,
  type AlertTarget,
  type ScheduleAlerts,
  type Overlap,
} from '../../evaluation/index.ts';
import { printJson, type CliContext } from '../context.ts';
import { queuesOfRun } from '../../host/index.ts';
import { UsageError } from '../../errors/index.ts';
import type { RunFlags } from '../options/flags.ts';
import { readEarlyOptions } from '../options/config-file.ts';
import { duration } from '../../evaluation/kinds.schema.ts';
import { formatFlag, runOptions, type RawRunOptions } from '../../run-setup/options/index.ts';
import {
  getDefault,
  parseRunOptions,
  withEnvironment,
  type RunOptions,
  demoOptions,
  requireYes,
  resolveRequest,
  type RunRequest,
} from '../../run-setup/index.ts';
import { findWebhookProblem } from '../../results/compare/index.ts';
import { parseGates, requirePlanned } from '../../results/gates/index.ts';
import { registerAttributes, withTemporal } from '../find-run.ts';
import { isNever, skippedTime } from './cron.ts';
import { reachLogs } from './runs.ts';
import { printSchedule, scheduleToJson } from './show.ts';
import { HUMAN } from '../../agents/users/index.ts';

export async function createSchedule(name: string, flags: RunFlags, context: CliContext): Promise<void> {
  checkName(name);
  const { own, rest } = splitScheduleFlags(flags.options);
  const early = await readEarlyOptions({ ...flags, options: rest }, context.cwd);
  const { given } = await early.readAll();
  refuseFlags(given);
  const raw = await withEnvironment({ ...demoOptions(given), ...given }, context);
  const options = parseRunOptions(raw, rest);
  const request = await resolveRequest(options, {
    cwd: context.cwd,
    home: context.home,
    env: context.env,
    now: new Date(),
  });
  requirePlanned(parseGates(options.failIf, undefined), request.plan, true);
  requireYes(request, options);
  for (const warning of request.warnings) context.log(`warning: ${warning}`);
  await reachLogs(name, request.run.logDir, context);

  await withTemporal(context, 'start', async (temporal) => {
    const schedule = await toSchedule(name, own, options, request, temporal, context);
    const isReplaced = await putSchedule(temporal.client, schedule, own.replace);
    const state = await readSchedule(temporal.client, name);
    if (options.json) {
      printJson(scheduleToJson(state), context);
      return;
    }
    context.log(isReplaced ? `schedule ${name} replaced` : `schedule ${name} created`);
    printSchedule(state, context);
    const { client } = temporal;
    const waiting = waitingReason(
      await findPollers(client, schedule.input.sweep.queues, listCalledProviders(request.config)),
    );
    context.log('runs start while the server is up, and continue while a worker listens');
    // The server has refused a zone that does not exist.
    const skipped = skippedTime(own.cron, own.timezone ?? 'UTC', Date.now());
    if (skipped !== null) {
      const zone = own.timezone ?? 'UTC';
      context.log(`warning: clocks in ${zone} go over ${skipped}, so no run starts then; name another hour or UTC`);
    }
    if (waiting !== null) context.log(`warning: ${waiting}`);
  });
}

async function toSchedule(
  name: string,
  { replace: _, alerts, ...times }: ScheduleOptions,
  options: RunOptions,
  request: RunRequest,
  temporal: TemporalConnection,
  context: CliContext,
): Promise<RunSchedule> {
  const { run, config, pack, plan, maxConcurrency, maxCostUsd, notes } = request;
  const needs = { providers: listCalledProviders(config), pack, agentDigest: config.strategyOptions.agentFile?.digest };
  const sweep = {
    config,
    plan,
    maxConcurrency,
    maxCostUsd,
    queues: queuesOfRun(options.taskQueue, needs, context.env).queues,
    indexed: await registerAttributes(temporal, config, context),
    notes,
  };
  const gates = options.failIf.length === 0 ? undefined : options.failIf;
  return { ...times, input: { schedule: name, logDir: run.logDir, sweep, alerts, gates } };
}

/** Number of characters that a scheduled run's id adds to the schedule's name, including a count. */
const SCHEDULED_SUFFIX_CHARS = 24;

/** Checks the name, with which the ids of the schedule's runs begin. */
function checkName(name: string): void {
  checkRunId(name);
  const most = MAX_RUN_ID_BYTES - SCHEDULED_SUFFIX_CHARS;
  if (name.length > most) throw new UsageError(`the name of a schedule may have ${most} characters; shorten it.`);
}

export const SCHEDULE_FLAGS = [
  ['--cron <times>', 'start times, as minute hour day month weekday: "0 2 * * *" is daily at 2:00; or @daily, @weekly'],
  ['--timezone <zone>', 'time zone of --cron, such as Europe/Berlin (default: UTC)'],
  ['--overlap <policy>', `if a run is still in progress: ${Object.keys(OVERLAPS).join(', ')} (default: skip)`],
  ['--catch-up <duration>', 'how late a run may start if the server was down at its time (default: 6h)'],
  ['--jitter <duration>', 'random delay of each start, up to this (default: none)'],
  ['--on-regression <what>', 'alert on a regression: an https:// webhook, env:NAME of one, or a command'],
  ['--on-unfinished <what>', 'alert on a run with unfinished episodes: the same'],
  ['--replace', 'replace an existing schedule of that name'],
] as const;

interface ScheduleOptions extends Omit<RunSchedule, 'input'> {
  readonly alerts: ScheduleAlerts;
  readonly replace: boolean;
}

const NAMES = ['cron', 'timezone', 'overlap', 'catchUp', 'jitter', 'onRegression', 'onUnfinished', 'replace'] as const;

/**
 * Separates this command's flags.
 * @returns this command's flags, checked, and the rest, which are flags of `run`
 * @throws UsageError with one sentence that names the flag
 */
function splitScheduleFlags(given: RawRunOptions): { own: ScheduleOptions; rest: RawRunOptions } {
  const own: Partial<Record<(typeof NAMES)[number], unknown>> = {};
  const rest: RawRunOptions = { ...given };
  for (const name of NAMES) {
    if (given[name] === undefined) continue;
    own[name] = given[name];
    delete rest[name];
  }
  return { own: parse(own), rest };
}

/** Shortest catch-up window that the server allows, in ms. */
const SHORTEST_CATCH_UP_MS = 10_000;

function parse(flags: Partial<Record<(typeof NAMES)[number], unknown>>): ScheduleOptions {
  const cron = text(flags.cron);
  if (cron === '') throw new UsageError('--cron is required: the start times of runs, such as --cron "0 2 * * *".');
  if (isNever(cron)) throw new UsageError(`--cron "${cron}" names a day that no month has; correct its day or month.`);
  const timezone = text(flags.timezone);
  const overlap = text(flags.overlap) || 'skip';
  if (!isOverlap(overlap)) {
    throw new UsageError(`--overlap must be one of ${Object.keys(OVERLAPS).join(', ')}, not "${overlap}".`);
  }
  const catchUpMs = time('catchUp', flags.catchUp ?? '6h');
  if (catchUpMs < SHORTEST_CATCH_UP_MS) throw new UsageError('--catch-up must be at least 10s.');
  return {
    cron,
    ...(timezone === '' ? {} : { timezone }),
    overlap,
    catchUpMs,
    jitterMs: time('jitter', flags.jitter ?? '0s'),
    alerts: {
      ...(flags.onRegression === undefined ? {} : { regression: parseTarget('onRegression', flags.onRegression) }),
      ...(flags.onUnfinished === undefined ? {} : { unfinished: parseTarget('onUnfinished', flags.onUnfinished) }),
    },
    replace: flags.replace === true,
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

function isOverlap(name: string): name is Overlap {
  return Object.hasOwn(OVERLAPS, name);
}

function time(option: string, value: unknown): number {
  const parsed = duration.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageError(`${formatFlag(option)} must be a duration such as 90s, 30m or 2h, not "${text(value)}".`);
}

/** Parses a target: `env:NAME`, an address, or else a command. */
function parseTarget(option: string, value: unknown): AlertTarget {
  const flag = formatFlag(option);
  const what = text(value);
  if (what === '') {
    throw new UsageError(`${flag} needs an https:// webhook, env:NAME of one, or a command.`);
  }
  if (what.startsWith('env:')) {
    const variable = what.slice('env:'.length);
    if (/^[A-Za-z_]\w*$/.test(variable)) return { kind: 'webhook_from_env', variable };
    throw new UsageError(
      `${flag}: "${variable}" is not the name of a variable; give env:NAME, such as env:ALERT_WEBHOOK.`,
    );
  }
  if (/^[a-z]+:\/\//i.test(what)) {
    const problem = findWebhookProblem(what);
    if (problem === null) return { kind: 'webhook', url: what };
    throw new UsageError(`${flag}: a webhook ${problem}.`);
  }
  return { kind: 'command', command: what };
}

/** @throws UsageError for the first flag that does not apply to schedules, unless it has its default */
function refuseFlags(given: RawRunOptions): void {
  if (given.userStrategy === HUMAN) {
    throw new UsageError(`--user-strategy ${HUMAN} is not for schedules: no human user answers in scheduled runs.`);
  }
  for (const [option, { flags, notScheduled }] of runOptions) {
    const value = given[option];
    if (notScheduled === undefined || value === undefined || value === getDefault(option)) continue;
    const [flag = ''] = Object.keys(flags).map((each) => each.split(' ')[0]);
    throw new UsageError(`${flag} is not for schedules: a schedule ${notScheduled}.`);
  }
}
