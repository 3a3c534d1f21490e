/** Model calls of an agent that is a service: each is the activity `forward`, held as any model call of an episode is. */

import type { Completion } from '../src/agents/index.ts';
import {
  EMPTY_CHAIN,
  applyDelta,
  fairnessKey,
  givenPrice,
  servedModelOf,
  type EpisodeInput,
  type ForwardOutput,
  type ModelCallRequest,
  type ModelCallResult,
  type TranscriptChain,
  type TranscriptDelta,
  type TranscriptSender,
  type UsageLedger,
} from '../src/wire/index.ts';
import { proxyModelCalls } from './activities.ts';
import { earlierAttemptsOf, failureTypeOf } from './failures.ts';
import { holdableCall, type CallHolder } from './model-calls.ts';

/** Parts of an episode that its agent, a service, works with. */
export interface ServiceContext {
  readonly input: EpisodeInput;
  readonly sender: TranscriptSender;
  readonly ledger: UsageLedger;
  readonly holder: CallHolder | undefined;
}

export class ForwardedCalls {
  readonly #context: ServiceContext;
  /** Conversations as the gateways have sent them, by thread. */
  readonly #threads = new Map<string, TranscriptChain>();
  #count = 0;

  constructor(context: ServiceContext) {
    this.#context = context;
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

  async make(
    { wire, model: asked, transcript }: ModelCallRequest,
    spend: (completion: Pick<Completion, 'usage' | 'costUsd'>) => void,
  ): Promise<ModelCallResult> {
    const { input, ledger, holder } = this.#context;
    const { run, config, episode, queues } = input;
    this.#count += 1;
    const call = `agent ${this.#count}`;
    const model = servedModelOf(config, asked);
    const price = givenPrice(config, model);
    const priority = { fairnessKey: fairnessKey(run.runId) };
    const activity = proxyModelCalls(queues, model.provider, config).forward;
    const whole = (this.#threads.get(transcript.thread) ?? EMPTY_CHAIN).items;
    const output = await holdableCall(holder, { call, provider: model.provider }, async (held) => {
      const send = (delta: TranscriptDelta, earlier = held): Promise<ForwardOutput> =>
        activity.executeWithOptions({ summary: `agent call ${call.slice(6)}: ${model.model}`, priority }, [
          {
            ...{ call, episode, wire, model, transcript: delta },
            maxRetries: held === undefined ? config.maxRetries : 0,
            ...(price === undefined ? {} : { price }),
            ...(earlier === undefined ? {} : { earlier }),
          },
        ]);
      try {
        return await send(transcript);
      } catch (error) {
        if (failureTypeOf(error) !== 'TranscriptMissing') throw error;
        return await send({ thread: transcript.thread, keep: 0, digest: '', items: whole }, earlierAttemptsOf(error));
      }
    });
    ledger.enterForwarded('agent', output);
    spend(output);
    const { status, body } = output;
    return { status, body };
  }
}
