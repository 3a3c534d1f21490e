/**
 * Model calls of an agent that is a service: each is the activity `forward`, held as any model call of an episode is.
 * Requests stand in the history once, as those of Updates, and replies once, as results of the activity.
 */

import { setHandler } from '@temporalio/workflow';
import type { CallRole, Completion } from '../src/agents/index.ts';
import {
  EMPTY_CHAIN,
  applyDelta,
  fairnessKey,
  givenPrice,
  type ModelSettings,
  type TranscriptChain,
  type TranscriptDelta,
  type TranscriptSender,
} from '../src/evaluation/index.ts';
import type { ForwardOutput, ModelCallRequest, ModelCallResult, Recorded } from '../src/agent-service/pure.ts';
import type { EpisodeInput, UsageLedger } from '../src/episode/index.ts';
import { proxyModelCalls } from './activities.ts';
import { callTranscript } from './messages.ts';
import { enteringFailed, holdableCall, type CallHolder } from './model-calls.ts';

/** Parts of an episode that its agent, a service, works with. */
export interface ServiceContext {
  readonly input: EpisodeInput;
  readonly sender: TranscriptSender;
  readonly ledger: UsageLedger;
  readonly holder: CallHolder | undefined;
}

/** Parts that an agent's costs are split by. */
const MOST_ROLES = 20;

export class ForwardedCalls {
  readonly #context: ServiceContext;
  /** Conversations as the gateways have sent them, by thread. */
  readonly #threads = new Map<string, TranscriptChain>();
  /** Conversations of the calls under way, by call, for workers that do not have them. */
  readonly #underWay = new Map<string, TranscriptDelta>();
  #count = 0;
  readonly #roles = new Set<string>();

  /** Must be called before the workflow's first await, so that no query comes too early. */
  constructor(context: ServiceContext) {
    this.#context = context;
    setHandler(callTranscript, (call) => this.#underWay.get(call) ?? null);
  }

  /** Calls that were made. */
  get count(): number {
    return this.#count;
  }

  /** Enters a call's conversation. @returns undefined when the beginning is not known, which a new gateway cannot know */
  enter({ transcript }: ModelCallRequest): TranscriptChain | undefined {
    const chain = applyDelta(this.#threads.get(transcript.thread) ?? EMPTY_CHAIN, transcript);
    if (chain !== undefined) this.#threads.set(transcript.thread, chain);
    return chain;
  }

  /**
   * @param model answers the call
   * @param keep is given the reply, under the call's name
   */
  async make(
    { wire, role, transcript: { thread } }: ModelCallRequest,
    model: ModelSettings,
    { items, digests }: TranscriptChain,
    spend: (completion: Pick<Completion, 'usage' | 'costUsd'>) => void,
    keep: (call: string, reply: ModelCallResult) => void,
  ): Promise<Recorded> {
    const { input, ledger, holder } = this.#context;
    const { run, config, episode, queues } = input;
    this.#count += 1;
    const call = `agent ${this.#count}`;
    const price = givenPrice(config, model);
    const priority = { fairnessKey: fairnessKey(run.runId) };
    const activity = proxyModelCalls(queues, model.provider, config).forward;
    const transcript = { thread, keep: items.length, digest: digests.at(-1) ?? '', items: [] };
    this.#underWay.set(call, { thread, keep: 0, digest: '', items });
    try {
      const output = await holdableCall(holder, { call, provider: model.provider }, (held): Promise<ForwardOutput> => {
        const making = activity.executeWithOptions(
          { summary: `agent call ${call.slice(6)}: ${model.model}`, priority },
          [
            {
              ...{ call, episode, wire, model, transcript },
              maxRetries: held === undefined ? config.maxRetries : 0,
              ...(price === undefined ? {} : { price }),
              ...(config.responseCache === undefined ? {} : { cache: config.responseCache }),
              ...(held === undefined ? {} : { earlier: held }),
            },
          ],
        );
        return enteringFailed(ledger, this.#roleOf(role), making);
      });
      ledger.enterForwarded(this.#roleOf(role), output);
      spend(output);
      const { status, body } = output;
      keep(call, { status, body });
      return { recorded: call };
    } finally {
      this.#underWay.delete(call);
    }
  }

  /** Parts of an agent beyond the first ones count as the agent. */
  #roleOf(role: string | undefined): CallRole {
    if (role === undefined || (!this.#roles.has(role) && this.#roles.size === MOST_ROLES)) return 'agent';
    this.#roles.add(role);
    return `agent/${role}`;
  }
}
