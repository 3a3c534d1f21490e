/**
 * Model calls of an agent service. Each is the activity `forward`, and is held like any model call. The history
 * contains each request once, in an update, and each reply once, as the activity's result.
 */

import type { CallRole, Completion } from '../agents/index.ts';
import {
  EMPTY_CHAIN,
  applyDelta,
  givenPrice,
  type ModelSettings,
  type TranscriptChain,
  type TranscriptDelta,
} from '../evaluation/index.ts';
import type { ForwardOutput, ModelCallRequest, ModelCallResult, RecordedResult } from '../agent-service/pure.ts';
import type { EpisodeContext } from './context.ts';
import { enteringFailed, holdableCall } from './model-calls.ts';

/** Most parts of an agent with separate costs. */
const MOST_ROLES = 20;

export class ForwardedCalls {
  readonly #context: EpisodeContext;
  /** Conversations from the gateways, by thread. */
  readonly #threads = new Map<string, TranscriptChain>();
  /** Conversations of open calls by the calls' names, for workers that lack them. */
  readonly #underWay = new Map<string, TranscriptDelta>();
  #count = 0;
  readonly #roles = new Set<string>();

  constructor(context: EpisodeContext) {
    this.#context = context;
  }

  /** Number of calls that were made. */
  get count(): number {
    return this.#count;
  }

  /** Returns the whole conversation of an open call; null if there is no such call. */
  findTranscript(call: string): TranscriptDelta | null {
    return this.#underWay.get(call) ?? null;
  }

  /** Records a call's conversation. @returns undefined if its beginning is unknown, as for a new gateway */
  enter({ transcript }: ModelCallRequest): TranscriptChain | undefined {
    const chain = applyDelta(this.#threads.get(transcript.thread) ?? EMPTY_CHAIN, transcript);
    if (chain !== undefined) this.#threads.set(transcript.thread, chain);
    return chain;
  }

  /**
   * @param model model that answers the call
   * @param keep stores the reply, under the call's name
   */
  async make(
    { wire, role: part, transcript: { thread } }: ModelCallRequest,
    model: ModelSettings,
    { items, digests }: TranscriptChain,
    spend: (completion: Pick<Completion, 'usage' | 'costUsd'>) => void,
    keep: (call: string, reply: ModelCallResult) => void,
  ): Promise<RecordedResult> {
    const { input, ledger, ports } = this.#context;
    const { config, episode } = input;
    this.#count += 1;
    const call = `agent ${this.#count}`;
    const summary = `agent call ${this.#count}: ${model.model}`;
    const price = givenPrice(config, model);
    const transcript = { thread, keep: items.length, digest: digests.at(-1) ?? '', items: [] };
    const common = { call, episode, wire, model, transcript, price, cache: config.responseCache };
    this.#underWay.set(call, { thread, keep: 0, digest: '', items });
    try {
      const place = { call, provider: model.provider };
      const output = await holdableCall(this.#context, place, (held): Promise<ForwardOutput> => {
        const maxRetries = held === undefined ? config.maxRetries : 0;
        const making = ports.activities.forward(summary, { ...common, maxRetries, earlier: held });
        return enteringFailed(this.#context, this.#toRole(part), making);
      });
      ledger.enterForwarded(this.#toRole(part), output);
      spend(output);
      const { status, body } = output;
      keep(call, { status, body });
      return { recorded: call };
    } finally {
      this.#underWay.delete(call);
    }
  }

  /** Returns the role of a part of the agent; further parts have the agent's role. */
  #toRole(part: string | undefined): CallRole {
    if (part === undefined || (!this.#roles.has(part) && this.#roles.size === MOST_ROLES)) return 'agent';
    this.#roles.add(part);
    return `agent/${part}`;
  }
}
