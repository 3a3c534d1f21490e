/**
 * What the agent reads of a step, as one line of JSON. Equal steps give equal texts: keys are ordered, numbers keep
 * their spelling (`131` and `131.0`), and there is no time in it.
 *
 * The reference's `info` also holds the task with its instruction and ground truth, and in the end the reward. None of
 * it can get here: only the three fields below are ever read.
 */

import { JsonError, isDict, isList, parseJson, type PyValue } from '../../../benchmark/python/index.ts';
import { readableJson } from '../readable-json.ts';

/** The part of a step that an agent may know. */
export interface SafeObservation {
  readonly observation: string;
  readonly info: {
    /** `user`, or the tool's name. */
    readonly source: string;
    readonly done: boolean;
  };
}

/** `{"done": …, "observation": …, "source": …}`; an observation that is a JSON object or list stands there as such. */
export function renderObsForAgent({ observation, info: { source, done } }: SafeObservation): string {
  const rendered = new Map<string, PyValue>([
    ['done', done],
    ['observation', structured(observation) ?? observation],
    ['source', source],
  ]);
  return readableJson(rendered, { sortKeys: true });
}

/** @returns undefined for any other text: `20.0` is what a tool said, not a number of ours */
function structured(observation: string): PyValue | undefined {
  if (!/^\s*[[{]/.test(observation)) return undefined;
  try {
    const value = parseJson(observation);
    return isDict(value) || isList(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
