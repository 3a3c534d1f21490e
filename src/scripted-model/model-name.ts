/** The models that the server plays. */

import { RequestProblem } from './reply.ts';

export const MODELS = ['oracle', 'oracle:0.8', 'oracle+natural', 'oracle:0.8+natural', 'oracle+careless:0.2'] as const;

/**
 * How the FastWorkflow agent words its commands: `exact`, name and XML tags throughout, or `natural`, in the many
 * ways in which models word them.
 */
export type Wording = 'exact' | 'natural';

export interface ScriptedVariant {
  /** Chance in [0, 1] that an episode succeeds. */
  readonly rate: number;
  readonly wording: Wording;
  /** Share in [0, 1] of the episodes in which the customer misbehaves. */
  readonly careless: number;
}

const PLAIN: ScriptedVariant = { rate: 1, wording: 'exact', careless: 0 };
const ORACLE = /^oracle(?::(?<rate>[^+]*))?(?<natural>\+natural)?(?:(?<careless>\+careless)(?::(?<share>[^+]*))?)?$/;
/** Of the episodes, where a careless customer's name does not say. */
const CARELESS = 0.2;

/**
 * What a model's name asks for: `oracle`, `oracle:0.8`, `oracle+natural`, `oracle:0.8+natural`, and each with
 * `+careless` or `+careless:0.3` behind it, which is for customers.
 *
 * Any other name is played perfectly and exactly as well, so that programs that insist on a name they know a price
 * for can be run against the server. A prefix up to the last `/` is a provider's and does not count.
 * @throws RequestProblem for an `oracle` with something else behind it
 */
export function readModelName(model: string): ScriptedVariant {
  const name = model.slice(model.lastIndexOf('/') + 1);
  if (!/^oracle(?:$|[:+])/.test(name)) return PLAIN;
  const parts = ORACLE.exec(name)?.groups;
  const { rate, natural, careless, share } = parts ?? {};
  if (parts !== undefined && isShare(rate) && isShare(share)) {
    return {
      rate: Number(rate ?? PLAIN.rate),
      wording: natural === undefined ? 'exact' : 'natural',
      careless: careless === undefined ? 0 : Number(share ?? CARELESS),
    };
  }
  throw new RequestProblem(
    404,
    'model_not_found',
    `There is no scripted model ${model}; use oracle, or oracle:RATE with a success rate from 0 to 1, ` +
      'each with or without +natural behind it, and +careless or +careless:SHARE for a customer who misbehaves.',
    'model',
  );
}

/** Absent: one. */
function isShare(text: string | undefined): boolean {
  return text === undefined || (/^(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) && Number(text) <= 1);
}
