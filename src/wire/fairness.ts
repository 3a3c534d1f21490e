/** Sweeps that share a queue of model calls take turns, however wide their windows: each is a key of Temporal's fairness. */

import { digestText } from './transcript.ts';

/** The server refuses longer ones. Run ids are ASCII, so that characters are bytes. */
const MOST_BYTES = 64;

/** @returns the run's id; of a long one its beginning and a digest of the whole */
export function fairnessKey(runId: string): string {
  if (runId.length <= MOST_BYTES) return runId;
  const digest = digestText(runId);
  return `${runId.slice(0, MOST_BYTES - digest.length - 1)}~${digest}`;
}
