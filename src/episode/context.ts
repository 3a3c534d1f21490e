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
  /**
   * Holder of calls that fail because of their provider; undefined in an episode without a sweep, which such a failure
   * ends.
   */
  readonly holder?: CallHolder | undefined;
}
