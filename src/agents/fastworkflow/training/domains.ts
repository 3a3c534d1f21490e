/** Trains the classifiers of this project's own domains, whose weights are kept in `understanding/weights/`. */

import { catalogueOf } from '../catalogue/index.ts';
import type { ClassifierWeights } from '../understanding/classifier.ts';
import { AIRLINE_PHRASES } from './phrases/airline.ts';
import { RETAIL_PHRASES } from './phrases/retail.ts';
import type { Phrases } from './phrases/shared.ts';
import { trainClassifier } from './train.ts';

export const DOMAIN_PHRASES: Readonly<Record<'retail' | 'airline', Phrases>> = {
  retail: RETAIL_PHRASES,
  airline: AIRLINE_PHRASES,
};

export type TrainedDomain = keyof typeof DOMAIN_PHRASES;

export function trainDomain(domain: TrainedDomain): ClassifierWeights {
  const foreign = Object.entries(DOMAIN_PHRASES).flatMap(([other, phrases]) => (other === domain ? [] : [phrases]));
  return trainClassifier(catalogueOf(domain), { phrases: DOMAIN_PHRASES[domain], foreign, perCommand: 800 });
}
