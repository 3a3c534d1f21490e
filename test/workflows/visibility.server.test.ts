import { expect, it } from 'vitest';
import { textOf } from '../helpers/texts.ts';
import { eventually } from '../helpers/eventually.ts';
import { playLines, STOP, unavailable } from './models.ts';
import { startRig } from './rig.ts';
import { start, tasks } from './sweep-rig.ts';

it('a sweep shows how far it is while it runs, and none of it is in its history', async () => {
  let pass: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => (pass = resolve));
  const model = playLines({ agent: [unavailable, () => passed.then(() => 'Done.')], user: ['Hi.', 'Hi.', STOP] });
  const rig = await startRig({ callModel: model.callModel });
  try {
    const handle = await start(rig, { plan: tasks(2), maxConcurrency: 1 });
    const details = async () =>
      (await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
    await eventually(async () => {
      expect(await details()).toContain('| episodes ended | 1 of 2 |');
      expect(await details()).toContain('**open**: `task-1.trial-0`');
      expect(await details()).toContain('- `task-0.trial-0`, infrastructure_error: 503 overloaded');
    });
    const { staticDetails } = await handle.describe();
    expect(await staticDetails()).toContain(`[http://127.0.0.1:8235/#/run/${rig.run.runId}]`);
    await handle.executeUpdate('pause');
    expect(await details()).toMatch(/^\*\*paused/);
    await handle.executeUpdate('resume');
    pass();
    await handle.result();
    expect(await details()).toMatch(/^\*\*ended\*\*/);
    const history = textOf(await handle.fetchHistory());
    expect(history).toContain('publish the results: completed');
    expect(history).not.toContain('newest first');
  } finally {
    pass();
    await rig.stop();
  }
});
