/** One tiny call of a model, to see that key, address and model fit together. */

import { ModelCallError, createModelCaller, createPricer } from '../../models/index.ts';
import { ProviderError, defaultTokenCap, resolveProvider } from '../../models/providers.ts';
import type { ModelSettings } from '../../wire/index.ts';
import type { CliContext } from '../context.ts';
import { UsageError } from '../../errors/index.ts';
import { impliedProvider, usualModel } from '../run/models.ts';
import type { Finding } from './finding.ts';

export interface WantedCall {
  readonly modelProvider?: string;
  readonly model?: string;
}

/** Long enough for a model that thinks before it greets. */
const TIMEOUT_MS = 60_000;

/**
 * @returns null when no call was asked for
 * @throws UsageError for an unknown provider, or half of a name
 */
export function askedModel({ modelProvider, model }: WantedCall): ModelSettings | null {
  if (model === undefined && modelProvider === undefined) return null;
  if (model === undefined) throw new UsageError(`--model-provider ${modelProvider} needs a --model to ask.`);
  const provider = modelProvider ?? impliedProvider(model);
  if (provider === undefined) throw new UsageError(`--model ${model} needs a --model-provider.`);
  return usualModel('--model-provider', provider, model);
}

/** Never rejects: what goes wrong is the finding. */
export async function tryModel({ provider, model, temperature }: ModelSettings, context: CliContext): Promise<Finding> {
  const subject = `model ${provider}/${model}`;
  const callModel = createModelCaller((name) => resolveProvider(name, context.env));
  const messages = [{ role: 'user', content: 'Say hello.' }] as const;
  const cap = defaultTokenCap(provider, model, 'agent');
  const capped = cap === null ? {} : { maxCompletionTokens: cap };
  const request = { provider, model, messages, temperature, ...capped, idempotencyKey: `doctor/${Date.now()}` };
  try {
    const { servedModel, usage, usageReported, latencyMs } = await callModel(request, { timeoutMs: TIMEOUT_MS });
    const price = createPricer(() => undefined);
    const costUsd = price({ provider, requestedModel: model, servedModel, usage, usageReported });
    const cost = costUsd === null ? 'of unknown price' : `for $${costUsd}`;
    const tokens = `${usage.promptTokens} tokens in, ${usage.completionTokens} out`;
    return { subject, state: 'ok', message: `answers in ${latencyMs} ms as ${servedModel}: ${tokens}, ${cost}` };
  } catch (error) {
    if (error instanceof ModelCallError) {
      return { subject, state: 'problem', message: `${error.failure.type}: ${error.failure.message}` };
    }
    if (error instanceof ProviderError) return { subject, state: 'problem', message: error.message };
    throw error;
  }
}
