/**
 * Prices model calls with a maintained price library. An unknown price is null, never 0, so that a sum over it does not
 * look like a small bill.
 */

import type { Usage } from '../agents/index.ts';
import type { ModelPrice, ModelSettings } from '../evaluation/index.ts';
import { priceLibrary } from './price-list.ts';
import { providerModel, providerRow } from './providers.ts';
import type { ModelReply } from './reply.ts';

/** A call to price. The served model is looked up first, because a dated name prices an alias exactly. */
export interface PricedCall extends Pick<ModelReply, 'servedModel' | 'usage' | 'usageReported' | 'reportedCostUsd'> {
  readonly provider: string;
  readonly requestedModel: string;
  /** The run's own price, which takes precedence over the provider's and the list's. */
  readonly price?: ModelPrice;
}

const REMEDY = '; give its price with --prices FILE';

/** USD; null when the price is unknown. */
export type PriceCall = (call: PricedCall) => number | null;

/** Returns the cost of a reply or of a failed one in USD: 0 from the response cache, null when it is unknown. */
export function priceReply(
  priceCall: PriceCall,
  { model: { provider, model: requestedModel }, price }: { readonly model: ModelSettings; readonly price?: ModelPrice },
  reply: Pick<PricedCall, 'servedModel' | 'usage' | 'usageReported' | 'reportedCostUsd'> & { readonly cached?: true },
): number | null {
  const { servedModel, usage, usageReported, reportedCostUsd } = reply;
  if (reply.cached === true) return 0;
  return priceCall({ provider, requestedModel, servedModel, usage, usageReported, price, reportedCostUsd });
}

/** @param warn called once per model and reason that it cannot be priced */
export function createPricer(warn: (message: string) => void): PriceCall {
  const warned = new Set<string>();
  const sayOnce = (message: string): null => {
    if (!warned.has(message)) {
      warned.add(message);
      warn(message);
    }
    return null;
  };
  return ({ provider, requestedModel, servedModel, usage, usageReported, price, reportedCostUsd }) => {
    const { prices } = providerRow(provider);
    const model = providerModel(provider, requestedModel);
    if (price !== undefined && usageReported) return priceUsage(price, usage);
    if (reportedCostUsd !== undefined) return roundUsd(reportedCostUsd);
    if (prices.kind === 'free') return 0;
    if (prices.kind === 'unknown')
      return sayOnce(`no prices are known for ${provider}; the costs of ${model} are unknown${REMEDY}`);
    if (!usageReported) return sayOnce(`${provider} reports no token usage for ${model}; its costs are unknown`);
    const cost = lookUp(servedModel, prices.providerId, usage) ?? lookUp(model, prices.providerId, usage);
    return cost ?? sayOnce(`no price is known for ${provider} model ${model}; its costs are unknown${REMEDY}`);
  };
}

export type UnitPrice = Omit<ModelPrice, 'provider' | 'model'>;

/**
 * Number of tokens for which the price is looked up: within the lowest step of prices that rise with a prompt's length.
 */
const SAMPLE = 1_000;

/** Returns the list's price for short prompts in USD per million tokens; null if unknown. */
export function pricePerMillion(provider: string, model: string): UnitPrice | null {
  const { prices } = providerRow(provider);
  if (prices.kind === 'free') return { input: 0, output: 0 };
  if (prices.kind === 'unknown') return null;
  const { providerId } = prices;
  const none = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 };
  const perMillion = (usage: Partial<Usage>): number | null => {
    const usd = lookUp(providerModel(provider, model), providerId, { ...none, ...usage });
    return usd === null ? null : roundUsd((usd * 1e6) / SAMPLE);
  };
  const input = perMillion({ promptTokens: SAMPLE });
  const output = perMillion({ completionTokens: SAMPLE });
  const cachedInput = perMillion({ promptTokens: SAMPLE, cachedTokens: SAMPLE });
  const cacheWrite = perMillion({ promptTokens: SAMPLE, cacheWriteTokens: SAMPLE });
  if (input === null || output === null) return null;
  return {
    input,
    ...(cachedInput === null ? {} : { cachedInput }),
    ...(cacheWrite === null ? {} : { cacheWrite }),
    output,
  };
}

/** Returns the price of a model unless the run sets one; `reported`: the provider reports each reply's cost. */
export function usualPrice(provider: string, model: string): UnitPrice | 'reported' | null {
  return providerRow(provider).reportsCost === true ? 'reported' : pricePerMillion(provider, model);
}

function priceUsage({ input, cachedInput = input, cacheWrite = input, output }: UnitPrice, usage: Usage): number {
  const { cached, written } = cacheParts(usage);
  const millionths =
    (usage.promptTokens - cached - written) * input +
    cached * cachedInput +
    written * cacheWrite +
    usage.completionTokens * output;
  return roundUsd(millionths / 1e6);
}

/**
 * Returns the tokens of the prompt that were read from the provider's cache, and those written to it. Some providers
 * add them to the prompt, against the protocol; they never exceed the prompt here.
 */
function cacheParts({ promptTokens, cachedTokens, cacheWriteTokens = 0 }: Usage) {
  const cached = Math.min(cachedTokens, promptTokens);
  return { cached, written: Math.min(cacheWriteTokens, promptTokens - cached) };
}

/** Rounds to 12 decimals, so that sums of binary fractions stay readable. */
function roundUsd(usd: number): number {
  return Math.round(usd * 1e12) / 1e12;
}

function lookUp(model: string, providerId: string, usage: Usage): number | null {
  const { calcPrice } = priceLibrary();
  try {
    const { cached, written } = cacheParts(usage);
    const result = calcPrice(
      {
        input_tokens: usage.promptTokens,
        cache_read_tokens: cached,
        ...(written === 0 ? {} : { cache_write_tokens: written }),
        output_tokens: usage.completionTokens,
        output_reasoning_tokens: Math.min(usage.reasoningTokens, usage.completionTokens),
      },
      model,
      { providerId },
    );
    return result === null ? null : roundUsd(result.total_price);
  } catch {
    // The library throws if its table cannot price this usage, which means that the price is unknown.
    return null;
  }
}
