/** The bodies of `schedule trigger`, `pause`, `unpause` and `delete`. */

import {
  deleteSchedule,
  pauseSchedule,
  readSchedule,
  triggerSchedule,
  unpauseSchedule,
} from '../../temporal/client/index.ts';
import { printJson, type CliContext } from '../context.ts';
import { ExitCode } from '../../errors/index.ts';
import { withTemporal } from './connection.ts';

export interface ScheduleFlags {
  readonly json?: boolean;
}

/** 1 when the night was skipped. */
export async function trigger(name: string, { json }: ScheduleFlags, context: CliContext): Promise<ExitCode> {
  const night = await withTemporal(context, 'find', ({ client }) => triggerSchedule(client, name));
  if (json === true) printJson({ schedule: name, run_id: night?.runId ?? null, skipped: night === null }, context);
  else if (night === null)
    context.out(`skipped: a night of ${name} is under way, and two at once are not wanted (--overlap)`);
  else {
    context.out(`started  ${night.runId}`);
    context.out(`follow   npx tauflow schedule show ${name}`);
  }
  return night === null ? ExitCode.Failed : ExitCode.Done;
}

interface NoteFlags extends ScheduleFlags {
  readonly note?: string;
}

export async function pause(name: string, { json, note }: NoteFlags, context: CliContext): Promise<void> {
  const state = await withTemporal(context, 'find', async ({ client }) => {
    await pauseSchedule(client, name, note || 'paused on the command line');
    return readSchedule(client, name);
  });
  if (json === true) printJson({ schedule: name, paused: state.paused, note: state.note }, context);
  else context.out(`${name} is paused; \`npx tauflow schedule unpause ${name}\` starts its nights again`);
}

export async function unpause(name: string, { json, note }: NoteFlags, context: CliContext): Promise<void> {
  const state = await withTemporal(context, 'find', async ({ client }) => {
    await unpauseSchedule(client, name, note || 'unpaused on the command line');
    return readSchedule(client, name);
  });
  if (json === true) printJson({ schedule: name, paused: state.paused, next: state.next[0] ?? null }, context);
  else context.out(`${name} starts nights again; the next one: ${state.next[0] ?? 'none'}`);
}

export async function remove(name: string, { json }: ScheduleFlags, context: CliContext): Promise<void> {
  await withTemporal(context, 'find', ({ client }) => deleteSchedule(client, name));
  if (json === true) printJson({ schedule: name, deleted: true }, context);
  else context.out(`${name} is deleted; its runs and their results stay`);
}
