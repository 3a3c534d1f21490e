/** Replays of τ³-bench: each call's observation, and both databases' hashes after it. */

import { StateHasher, taskData, openOverlay, type Action, type Task } from '../../benchmarks/index.ts';
import { PyError, dumpJson, type Dumpable } from '../../benchmarks/python/index.ts';
import { callTool, databaseText, tau3Domains } from '../../benchmarks/tau3/index.ts';
import { sha256Hashing } from '../../io/index.ts';
import type { Pack } from '../../benchmarks/packs/index.ts';

export interface Tau3Replayer {
  /** @returns undefined where the pack has no task of that id */
  readonly findTask: (id: string) => Task | undefined;
  /**
   * The line for a sequence.
   * @param given fields that come first in the line and in each step
   * @throws PyError where the task's initial state cannot be made
   */
  readonly line: (task: Task | undefined, actions: readonly Action[], given: Given) => string;
}

interface Given {
  readonly head: object;
  /** Fields of a step, by its position. */
  readonly step: (at: number) => object;
}

/** @param hash false: the lines have no hashes, which take most of the time */
export function createTau3Replayer(pack: Pack, hash: boolean): Tau3Replayer {
  const domain = tau3Domains.get(pack.domain);
  if (domain === undefined) throw new Error(`${pack.domain} is no domain of τ³-bench`);
  const hasherOf = (side: typeof domain.assistant) =>
    new StateHasher(pack, sha256Hashing, { text: databaseText(side) });
  const db = hasherOf(domain.assistant);
  const userDb = domain.user === undefined ? undefined : hasherOf(domain.user);
  const tasks = new Map<string, Task>();
  for (const task of Object.values(pack.splits).flat()) {
    const id = task.content?.get('id');
    if (typeof id === 'string' && !tasks.has(id)) tasks.set(id, task);
  }
  return {
    findTask: (id) => tasks.get(id),
    line(task, actions, given) {
      const data = task === undefined ? pack : taskData(pack, task);
      const state = openOverlay(data);
      const steps = actions.map((action, at): Dumpable => {
        const { requestor, name, kwargs } = action;
        const result = callTool(domain, state, { requestor: requestor ?? 'assistant', name, arguments: kwargs });
        const hashes = hash ? { db: db.hash(state), user_db: userDb?.hash(state) } : {};
        return { ...given.step(at), ...result, ...hashes };
      });
      return dumpJson({ ...given.head, steps });
    },
  };
}

/** A sentence's clause for a state that the reference refuses to make. */
export function describeRefusal(error: unknown): string {
  if (error instanceof PyError) return error.message;
  throw error;
}
