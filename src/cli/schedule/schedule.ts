/** `tauflow schedule`: runs that a server starts at given times, each compared with the previous one. */

import type { Command } from 'commander';
import { type CliContext, printJson } from '../context.ts';
import { addRunFlags, allowOwnFlags, readRunFlags } from '../options/flags.ts';
import { runOptions } from '../../run-setup/options/index.ts';
import { SCHEDULE_FLAGS } from './create.ts';
import {
  deleteSchedule,
  pauseSchedule,
  readSchedule,
  triggerSchedule,
  unpauseSchedule,
} from '../../temporal/client/index.ts';
import { ExitCode } from '../../errors/index.ts';
import { withTemporal } from '../find-run.ts';
import type { ScheduleFlags } from './show.ts';

export function defineScheduleCommand(schedule: Command, context: CliContext): void {
  addCreateCommand(schedule, context);
  schedule
    .command('list')
    .description('list the schedules of this server')
    .option('--json', 'print one JSON document')
    .action(async (flags: ScheduleFlags) => {
      const { showSchedules } = await import('./show.ts');
      await showSchedules(flags, context);
    });
  schedule
    .command('show')
    .description('show a schedule, its next times and its last runs')
    .argument('<name>', 'a schedule')
    .option('--runs <n>', 'number of runs to show, newest first', '14')
    .option('--json', 'print one JSON document')
    .action(async (name: string, flags: ScheduleFlags & { runs: string }) => {
      const { showSchedule } = await import('./show.ts');
      await showSchedule(name, flags, context);
    });
  schedule
    .command('trigger')
    .description('start a run of the schedule now')
    .argument('<name>', 'a schedule')
    .option('--json', 'print one JSON document')
    .action(async (name: string, flags: ScheduleFlags) => {
      context.end(await trigger(name, flags, context));
    });
  for (const [verb, what] of [
    ['pause', 'start no more runs until it is unpaused'],
    ['unpause', 'start runs again'],
  ] as const) {
    schedule
      .command(verb)
      .description(what)
      .argument('<name>', 'a schedule')
      .option('--note <text>', 'reason, shown by list and show')
      .option('--json', 'print one JSON document')
      .action(async (name: string, flags: ScheduleFlags & { note?: string }) => {
        await { pause, unpause }[verb](name, flags, context);
      });
  }
  schedule
    .command('delete')
    .description('delete a schedule; its runs and their results stay')
    .argument('<name>', 'a schedule')
    .option('--json', 'print one JSON document')
    .action(async (name: string, flags: ScheduleFlags) => {
      await remove(name, flags, context);
    });
}

function addCreateCommand(schedule: Command, context: CliContext): void {
  const create = schedule
    .command('create')
    .description('create a schedule: its times, and the flags of its runs')
    .argument('<name>', 'name of the schedule, and the prefix of its run ids');
  for (const [flag, text] of SCHEDULE_FLAGS) create.option(flag, text);
  addRunFlags(create);
  allowOwnFlags(create);
  const refused = new Set<string>(
    runOptions.filter(([, { notScheduled }]) => notScheduled !== undefined).map(([name]) => name),
  );
  for (const option of create.options) if (refused.has(option.attributeName())) option.hideHelp();
  create.action(async (name: string) => {
    const { createSchedule } = await import('./create.ts');
    await createSchedule(name, readRunFlags(create), context);
  });
}

/** @returns 1 if the run was skipped */
async function trigger(name: string, { json }: ScheduleFlags, context: CliContext): Promise<ExitCode> {
  const triggered = await withTemporal(context, 'find', ({ client }) => triggerSchedule(client, name));
  const { kind } = triggered;
  if (json === true) {
    const runId = triggered.kind === 'started' ? triggered.run.runId : null;
    printJson({ schedule: name, run_id: runId, skipped: kind === 'skipped', waiting: kind === 'waiting' }, context);
  } else if (kind === 'skipped') {
    context.out(`skipped: a run of ${name} is in progress, and --overlap does not allow a second one`);
  } else if (kind === 'waiting') {
    context.out(`waiting: a run of ${name} is in progress, and by --overlap the new one starts when that has ended`);
  } else if (triggered.kind === 'started') {
    context.out(`started  ${triggered.run.runId}`);
    context.out(`follow   npx tauflow schedule show ${name}`);
  }
  return kind === 'skipped' ? ExitCode.Failed : ExitCode.Done;
}

interface NoteFlags extends ScheduleFlags {
  readonly note?: string;
}

async function pause(name: string, { json, note }: NoteFlags, context: CliContext): Promise<void> {
  const state = await withTemporal(context, 'find', async ({ client }) => {
    await pauseSchedule(client, name, note || 'paused on the command line');
    return readSchedule(client, name);
  });
  if (json === true) printJson({ schedule: name, paused: state.paused, note: state.note }, context);
  else context.out(`${name} is paused; \`npx tauflow schedule unpause ${name}\` starts its runs again`);
}

async function unpause(name: string, { json, note }: NoteFlags, context: CliContext): Promise<void> {
  const state = await withTemporal(context, 'find', async ({ client }) => {
    await unpauseSchedule(client, name, note || 'unpaused on the command line');
    return readSchedule(client, name);
  });
  if (json === true) printJson({ schedule: name, paused: state.paused, next: state.next[0] ?? null }, context);
  else context.out(`${name} starts runs again; the next one: ${state.next[0] ?? 'none'}`);
}

async function remove(name: string, { json }: ScheduleFlags, context: CliContext): Promise<void> {
  await withTemporal(context, 'find', ({ client }) => deleteSchedule(client, name));
  if (json === true) printJson({ schedule: name, deleted: true }, context);
  else context.out(`${name} is deleted; its runs and their results stay`);
}
