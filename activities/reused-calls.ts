/** Replies of an episode that was ended with its sweep, for the one that begins again in its place. */

import type { CompleteOutput } from '../src/evaluation/index.ts';
import { Context } from '@temporalio/activity';
import { LRUCache } from 'lru-cache';
import { findEarlier, readEarlierCalls, type EarlierCalls } from '../src/temporal/client/index.ts';
import type { CompleteInput } from '../src/episode/index.ts';

/** Finds what the earlier episode was answered to the same request; null: the call is to be made. */
export type ReusedReplies = (input: CompleteInput) => Promise<CompleteOutput | null>;

/** Episodes whose calls are kept: those that are open. */
const MAX_EPISODES = 200;

export function createReusedReplies(read = readEarlierCalls): ReusedReplies {
  const known = new LRUCache<string, Promise<EarlierCalls>>({ max: MAX_EPISODES });
  return async (input) => {
    if (input.resumes === undefined) return null;
    const { client, info } = Context.current();
    const { workflowId = '', runId = '' } = info.workflowExecution ?? {};
    const reading = known.get(runId) ?? read(client, input.resumes, { workflowId, runId });
    known.set(runId, reading);
    // Another attempt looks again.
    reading.catch(() => known.delete(runId));
    return findEarlier(await reading, input);
  };
}
