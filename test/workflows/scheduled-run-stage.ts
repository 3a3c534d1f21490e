/** A rig with a schedule of its own. Nights are triggered: no test can wait for two in the morning. */

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll } from 'vitest';

import { resolvePack, type Pack } from '../../src/benchmarks/testing.ts';
import { deleteSchedule, triggerSchedule, type RunSchedule } from '../../src/temporal/client/index.ts';
import type { StartedRun } from '../../src/temporal/client/testing.ts';
import type { ScheduledRunInput } from '../../src/evaluation/index.ts';
import type { ScheduledRunResult } from '../../workflows/testing.ts';
import type { scheduledRun } from '../../workflows/client.ts';
import type { RigOptions } from './rig-on-server.ts';
import { startRig, type Rig } from './rig.ts';
import { startScriptedCaller, type ScriptedCaller } from './scripted.ts';

let pack: Pack;
let scripted: ScriptedCaller;

beforeAll(async () => {
  pack = await resolvePack('retail');
  scripted = await startScriptedCaller({ packs: [pack] });
});

afterAll(async () => {
  await scripted.close();
});

/** Steps that end with the test, the last first. */
export const undo: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

export interface Stage {
  readonly rig: Rig;
  readonly name: string;
  readonly schedule: (model: string, changes?: Partial<RunSchedule>, input?: Partial<ScheduledRunInput>) => RunSchedule;
  /** Triggers a night and waits for its end. */
  readonly night: () => Promise<ScheduledRunResult>;
}

/** A rig with a schedule's name of its own; both go when the test ends. */
export async function stage(options: Partial<RigOptions> = {}): Promise<Stage> {
  const rig = await startRig({ callModel: scripted.callModel, pack, ...options });
  undo.push(() => rig.stop());
  const name = `s-${randomUUID().slice(0, 8)}`;
  undo.push(() => deleteSchedule(rig.client, name).catch(() => undefined));
  const night = async () => {
    return resultOf(rig, await triggeredRun(rig, name));
  };
  return { rig, name, night, schedule: (model, changes, input) => scheduleOf(rig, name, model, changes, input) };
}

/** Triggers a schedule that has no run in progress. */
export async function triggeredRun({ client }: Rig, name: string): Promise<StartedRun> {
  const triggered = await triggerSchedule(client, name);
  if (triggered.kind !== 'started') throw new Error(`the run is ${triggered.kind}`);
  return triggered.run;
}

/** A night's result, at its end. */
export function resultOf({ client }: Rig, { workflowId, workflowRunId }: StartedRun): Promise<ScheduledRunResult> {
  return client.workflow.getHandle<typeof scheduledRun>(workflowId, workflowRunId).result();
}

function scheduleOf(
  rig: Rig,
  name: string,
  model: string,
  changes: Partial<RunSchedule> = {},
  input: Partial<ScheduledRunInput> = {},
): RunSchedule {
  const sweep = rig.sweepInput({
    config: rig.config({ agentModel: { provider: 'scripted', model, temperature: 0 } }),
    plan: { taskIds: Array.from({ length: 8 }, (_, id) => id), numTrials: 1, shuffle: false },
    maxConcurrency: 6,
    notes: ['The model was scripted.'],
  });
  return {
    // A time that does not come while the test runs.
    cron: '0 2 29 2 *',
    overlap: 'skip',
    catchUpMs: 21_600_000,
    jitterMs: 0,
    ...changes,
    input: { schedule: name, logDir: rig.run.logDir, sweep, alerts: {}, ...input },
  };
}
