/** The sweeps of the replay corpus: plain, in lanes, steered, held, and ended early. */

import { startSweep, type SweepHandle } from '../../src/temporal/client/index.ts';
import { episodeWorkflowId, laneWorkflowId, type SweepInput } from '../../src/evaluation/index.ts';
import { extend, pause, progress, resume, retry, setLimits } from '../../workflows/client.ts';
import { eventually } from '../helpers/eventually.ts';
import { hang, playLines, quickModel, refuse, STOP, unavailable, type Line } from './models.ts';
import { played, settled, watched, withFirst, type Recorded, type Recording, type Recordings } from './recording.ts';
import type { Rig } from './rig-on-server.ts';

export function sweeps(): Recordings {
  const options = { callModel: quickModel };
  return {
    'sweep-plain': { options, run: playSweep() },
    'sweep-resumed': {
      options,
      run: async (rig) => {
        await playSweep()(rig);
        return playSweep({ plan: plan(5) })(rig);
      },
    },
    'sweep-with-failures': { options: played([unavailable], ['Hi.']), run: playSweep() },
    'sweep-continued-as-new': {
      options,
      run: async (rig) => {
        const { handle } = await startSweep(
          rig.client,
          rig.sweepInput({ plan: plan(5), tuning: { continueAsNewAfter: 2 } }),
        );
        const { runId } = await handle.describe();
        const first = rig.client.workflow.getHandle(handle.workflowId, runId);
        await handle.result();
        return [
          { name: 'sweep-continued-as-new-first', handle: first },
          { name: 'sweep-continued-as-new-last', handle },
        ];
      },
    },
    'sweep-lanes': {
      options,
      run: async (rig) => {
        const root = await playSweep({ plan: plan(5), maxConcurrency: 3, tuning: { laneSize: 2 } })(rig);
        const lane = rig.client.workflow.getHandle(laneWorkflowId(rig.run.runId, 1));
        return [...root, { name: 'sweep-lanes-one', handle: lane }];
      },
    },
    'sweep-lanes-short': {
      options,
      run: playSweep({ plan: plan(7), maxConcurrency: 6, tuning: { laneSize: 3 } }),
    },
    'sweep-steered': steeredSweep(),
    'sweep-retried': steeredBy(async (handle) => {
      await handle.executeUpdate(pause);
      await handle.executeUpdate(retry, { args: ['failed'] });
      await handle.executeUpdate(retry, { args: [[{ taskId: 1, trial: 0 }]] });
      await handle.executeUpdate(retry, { args: [[]] }).catch(() => undefined);
      await handle.executeUpdate(resume);
    }),
    'sweep-extended': steeredBy(async (handle) => {
      await handle.executeUpdate(extend, { args: [2] });
    }),
    'sweep-limits': steeredBy(async (handle) => {
      await handle.executeUpdate(setLimits, { args: [{ maxConcurrency: 2, maxCostUsd: 0.001 }] });
      await handle.executeUpdate(setLimits, { args: [{ maxCostUsd: -1 }] }).catch(() => undefined);
      await handle.executeUpdate(setLimits, { args: [{ maxCostUsd: null }] });
    }),
    'sweep-lanes-steered': steeredBy(
      async (handle) => {
        await handle.executeUpdate(setLimits, { args: [{ maxConcurrency: 3, maxCostUsd: 1 }] });
        await handle.executeUpdate(extend, { args: [2] });
      },
      { tuning: { laneSize: 2 } },
    ),
    'sweep-cancelled': cancelledSweep(),
    'sweep-outage': heldSweep(unavailable, 3, () => Promise.resolve()),
    'sweep-refused-resumed': heldSweep(refuse, 2, async (handle) => {
      await paused(handle);
      await handle.executeUpdate(resume);
    }),
    'sweep-refused-cancelled': heldSweep(refuse, 2, async (handle) => {
      await paused(handle);
      await handle.cancel();
    }),
  };
}

/**
 * @param failure what the agent's first calls meet, before they are answered
 * @param steer what is asked of the sweep meanwhile
 */
function heldSweep(
  failure: () => Promise<Line>,
  count: number,
  steer: (handle: SweepHandle) => Promise<void>,
): Recording {
  let left = count;
  return {
    options: {
      callModel: async (request, options) => {
        if (request.tools !== undefined && left-- > 0) await failure();
        return await quickModel(request, options);
      },
    },
    run: async (rig) => {
      const config = rig.config({ outageTimeoutMs: 3_600_000 });
      const tuning = { holdMs: { first: 50, last: 200 } };
      const { handle } = await startSweep(rig.client, rig.sweepInput({ config, tuning }));
      await steer(handle);
      await settled(handle);
      return withEpisode(rig, handle);
    },
  };
}

function steeredSweep(): Recording {
  return steeredBy(async (handle, release) => {
    await handle.executeUpdate(pause);
    await handle.executeUpdate(setLimits, { args: [{ maxConcurrency: 0 }] }).catch(() => undefined);
    await handle.executeUpdate(setLimits, { args: [{ maxConcurrency: 2 }] });
    release();
    await handle.executeUpdate(resume);
  });
}

/**
 * @param steer what is asked of a sweep while its first episode is held at its agent's first call, which goes on when
 * `release` is called or when all was asked
 */
function steeredBy(
  steer: (handle: SweepHandle, release: () => void) => Promise<void>,
  changes: Partial<SweepInput> = {},
): Recording {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const { line, called } = watched(async () => {
    await released;
    return 'Hello, done.';
  });
  return {
    options: { callModel: playLines({ agent: [line], user: ['Hi.', STOP] }).callModel },
    run: async (rig) => {
      const { handle } = await startSweep(rig.client, rig.sweepInput({ maxConcurrency: 1, ...changes }));
      const { runId } = await handle.describe();
      await called;
      await steer(handle, release);
      release();
      await settled(handle);
      return withFirst(rig, handle, runId);
    },
  };
}

function cancelledSweep(): Recording {
  const { line, called } = watched(hang);
  return {
    options: played([line], ['Hi.']),
    run: async (rig) => {
      const { handle } = await startSweep(rig.client, rig.sweepInput());
      await called;
      await handle.cancel();
      await settled(handle);
      return withEpisode(rig, handle);
    },
  };
}

function playSweep(changes: Partial<SweepInput> = {}): Recording['run'] {
  return async (rig) => {
    const { handle } = await startSweep(rig.client, rig.sweepInput(changes));
    await settled(handle);
    return [{ name: rig.run.runId, handle }];
  };
}

function withEpisode(rig: Rig, handle: SweepHandle): Recorded[] {
  const episode = rig.client.workflow.getHandle(episodeWorkflowId(rig.run.runId, { taskId: 0, trial: 0 }));
  return [
    { name: rig.run.runId, handle },
    { name: `${rig.run.runId}-episode`, handle: episode },
  ];
}

const plan = (count: number) => ({
  taskIds: Array.from({ length: count }, (_, id) => id),
  numTrials: 1,
  shuffle: false,
});

async function paused(handle: SweepHandle): Promise<void> {
  await eventually(async () => {
    const { pausedFor = null } = await handle.query(progress);
    if (pausedFor === null) throw new Error('the sweep has not paused itself');
  });
}
