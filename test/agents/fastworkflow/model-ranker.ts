/** Ranks commands with a model, as `--intent-ranker llm` does in an episode. */

import { fastWorkflow } from '../../../src/agents/fastworkflow/index.ts';
import { askRanker } from '../../../src/agents/fastworkflow/testing.ts';
import type { RankedCommand } from '../../../src/agents/fastworkflow/public.ts';
import type { CallModel } from '../../../src/models/index.ts';
import { completion, expandRef, fakeSession, OPTIONS, toAsked } from '../fake-session.ts';

export interface RankerModel {
  readonly provider: string;
  readonly model: string;
}

/** A reply that cannot be read ranks nothing: the classifier, which an episode falls back on, is not what is measured. */
export function createModelRanker(
  callModel: CallModel,
  { provider, model }: RankerModel,
  env: string,
): (utterance: string) => Promise<readonly RankedCommand[]> {
  let calls = 0;
  const session = {
    ...fakeSession({ replies: [], strategy: fastWorkflow, env }),
    async complete(request: Parameters<typeof toAsked>[0]) {
      const asked = toAsked(request, (ref) => expandRef(ref, env, fastWorkflow, OPTIONS));
      const messages = asked.messages.map(({ role, content }) => ({
        role: role === 'system' ? ('system' as const) : ('user' as const),
        content: content ?? '',
      }));
      const reply = await callModel(
        {
          provider,
          model,
          temperature: 0,
          messages,
          idempotencyKey: `intents-${String(calls++)}`,
          ...(request.format === undefined ? {} : { format: request.format }),
        },
        { timeoutMs: 120_000 },
      );
      return completion(reply.message.content);
    },
  };
  return async (utterance) => (await askRanker({ session, options: OPTIONS }, utterance)) ?? [];
}
