/** Helpers for Node's HTTP server. */

import type { ServerResponse } from 'node:http';
import * as z from 'zod';

/** Waits. @returns false if the client has disconnected meanwhile */
export function delay(ms: number, response: ServerResponse): Promise<boolean> {
  if (response.destroyed) return Promise.resolve(false);
  if (ms <= 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const gone = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      response.off('close', gone);
      resolve(true);
    }, ms);
    response.once('close', gone);
  });
}

/** Resolves when the client has disconnected or has received its answer. */
export function awaitClose(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    response.once('close', resolve);
  });
}

/** The body of `POST /hold`: completions after this number are withheld; null releases all. */
export const holdRequestSchema = z.strictObject({ after: z.number().int().nonnegative().nullable() });

/**
 * Withholds answers from a given completion on, so that a crash can be tested with known calls in progress. Withheld
 * replies are counted in usage, because a provider also bills a reply whose client has disconnected.
 */
export class Hold {
  #after = Infinity;
  readonly #waiting = new Map<ServerResponse, { readonly number: number; readonly release: () => void }>();

  /** Number of answers that are withheld from connected clients. */
  get held(): number {
    return this.#waiting.size;
  }

  /** Changes the limit, and sends the answers that it no longer withholds. */
  set(after: number | null): void {
    this.#after = after ?? Infinity;
    for (const { number, release } of this.#waiting.values()) if (number <= this.#after) release();
  }

  /**
   * Waits until the answer may be sent, or its client has disconnected.
   * @param number number of the completion, from 1
   */
  pass(number: number, response: ServerResponse): Promise<void> {
    if (number <= this.#after || response.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      const release = () => {
        this.#waiting.delete(response);
        response.off('close', release);
        resolve();
      };
      this.#waiting.set(response, { number, release });
      response.once('close', release);
    });
  }
}
