/** Counters and the log of calls, with bounded memory. */

import { LRUCache } from 'lru-cache';
import { COUNTED_FAULTS, type CountedFault } from './faults.ts';
import { closeSync, openSync, writeSync } from 'node:fs';

export interface ScriptedStats {
  /** Number of requests for a completion, failed ones included. */
  readonly requests: number;
  /** Number of completely answered requests, even if the client has disconnected; a provider would bill them. */
  readonly completions: number;
  /** Number of requests that could not be played. */
  readonly refused: number;
  /** Number of requests whose client disconnected before the answer was ready. */
  readonly abandoned: number;
  readonly inFlight: number;
  /** Number of completed requests whose answer is withheld. */
  readonly held: number;
  readonly peakInFlight: number;
  /** Number of completions by role: `user`, `agent`, `agent/planner`, …. */
  readonly byRole: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<CountedFault, number>>;
  /** Number of completions of requests whose body had already been completed. */
  readonly duplicates: number;
  /** Number of completions of the last active episodes. */
  readonly perEpisode: Readonly<Record<string, number>>;
}

/** Most remembered requests, of about 100 bytes each. */
const REMEMBERED_REQUESTS = 200_000;
const REMEMBERED_EPISODES = 20_000;

export class StatsKeeper {
  readonly #seen = new LRUCache<string, { requests: number; completions: number }>({ max: REMEMBERED_REQUESTS });
  readonly #perEpisode = new LRUCache<string, number>({ max: REMEMBERED_EPISODES });
  readonly #byRole = new Map<string, number>();
  readonly #faults = new Map<CountedFault, number>();
  #requests = 0;
  #completions = 0;
  #refused = 0;
  #abandoned = 0;
  #inFlight = 0;
  #peakInFlight = 0;
  #duplicates = 0;

  /** Records a request. @returns the number of earlier requests with the same body */
  received(digest: string): number {
    this.#requests += 1;
    this.#inFlight += 1;
    this.#peakInFlight = Math.max(this.#peakInFlight, this.#inFlight);
    const seen = this.#seen.get(digest) ?? { requests: 0, completions: 0 };
    this.#seen.set(digest, seen);
    return seen.requests++;
  }

  /** Records a completion. @returns the number of completions */
  completed(digest: string, role: string, episode: string | null): number {
    this.#completions += 1;
    this.#byRole.set(role, (this.#byRole.get(role) ?? 0) + 1);
    if (episode !== null) this.#perEpisode.set(episode, (this.#perEpisode.get(episode) ?? 0) + 1);
    const seen = this.#seen.get(digest);
    if (seen !== undefined && seen.completions++ > 0) this.#duplicates += 1;
    return this.#completions;
  }

  failed(fault: CountedFault): void {
    this.#faults.set(fault, (this.#faults.get(fault) ?? 0) + 1);
  }

  refused(): void {
    this.#refused += 1;
  }

  abandoned(): void {
    this.#abandoned += 1;
  }

  /** Records the end of a request, which began with {@link received}. */
  finished(): void {
    this.#inFlight -= 1;
  }

  /** @param held number of withheld answers */
  snapshot(held: number): ScriptedStats {
    return {
      requests: this.#requests,
      completions: this.#completions,
      refused: this.#refused,
      abandoned: this.#abandoned,
      inFlight: this.#inFlight,
      held,
      peakInFlight: this.#peakInFlight,
      byRole: Object.fromEntries([...this.#byRole].sort(([a], [b]) => (a < b ? -1 : 1))),
      faults: Object.fromEntries(COUNTED_FAULTS.map((kind) => [kind, this.#faults.get(kind) ?? 0])) as Record<
        CountedFault,
        number
      >,
      duplicates: this.#duplicates,
      perEpisode: Object.fromEntries(this.#perEpisode.entries()),
    };
  }
}

/** A line of the log file, for each completion, so that calls can be counted across restarts. */
export interface LoggedCall {
  /** Digest of the request's body. */
  readonly digest: string;
  readonly role: string;
  readonly episode: string | null;
  readonly model: string;
  /** Times of the request and of its reply, in milliseconds since 1970. */
  readonly receivedAt: number;
  readonly completedAt: number;
}

export interface CallLog {
  append(call: LoggedCall): void;
  close(): void;
}

/**
 * Opens the file for appending. {@link CallLog.append} writes a whole line before it returns, so the line survives a
 * crash of the process.
 * @throws Error naming the file when it cannot be written
 */
export function openCallLog(file: string): CallLog {
  const fd = open(file);
  return {
    append: (call) => {
      writeSync(fd, `${JSON.stringify(call)}\n`);
    },
    close: () => {
      closeSync(fd);
    },
  };
}

function open(file: string): number {
  try {
    return openSync(file, 'a');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `the scripted model's log ${file} cannot be written (${reason}); name a file in a folder that exists.`,
    );
  }
}
