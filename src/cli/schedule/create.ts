/** The body of `tauflow schedule create`: what `run` would check is checked now, not at two in the night. */

import {
  ensureSearchAttributes,
  findPollers,
  putSchedule,
  readSchedule,
  waitingReason,
  type NightlySchedule,
  type TemporalConnection,
} from '../../temporal/client/index.ts';
import { MAX_RUN_ID_BYTES, checkRunId } from '../../results/log/index.ts';
import { SCHEDULED_SUFFIX_CHARS, providersOf } from '../../wire/index.ts';
import { printJson, type CliContext } from '../context.ts';
import { queuesOfRun } from '../../host/index.ts';
import { UsageError } from '../../errors/index.ts';
import type { RunFlags } from '../run/flags.ts';
import { parseRunOptions, readEarlyOptions, type RunOptions } from '../run/options.ts';
import { demoOptions, resolveRequest, type RunRequest } from '../run/request.ts';
import { withTemporal } from './connection.ts';
import { refuseFlags, splitScheduleFlags, type ScheduleOptions } from './options.ts';
import { renderSchedule, scheduleToJson } from './render.ts';

export async function createSchedule(name: string, flags: RunFlags, context: CliContext): Promise<void> {
  checkName(name);
  const { own, rest } = splitScheduleFlags(flags.options);
  const early = await readEarlyOptions({ ...flags, options: rest }, context.cwd);
  const { given } = await early.readAll();
  refuseFlags(given);
  const options = parseRunOptions({ ...demoOptions(given), ...given });
  const request = await resolveRequest(options, { cwd: context.cwd, home: context.home, now: new Date() });
  for (const warning of request.warnings) context.log(`warning: ${warning}`);

  await withTemporal(context, 'start', async (temporal) => {
    const schedule = await nightlyOf(name, own, options, request, temporal, context);
    const isReplaced = await putSchedule(temporal.client, schedule, own.replace);
    const state = await readSchedule(temporal.client, name);
    if (options.json) {
      printJson(scheduleToJson(state), context);
      return;
    }
    context.log(isReplaced ? `schedule ${name} replaced` : `schedule ${name} created`);
    for (const line of renderSchedule(state, context.cwd)) context.out(line);
    const { client } = temporal;
    const waiting = waitingReason(await findPollers(client, schedule.input.sweep.queues, providersOf(request.config)));
    context.log('nights start while the server runs, and go on while a worker does');
    if (waiting !== null) context.log(`warning: ${waiting}`);
  });
}

async function nightlyOf(
  name: string,
  { replace: _, alerts, ...times }: ScheduleOptions,
  options: RunOptions,
  request: RunRequest,
  temporal: TemporalConnection,
  context: CliContext,
): Promise<NightlySchedule> {
  const attributes = await ensureSearchAttributes(temporal.connection, temporal.namespace);
  if (attributes.kind === 'unavailable') context.log(`warning: ${attributes.reason}`);
  const { run, config, pack, plan, maxConcurrency, maxCostUsd, notes } = request;
  const needs = { providers: providersOf(config), pack, agentDigest: config.strategyOptions.agentFile?.digest };
  const sweep = {
    config,
    plan,
    maxConcurrency,
    maxCostUsd,
    queues: queuesOfRun(options.taskQueue, needs, context.env).queues,
    indexed: attributes.kind === 'ready',
    notes,
  };
  return { ...times, input: { schedule: name, logDir: run.logDir, sweep, alerts } };
}

/** The ids of its runs begin with it. */
function checkName(name: string): void {
  checkRunId(name);
  const most = MAX_RUN_ID_BYTES - SCHEDULED_SUFFIX_CHARS;
  if (name.length > most) throw new UsageError(`the name of a schedule may have ${most} characters; shorten it.`);
}
