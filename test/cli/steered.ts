/** A run under way on the test run's server, with workers of this process, steered by command lines. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

import { startSweep, type SweepHandle } from '../../src/temporal/client/index.ts';
import type { SweepInput } from '../../src/evaluation/index.ts';
import { Gate } from '../workflows/gate.ts';
import { quickModel } from '../workflows/models.ts';
import { startRig, type Rig, type RigOptions } from '../workflows/rig.ts';
import { scratchFolder, serverOfTests, tauflow, type Ended } from './in-process.ts';

export interface Steered {
  readonly runId: string;
  readonly cwd: string;
  readonly rig: Rig;
  /** Holds episodes at their first call. */
  readonly gate: Gate;
  /** Types a command line in the run's folder; the run id and a task queue, where it has one, are its own words. */
  readonly type: (...words: string[]) => Promise<Ended>;
  /** The same, parsed. @throws SyntaxError when it prints no JSON document */
  readonly json: (...words: string[]) => Promise<Record<string, unknown>>;
  readonly start: (changes?: Partial<SweepInput>) => Promise<SweepHandle>;
}

/** @param options `activities` wins over the gate's */
export async function steered(options: Partial<RigOptions> = {}): Promise<Steered> {
  const runId = `steered-${randomUUID().slice(0, 8)}`;
  const cwd = scratchFolder();
  const gate = new Gate();
  const rig = await startRig({
    callModel: quickModel,
    activities: gate.activities,
    runId,
    logDir: join(cwd, 'results'),
    ...options,
  });
  onTestFinished(() => rig.stop());
  const type = (...words: string[]) => tauflow(words, { cwd, env: serverOfTests() });
  return {
    runId,
    cwd,
    rig,
    gate,
    type,
    json: async (...words) => {
      const { stdout, stderr, code } = await type(...words, '--json');
      if (code > 1) throw new Error(`${words.join(' ')}: ${stderr}`);
      return JSON.parse(stdout) as Record<string, unknown>;
    },
    start: async (changes = {}) => (await startSweep(rig.client, asked(rig, changes))).handle,
  };
}

/** Input that `run` would ask for with the scripted model. */
function asked(rig: Rig, changes: Partial<SweepInput>): SweepInput {
  const config = rig.config({ userModel: { provider: 'scripted', model: 'oracle', temperature: null } });
  return rig.sweepInput({ config, ...changes });
}
