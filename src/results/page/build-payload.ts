/** Builds the data of the page: the overview, and conversations in chunks. One record is in memory at a time. */

import { deflateSync } from 'node:zlib';
import { isSuspect } from '../../analysis/index.ts';
import { RESPOND } from '../../benchmark/index.ts';
import { byTrialThenTask } from '../log/index.ts';
import type { Payload, PayloadChunk, PayloadConversation, PayloadEpisode, PayloadRun } from './payload.ts';
import { episodesOf, type Conversation, type HtmlSubject, type ReadEpisode } from './episodes.ts';

export interface HtmlOptions {
  /**
   * Where Temporal UI is, such as `http://127.0.0.1:8233`.
   * @default null: no links
   */
  readonly uiUrl?: string | null;
  /**
   * Summary of the comparison of several subjects, one sentence each.
   * @default none
   */
  readonly comparison?: readonly string[];
}

interface PackedPayload {
  readonly payload: Payload;
  /** In base64, see {@link ChunkPacker}. */
  readonly chunks: readonly string[];
}

/** @throws ResultsError when a log or a file cannot be read */
export async function buildPayload(
  subjects: readonly HtmlSubject[],
  { uiUrl = null, comparison = [] }: HtmlOptions = {},
): Promise<PackedPayload> {
  const packer = new ChunkPacker();
  const runs: PayloadRun[] = [];
  let asOf: string | null = null;
  for (const subject of subjects) {
    const problems = [...subject.report.problems];
    const episodes: NamedEpisode[] = [];
    for await (const episode of episodesOf(subject, uiUrl, (sentence) => problems.push(sentence))) {
      episodes.push({ ...overviewOf(episode), ...packer.add(episode.conversation) });
      const { endedAt } = episode;
      if (endedAt !== null && (asOf === null || endedAt > asOf)) asOf = endedAt;
    }
    const { report } = subject;
    runs.push({
      subject: report.subject,
      metrics: report.metrics,
      remarks: report.remarks,
      problems,
      leaderboardRow: report.leaderboardRow,
      notes: report.notes,
      ...withToolsByPlace(episodes.sort(byTrialThenTask)),
    });
  }
  return { payload: { version: 1, asOf, runs, comparison }, chunks: packer.finish() };
}

/** An episode with the names of its tools. */
interface NamedEpisode extends Omit<PayloadEpisode, 'tools'> {
  readonly tools: readonly string[];
}

function overviewOf({ row, analysis, verdict, conversation }: ReadEpisode): Omit<NamedEpisode, 'chunk' | 'place'> {
  const { taskId, trial, reward, outcome, steps, turns, costUsd, durationMs, error } = row;
  const called = conversation.steps.flatMap(({ name }) => (name === RESPOND ? [] : [name]));
  return {
    ...{ taskId, trial, reward, outcome, steps, turns, costUsd, durationMs, error },
    faults: (analysis?.faults ?? []).map(({ kind, faultType, step }) => ({ kind, faultType, step })),
    userFaults: (analysis?.customer ?? []).map(({ kind }) => kind),
    isSuspect: analysis !== null && isSuspect(analysis),
    verdict: verdict === null ? null : { author: verdict.author, faultType: verdict.faultType },
    tools: [...new Set(called)],
  };
}

function withToolsByPlace(episodes: readonly NamedEpisode[]): Pick<PayloadRun, 'tools' | 'episodes'> {
  const tools = [...new Set(episodes.flatMap((episode) => episode.tools))].sort();
  return {
    tools,
    episodes: episodes.map((episode) => ({ ...episode, tools: episode.tools.map((tool) => tools.indexOf(tool)) })),
  };
}

/** A chunk is closed when its JSON has about this many characters: what is unpacked to show one episode. */
const CHUNK_CHARS = 200_000;

interface Place {
  readonly chunk: number;
  readonly place: number;
}

/**
 * Packs conversations into chunks: JSON, deflated, in base64. Only the packed form is kept, 5 to 10 kB an episode, so that
 * a report of thousands of episodes takes tens of megabytes and not gigabytes.
 */
class ChunkPacker {
  readonly #packed: string[] = [];
  #prompts: string[] = [];
  #conversations: string[] = [];
  #chars = 0;

  add({ prompts, ...rest }: Conversation): Place {
    const conversation: PayloadConversation = { ...rest, prompts: prompts.map((prompt) => this.#placeOf(prompt)) };
    const place = { chunk: this.#packed.length, place: this.#conversations.length };
    const text = JSON.stringify(conversation);
    this.#conversations.push(text);
    this.#chars += text.length;
    if (this.#chars >= CHUNK_CHARS) this.#close();
    return place;
  }

  /** The chunks in base64, in order. */
  finish(): readonly string[] {
    if (this.#conversations.length > 0) this.#close();
    return this.#packed;
  }

  #placeOf(prompt: string): number {
    const at = this.#prompts.indexOf(prompt);
    if (at !== -1) return at;
    this.#chars += prompt.length;
    return this.#prompts.push(prompt) - 1;
  }

  #close(): void {
    const prompts: PayloadChunk['prompts'] = this.#prompts;
    const json = `{"prompts":${JSON.stringify(prompts)},"conversations":[${this.#conversations.join(',')}]}`;
    // Not gzip: its header names the operating system, and the same log is to give the same bytes everywhere.
    this.#packed.push(deflateSync(json, { level: 9 }).toString('base64'));
    this.#prompts = [];
    this.#conversations = [];
    this.#chars = 0;
  }
}
