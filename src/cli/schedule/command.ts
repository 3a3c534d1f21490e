/** `tauflow schedule`: runs that a server starts at their times, each compared with the one before. */

import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { addRunFlags, allowOwnFlags, readRunFlags } from '../run/flags.ts';
import { NOT_FOR_SCHEDULES, SCHEDULE_FLAGS } from './options.ts';
import type { ScheduleFlags } from './steer.ts';

export function defineScheduleCommand(schedule: Command, context: CliContext): void {
  addCreateCommand(schedule, context);
  schedule
    .command('list')
    .description('the schedules of this server')
    .option('--json', 'print one JSON document')
    .action(async (flags: ScheduleFlags) => {
      const { showSchedules } = await import('./list.ts');
      await showSchedules(flags, context);
    });
  schedule
    .command('show')
    .description('show a schedule, its next times and its last runs')
    .argument('<name>', 'a schedule')
    .option('--nights <n>', 'how many nights to show', '14')
    .option('--json', 'print one JSON document')
    .action(async (name: string, flags: ScheduleFlags & { nights: string }) => {
      const { showSchedule } = await import('./show.ts');
      await showSchedule(name, flags, context);
    });
  schedule
    .command('trigger')
    .description('start a run of the schedule now')
    .argument('<name>', 'a schedule')
    .option('--json', 'print one JSON document')
    .action(async (name: string, flags: ScheduleFlags) => {
      const { trigger } = await import('./steer.ts');
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
      .option('--note <text>', 'why, for others to read')
      .option('--json', 'print one JSON document')
      .action(async (name: string, flags: ScheduleFlags & { note?: string }) => {
        const steer = await import('./steer.ts');
        await steer[verb](name, flags, context);
      });
  }
  schedule
    .command('delete')
    .description('delete a schedule; its runs and their results stay')
    .argument('<name>', 'a schedule')
    .option('--json', 'print one JSON document')
    .action(async (name: string, flags: ScheduleFlags) => {
      const { remove } = await import('./steer.ts');
      await remove(name, flags, context);
    });
}

function addCreateCommand(schedule: Command, context: CliContext): void {
  const create = schedule
    .command('create')
    .description('create a schedule: its times, and the flags of its runs')
    .argument('<name>', 'what it is called, and what the ids of its runs begin with');
  for (const [flag, text] of SCHEDULE_FLAGS) create.option(flag, text);
  addRunFlags(create);
  allowOwnFlags(create);
  for (const option of create.options) if (NOT_FOR_SCHEDULES.has(option.attributeName())) option.hideHelp();
  create.action(async (name: string) => {
    const { createSchedule } = await import('./create.ts');
    await createSchedule(name, readRunFlags(create), context);
  });
}
