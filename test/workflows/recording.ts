/** The parts that recordings of the replay corpus are made of. */

import type { WorkflowHandle } from '@temporalio/client';

import { playLines, type Line, type LineFunction } from './models.ts';
import type { Rig, RigOptions } from './rig-on-server.ts';

export interface Recorded {
  /** Name of the file. */
  readonly name: string;
  readonly handle: WorkflowHandle;
}

export interface Recording {
  readonly options: RigOptions;
  readonly run: (rig: Rig) => Promise<Recorded[]>;
}

export type Recordings = Readonly<Record<string, Recording>>;

export function played(agent: Line[], user: Line[]): RigOptions {
  return { callModel: playLines({ agent, user }).callModel };
}

/** A line, and a promise that settles when it is first asked for. */
export function watched(line: LineFunction): { readonly line: Line; readonly called: Promise<void> } {
  let call: () => void = () => undefined;
  const called = new Promise<void>((resolve) => (call = resolve));
  return {
    line: (request, signal) => {
      call();
      return line(request, signal);
    },
    called,
  };
}

/** However it ends: the corpus has failures too. */
export async function settled(handle: WorkflowHandle): Promise<void> {
  await handle.result().catch(() => undefined);
}

/** The run's own history, and before it the first of a workflow that continued as new. */
export async function withFirst(rig: Rig, handle: WorkflowHandle, firstRunId: string): Promise<Recorded[]> {
  const first = rig.client.workflow.getHandle(handle.workflowId, firstRunId);
  const isContinued = (await first.describe()).status.name === 'CONTINUED_AS_NEW';
  return [...(isContinued ? [{ name: `${rig.run.runId}-first`, handle: first }] : []), { name: rig.run.runId, handle }];
}
