/** The body of `tauflow schedule list`. */

import Table from 'cli-table3';
import { listSchedules } from '../../temporal/client/index.ts';
import { printJson, type CliContext } from '../context.ts';
import { COMPACT } from '../terminal/render.ts';
import { withTemporal } from './connection.ts';
import { modelsOf, scheduleToJson, shownTime, timesOf } from './render.ts';
import type { ScheduleFlags } from './steer.ts';

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
