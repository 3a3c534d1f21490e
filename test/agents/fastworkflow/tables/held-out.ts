/** The held-out sets by domain, and what they consist of. */

import { AIRLINE_HELD_OUT } from './held-out-airline.ts';
import { RETAIL_HELD_OUT } from './held-out-retail.ts';

export interface HeldOut {
  readonly utterances: readonly (readonly [meant: string, utterances: readonly string[]])[];
  /** Words that no command is meant by. */
  readonly none: readonly string[];
  /** Texts of two commands. */
  readonly two: readonly (readonly [utterance: string, oneOf: readonly string[]])[];
}

export const HELD_OUT: Readonly<Record<'retail' | 'airline', HeldOut>> = {
  retail: RETAIL_HELD_OUT,
  airline: AIRLINE_HELD_OUT,
};
