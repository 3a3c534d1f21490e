/** Schedules on a real server: what they hold, and how they are changed, paused and refused. */

import { describe, expect, it } from 'vitest';

import {
  deleteSchedule,
  listSchedules,
  pauseSchedule,
  putSchedule,
  readSchedule,
  unpauseSchedule,
} from '../../src/temporal/client/schedules.ts';
import { stage, undo } from './scheduled-run-stage.ts';

describe('a schedule', () => {
  it('has its times, clock and windows from what was asked for', async () => {
    const { rig, name, schedule } = await stage();
    const asked = schedule('oracle', {
      cron: '30 2 * * 1',
      timezone: 'Europe/Berlin',
      overlap: 'buffer-one',
      catchUpMs: 3_600_000,
      jitterMs: 600_000,
    });
    expect(await putSchedule(rig.client, asked, false)).toBe(false);
    const state = await readSchedule(rig.client, name);
    expect(state).toMatchObject({
      name,
      cron: '30 2 * * 1',
      timezone: 'Europe/Berlin',
      overlap: 'buffer-one',
      catchUpMs: 3_600_000,
      jitterMs: 600_000,
      paused: false,
      started: 0,
    });
    expect(state.input).toMatchObject(asked.input);
    expect(new Date(state.next[0] ?? '').getUTCDay()).toBe(1);
    expect((await listSchedules(rig.client)).map((other) => other.name)).toContain(name);
  });

  it('that exists is changed only when that is asked for, and stays paused', async () => {
    const { rig, name, schedule } = await stage();
    const { client } = rig;
    await putSchedule(client, schedule('oracle'), false);
    await expect(putSchedule(client, schedule('oracle:0.5'), false)).rejects.toMatchObject({
      kind: 'schedule-exists',
      message: expect.stringContaining('--replace') as string,
    });
    await pauseSchedule(client, name, 'the shop is closed');
    expect(await readSchedule(client, name)).toMatchObject({ paused: true, note: 'the shop is closed' });
    await putSchedule(client, schedule('oracle:0.5', { cron: '0 4 * * *' }), true);
    const replaced = await readSchedule(client, name);
    expect(replaced).toMatchObject({ paused: true, cron: '0 4 * * *' });
    expect(replaced.input.sweep.config.agentModel.model).toBe('oracle:0.5');
    await unpauseSchedule(client, name, 'open again');
    expect(await readSchedule(client, name)).toMatchObject({ paused: false, note: 'open again' });
    await deleteSchedule(client, name);
    await expect(readSchedule(client, name)).rejects.toMatchObject({ kind: 'schedule-missing' });
  });

  it.each([
    ['a cron string', { cron: 'at two' }],
    ['a time zone', { timezone: 'Mars/Base' }],
  ])('is refused in one sentence for %s that the server does not take', async (_, wrong) => {
    const { rig, schedule } = await stage();
    await expect(putSchedule(rig.client, schedule('oracle', wrong), false)).rejects.toMatchObject({
      kind: 'schedule-refused',
      message: expect.stringMatching(/^the server refuses the times of .*; correct --cron or --timezone$/) as string,
    });
  });

  it('is not seen among those of others', async () => {
    const { rig, name } = await stage();
    const other = await rig.client.schedule.create({
      scheduleId: `other-${name}`,
      spec: { cronExpressions: ['0 2 29 2 *'] },
      action: { type: 'startWorkflow', workflowType: 'scheduled-run', taskQueue: rig.queues.main, args: [] },
    });
    undo.push(() => other.delete());
    expect((await listSchedules(rig.client)).filter((seen) => seen.name.includes(name))).toEqual([]);
  });
});
