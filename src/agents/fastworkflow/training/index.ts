/** Trains the classifiers of this project's own domains, whose phrases and weights are in the domains' folders. */

import type { Catalogue } from '../catalogue/definitions.ts';
import { AIRLINE_PHRASES } from '../catalogue/airline/phrases.ts';
import { catalogueOf } from '../catalogue/index.ts';
import { RETAIL_PHRASES } from '../catalogue/retail/phrases.ts';
import type { ClassifierWeights } from '../understanding/classifier.ts';
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

/**
 * Trains a classifier for a catalogue from outside, with more examples than a workflow has the time for. Commands that one
 * of this project's domains has by the same name, as FastWorkflow's own retail workflow does, get its phrases as well.
 */
export function trainForImport(catalogue: Pick<Catalogue, 'commands'>): ClassifierWeights {
  const shared = (phrases: Phrases) => catalogue.commands.filter(({ name }) => Object.hasOwn(phrases, name)).length;
  const [phrases = {}] = Object.values(DOMAIN_PHRASES).sort((a, b) => shared(b) - shared(a));
  return trainClassifier(catalogue, { phrases, perCommand: 400 });
}
