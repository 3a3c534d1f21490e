/** The models that the server plays. */

import { RequestProblem } from './reply.ts';

export const MODELS = ['oracle', 'oracle:0.8'] as const;

/**
 * The success rate that a model's name asks for: 1 for `oracle`, 0.8 for `oracle:0.8`.
 *
 * Any other name is played perfectly as well, so that programs that insist on a name they know a price for can be
 * run against the server. A prefix up to the last `/` is a provider's and does not count.
 * @throws RequestProblem for an `oracle:` with something else than a number from 0 to 1 behind it
 */
export function successRateOf(model: string): number {
  const name = model.slice(model.lastIndexOf('/') + 1);
  if (!name.startsWith('oracle:')) return 1;
  const text = name.slice('oracle:'.length);
  const rate = Number(text);
  if (/^(?:\d+\.?\d*|\.\d+)$/.test(text) && rate <= 1) return rate;
  throw new RequestProblem(
    404,
    'model_not_found',
    `There is no scripted model ${model}; use oracle, or oracle:RATE with a success rate from 0 to 1.`,
    'model',
  );
}
