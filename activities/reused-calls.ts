/** Replies of an earlier episode that ended with its sweep, reused by the episode that replaces it. */

import type { CompleteOutput } from '../src/evaluation/index.ts';
import { Context } from '@temporalio/activity';
import { LRUCache } from 'lru-cache';
import { findEarlier, readEarlierCalls, type EarlierCalls } from '../src/temporal/client/index.ts';
import type { CompleteInput } from '../src/episode/index.ts';

/** Finds the reply that the earlier episode got to the same request; null if there is none. */
export type ReusedReplies = (input: CompleteInput) => Promise<CompleteOutput | null>;

/** Most earlier episodes whose replies stay in memory, as many as a worker has open episodes. */
const MAX_EPISODES = 200;

export function createReusedReplies(read = readEarlierCalls): ReusedReplies {
  const known = new LRUCache<string, Promise<EarlierCalls>>({ max: MAX_EPISODES });
  return async (input) => {
    if (input.resumes === undefined) return null;
    const { client, info } = Context.current();
    const { workflowId = '', runId = '' } = info.workflowExecution ?? {};
    const reading = known.get(runId) ?? read(client, input.resumes, { workflowId, runId });
    known.set(runId, reading);
    // After a failure, the next attempt reads them again.
    reading.catch(() => known.delete(runId));
    return findEarlier(await reading, input);
  };
}
