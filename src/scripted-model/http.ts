/** Small things that Node's HTTP server leaves to its user. */

import type { ServerResponse } from 'node:http';
import * as z from 'zod';

/** Waits. @returns false when the client went away meanwhile */
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

/** Resolves when the client has gone, or has its answer. */
export function closed(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    response.once('close', resolve);
  });
}

/** The body of `POST /hold`: completions after this many are withheld; null lets all go. */
export const holdRequestSchema = z.strictObject({ after: z.number().int().nonnegative().nullable() });

/**
 * Withholds answers from a given completion on. What is withheld has been played and counted, as a provider bills a
 * reply whose client dies before it arrives: so a crash can be tested at a known point, with known calls under way.
 */
export class Hold {
  #after = Infinity;
  readonly #waiting = new Map<ServerResponse, { readonly number: number; readonly release: () => void }>();

  /** Answers that are withheld now, of clients that are still there. */
  get held(): number {
    return this.#waiting.size;
  }

  /** Moves the hold; withheld answers that it no longer covers are sent. */
  set(after: number | null): void {
    this.#after = after ?? Infinity;
    for (const { number, release } of this.#waiting.values()) if (number <= this.#after) release();
  }

  /**
   * Waits until the answer may be sent, or its client has gone.
   * @param number which completion it is, counted from 1
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
