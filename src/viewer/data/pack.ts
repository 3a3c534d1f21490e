/** Builds the data of the page: the overview, and conversations in chunks. One record is in memory at a time. */

import { deflateSync } from 'node:zlib';
import { episodeName, type EpisodeKey } from '../../evaluation/index.ts';
import type { Verdict } from '../../results/judge/index.ts';
import type { EpisodeRow } from '../../run-log/index.ts';
import type { Payload, PayloadChunk, PayloadConversation, EmbeddedRun } from './payload.ts';
import { readEpisodes, type ViewedConversation, type HtmlSubject } from './episodes.ts';
import { overviewOfRun } from './overview.ts';

export interface HtmlOptions {
  /**
   * Address of Temporal UI, such as `http://127.0.0.1:8233`.
   * @default null: no links
   */
  readonly uiUrl?: string | null;
  /** Comparison of several subjects. @default null */
  readonly comparison?: Payload['comparison'] | null;
}

interface PackedPayload {
  readonly payload: Payload;
  /** Chunks in base64, see {@link ChunkPacker}. */
  readonly chunks: readonly string[];
}

/** @throws ResultsError when a log or a file cannot be read */
export async function buildPayload(
  subjects: readonly HtmlSubject[],
  { uiUrl = null, comparison = null }: HtmlOptions = {},
): Promise<PackedPayload> {
  const packer = new ChunkPacker();
  const runs: EmbeddedRun[] = [];
  let asOf: string | null = null;
  for (const subject of subjects) {
    const problems = [...subject.report.problems];
    const rows: EpisodeRow[] = [];
    const verdicts = new Map<string, Verdict>();
    const places = new Map<string, ChunkPlace>();
    for await (const { row, verdict, conversation } of readEpisodes(subject, uiUrl, (text) => problems.push(text))) {
      const name = episodeName(row);
      rows.push(row);
      places.set(name, packer.add(conversation));
      if (verdict !== null) verdicts.set(name, verdict);
      const { endedAt } = row;
      if (endedAt !== undefined && (asOf === null || endedAt > asOf)) asOf = endedAt;
    }
    const { episodes, ...run } = overviewOfRun({ ...subject.report, problems }, rows, verdicts);
    runs.push({ ...run, episodes: episodes.map((episode) => ({ ...episode, ...placeIn(places, episode) })) });
  }
  const { sentences = [], settings = [] } = comparison ?? {};
  return { payload: { version: 1, asOf, runs, comparison: { sentences, settings } }, chunks: packer.finish() };
}

function placeIn(places: ReadonlyMap<string, ChunkPlace>, episode: EpisodeKey): ChunkPlace {
  return places.get(episodeName(episode)) ?? { chunk: 0, place: -1 };
}

/** Size at which a chunk is closed, in characters of JSON. Showing one episode unpacks one chunk. */
const CHUNK_CHARS = 200_000;

interface ChunkPlace {
  readonly chunk: number;
  readonly place: number;
}

/**
 * Packs conversations into chunks: JSON, deflated, in base64. Only the packed form stays in memory, 5 to 10 kB per
 * episode, so a report of thousands of episodes takes tens of megabytes.
 */
class ChunkPacker {
  readonly #packed: string[] = [];
  #prompts: string[] = [];
  #conversations: string[] = [];
  #chars = 0;

  add({ prompts, ...rest }: ViewedConversation): ChunkPlace {
    const conversation: PayloadConversation = { ...rest, prompts: prompts.map((prompt) => this.#indexPrompt(prompt)) };
    const place = { chunk: this.#packed.length, place: this.#conversations.length };
    const text = JSON.stringify(conversation);
    this.#conversations.push(text);
    this.#chars += text.length;
    if (this.#chars >= CHUNK_CHARS) this.#close();
    return place;
  }

  finish(): readonly string[] {
    if (this.#conversations.length > 0) this.#close();
    return this.#packed;
  }

  #indexPrompt(prompt: string): number {
    const at = this.#prompts.indexOf(prompt);
    if (at !== -1) return at;
    this.#chars += prompt.length;
    return this.#prompts.push(prompt) - 1;
  }

  #close(): void {
    const prompts: PayloadChunk['prompts'] = this.#prompts;
    const json = `{"prompts":${JSON.stringify(prompts)},"conversations":[${this.#conversations.join(',')}]}`;
    // Not gzip, because its header names the operating system, and the same log has to give the same bytes everywhere.
    this.#packed.push(deflateSync(json, { level: 9 }).toString('base64'));
    this.#prompts = [];
    this.#conversations = [];
    this.#chars = 0;
  }
}
