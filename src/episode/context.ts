/** Parts that all calls of an episode share. */

import type { TranscriptSender } from '../evaluation/index.ts';
import type { CallHolder } from './call-holder.ts';
import type { EpisodeInput } from './input.ts';
import type { EpisodePorts } from './ports.ts';
import type { UsageLedger } from './usage.ts';

export interface EpisodeContext {
  readonly input: EpisodeInput;
  readonly ports: EpisodePorts;
  readonly sender: TranscriptSender;
  readonly ledger: UsageLedger;
  /** Keeps calls that fail for their provider's sake; undefined in an episode without a sweep, whose failures end it. */
  readonly holder?: CallHolder | undefined;
}
