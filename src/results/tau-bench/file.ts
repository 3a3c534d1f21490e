/**
 * Assembles tau-bench's results file from a run log.
 *
 * The file is replaced as a whole, so it is valid JSON at every moment. While a run goes on it is replaced whenever the
 * number of results has doubled: all these versions together are no larger than the last one, where rewriting after
 * each episode would be quadratic.
 */

import type { EpisodeKey } from '../../wire/index.ts';
import { byTrialThenTask, type RunLog } from '../log/index.ts';
import { resultsEntry } from './entry.ts';

export interface AssembleOptions {
  /**
   * The order of the results, such as a shuffled plan's. Episodes that are not in it follow.
   * @default trial by trial, tasks ascending
   */
  readonly order?: readonly EpisodeKey[];
}

export interface AssembledFile {
  readonly path: string;
  /** Results in the file. */
  readonly entries: number;
  readonly bytes: number;
  /** A sentence for each file of the run log that could not be used. */
  readonly problems: readonly string[];
}

/**
 * Writes the results file from what the run log has now.
 * @throws ResultsError (`log_dir_unwritable`)
 */
export async function assembleResultsFile(log: RunLog, options: AssembleOptions = {}): Promise<AssembledFile> {
  const listing = await log.listEpisodes();
  const problems = [...listing.problems];
  let entries = 0;
  const bytes = await log.writeResults(
    (async function* () {
      const keys = inOrder(listing.episodes, options.order ?? []);
      for await (const record of log.records(keys, (sentence) => problems.push(sentence))) {
        const entry = resultsEntry(record);
        if (entry === null) continue;
        yield `${entries === 0 ? '[' : ','}\n  ${entry}`;
        entries++;
      }
      yield entries === 0 ? '[]' : '\n]';
    })(),
  );
  return { path: log.paths.results, entries, bytes, problems };
}

/** Keeps the results file up to date while a run goes on. */
export class ResultsAssembler {
  readonly #log: RunLog;
  readonly #options: AssembleOptions;
  #nextAt = 1;
  #bytesWritten = 0;
  #underWay: Promise<unknown> = Promise.resolve();
  #busy = false;

  constructor(log: RunLog, options: AssembleOptions = {}) {
    this.#log = log;
    this.#options = options;
  }

  /** Bytes of all versions written so far. */
  get bytesWritten(): number {
    return this.#bytesWritten;
  }

  /**
   * Replaces the file if the number of ended episodes has doubled since the last time, and no replacement is under
   * way.
   * @param ended episodes that have ended, those of earlier processes included
   * @returns whether the file was replaced
   */
  async maybeRewrite(ended: number): Promise<boolean> {
    if (this.#busy || ended < this.#nextAt) return false;
    this.#nextAt = ended * 2;
    await this.#rewrite();
    return true;
  }

  /** Writes the final file; call it when the last episode's record is written, or when this process gives up. */
  async finish(): Promise<AssembledFile> {
    return this.#rewrite();
  }

  async #rewrite(): Promise<AssembledFile> {
    const turn = this.#underWay.then(async () => {
      this.#busy = true;
      try {
        const file = await assembleResultsFile(this.#log, this.#options);
        this.#bytesWritten += file.bytes;
        return file;
      } finally {
        this.#busy = false;
      }
    });
    // A failure is told to the caller whose turn it was; the next turn starts all the same.
    this.#underWay = turn.catch(() => undefined);
    return turn;
  }
}

function inOrder(episodes: readonly EpisodeKey[], order: readonly EpisodeKey[]): EpisodeKey[] {
  const name = ({ taskId, trial }: EpisodeKey) => `${String(taskId)}/${String(trial)}`;
  const position = new Map(order.map((key, index) => [name(key), index]));
  const rank = (key: EpisodeKey) => position.get(name(key)) ?? order.length;
  return [...episodes].sort((a, b) => rank(a) - rank(b) || byTrialThenTask(a, b));
}
