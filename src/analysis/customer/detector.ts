/** What a detector of suspicions is given and gives. */

import type { EnvData } from '../../benchmark/index.ts';
import type { AnalyzedEpisode, CustomerFinding, CustomerKind } from '../types.ts';
import type { CustomerTurn } from './conversation.ts';

export interface CustomerView {
  readonly data: EnvData;
  readonly episode: AnalyzedEpisode;
  readonly turns: readonly CustomerTurn[];
}

export type Detector = (view: CustomerView) => CustomerFinding[];

/** Longer words of a customer are cut: the step is named, and the record has all of it. */
const LONGEST_QUOTE = 300;

export function finding(
  kind: CustomerKind,
  severity: CustomerFinding['severity'],
  { step, text }: Pick<CustomerTurn, 'step' | 'text'>,
  sentence: string,
): CustomerFinding {
  const quote = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
  return { kind, severity, step, quote, sentence };
}
