/** The models that the server plays. */

import { RequestProblem } from './reply.ts';

export const MODELS = ['oracle', 'oracle:0.8', 'oracle+natural', 'oracle:0.8+natural'] as const;

/**
 * How the FastWorkflow agent words its commands: `exact`, name and XML tags throughout, or `natural`, in the many
 * ways in which models word them.
 */
export type Wording = 'exact' | 'natural';

export interface ScriptedVariant {
  /** Chance in [0, 1] that an episode succeeds. */
  readonly rate: number;
  readonly wording: Wording;
}

const ORACLE = /^oracle(?<rate>:[^+]*)?(?<natural>\+natural)?$/;

/**
 * What a model's name asks for: `oracle`, `oracle:0.8`, `oracle+natural`, `oracle:0.8+natural`.
 *
 * Any other name is played perfectly and exactly as well, so that programs that insist on a name they know a price
 * for can be run against the server. A prefix up to the last `/` is a provider's and does not count.
 * @throws RequestProblem for an `oracle` with something else behind it
 */
export function readModelName(model: string): ScriptedVariant {
  const name = model.slice(model.lastIndexOf('/') + 1);
  if (!/^oracle(?:$|[:+])/.test(name)) return { rate: 1, wording: 'exact' };
  const { rate, natural } = ORACLE.exec(name)?.groups ?? {};
  const wording = natural === undefined ? 'exact' : 'natural';
  if (rate === undefined && (name === 'oracle' || natural !== undefined)) return { rate: 1, wording };
  const text = rate?.slice(1) ?? '';
  if (/^(?:\d+\.?\d*|\.\d+)$/.test(text) && Number(text) <= 1) return { rate: Number(text), wording };
  throw new RequestProblem(
    404,
    'model_not_found',
    `There is no scripted model ${model}; use oracle, or oracle:RATE with a success rate from 0 to 1, ` +
      'each with or without +natural behind it.',
    'model',
  );
}
