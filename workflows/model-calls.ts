/** Model calls of one episode: the transcript goes out as deltas, what came back is entered in the books. */

import type { CompletionRequest } from '../src/agents/port.ts';
import { FailureType, type CompleteInput, type CompleteOutput, type EarlierAttempts } from '../src/wire/activities.ts';
import type { ModelConfig } from '../src/wire/config.ts';
import type { EpisodeInput } from '../src/wire/episode.ts';
import { episodeSeed } from '../src/wire/seed.ts';
import type { TranscriptDelta, TranscriptSender } from '../src/wire/transcript.ts';
import type { UsageLedger } from '../src/wire/usage.ts';
import { completesOf } from './activities.ts';
import { earlierAttemptsOf, failureTypeOf } from './failures.ts';

/**
 * Runs a call with what is new in a conversation; where the worker does not know what came before, once more with
 * the whole of it.
 */
export async function sendTranscript<T>(
  sender: TranscriptSender,
  delta: TranscriptDelta,
  call: (delta: TranscriptDelta, earlier?: EarlierAttempts) => Promise<T>,
): Promise<T> {
  try {
    return await call(delta);
  } catch (error) {
    if (failureTypeOf(error) !== FailureType.TranscriptMissing) throw error;
    return await call(sender.whole(delta.thread), earlierAttemptsOf(error));
  }
}

export type ModelCall = (request: CompletionRequest) => Promise<CompleteOutput>;

/** Makes the `complete` of one model (the agent's or the simulated user's). */
export function modelCalls(
  { config, episode, queues }: EpisodeInput,
  model: ModelConfig,
  sender: TranscriptSender,
  ledger: UsageLedger,
): ModelCall {
  const activity = completesOf(queues, model.provider).complete;
  const seed = episodeSeed(config.seed, episode);
  let count = 0;
  return async (request) => {
    count += 1;
    const summary = `${request.role} call ${count}`;
    const input: Omit<CompleteInput, 'transcript' | 'earlier'> = {
      call: `${request.role} ${count}`,
      pack: config.pack,
      split: config.split,
      episode,
      strategy: config.strategy,
      strategyOptions: config.strategyOptions,
      role: request.role,
      model,
      tools: request.tools ?? false,
      format: request.format ?? 'text',
      seed,
      maxRetries: config.maxRetries,
    };
    const delta = sender.next(request.thread, request.messages);
    const output = await sendTranscript(sender, delta, (transcript, earlier) =>
      activity.executeWithOptions({ summary }, [
        { ...input, transcript, ...(earlier === undefined ? {} : { earlier }) },
      ]),
    );
    ledger.enter(request.role, output);
    return output;
  };
}
