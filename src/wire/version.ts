import { otherWorkerNeeded } from './failures.ts';

/**
 * The version of what workflows do: the commands that the same input leads to. It travels in every workflow's input, so
 * that code which does more than before asks it instead of leaving a marker in each history, and a worker whose code is
 * older than the workflow says so instead of failing it.
 *
 * - absent in an input: what was started before versions were written down.
 * - 3: sweeps are retried, extended and seen by their results; episodes can be forked.
 * - 4: an episode outlives a provider's outage or refusal; replies are bounded; model queues name their endpoint;
 *   a fork may have a budget.
 */
export const WORKFLOW_VERSION = 4;

/** The version of inputs that name none. */
const UNNAMED = 2;

/** Whether the workflow of this input was started by code that knows what came with `version`. */
export function hasVersion({ version = UNNAMED }: { readonly version?: number }, since: number): boolean {
  return version >= since;
}

/**
 * To be called before anything else: what a newer version does is not known here.
 * @throws Error, not a failure: it fails the workflow task, which another worker takes, and nothing is lost
 */
export function refuseNewer({ version = UNNAMED }: { readonly version?: number }): void {
  if (version <= WORKFLOW_VERSION) return;
  throw otherWorkerNeeded(
    `this worker's code is older (workflow version ${WORKFLOW_VERSION}) than the one that started this run ` +
      `(${version}); start a worker of that version or newer`,
  );
}
