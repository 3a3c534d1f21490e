/** Trains classifiers with the phrases of the program's own domains: theirs, and those of imported workflows. */

import { benchmarkOf } from '../../benchmarks/index.ts';
import {
  catalogueOf,
  trainClassifier,
  type Catalogue,
  type ClassifierWeights,
  type Phrases,
} from '../../agents/fastworkflow/public.ts';
import { DOMAIN_PHRASES } from './phrases.ts';

/** @param domain one of {@link DOMAIN_PHRASES} */
export function trainDomain(domain: string): ClassifierWeights {
  const foreign = [...DOMAIN_PHRASES].flatMap(([other, phrases]) =>
    other === domain || benchmarkOf(other) !== benchmarkOf(domain) ? [] : [phrases],
  );
  return trainClassifier(catalogueOf(domain), { phrases: DOMAIN_PHRASES.get(domain) ?? {}, foreign, perCommand: 800 });
}

/**
 * Trains a classifier for a catalogue from outside, with more examples than a workflow has the time for. Commands that one
 * of this project's domains has by the same name, as FastWorkflow's own retail workflow does, get its phrases as well.
 */
export function trainForImport(catalogue: Pick<Catalogue, 'commands'>): ClassifierWeights {
  const shared = (phrases: Phrases) => catalogue.commands.filter(({ name }) => Object.hasOwn(phrases, name)).length;
  const [phrases = {}] = [...DOMAIN_PHRASES.values()].sort((a, b) => shared(b) - shared(a));
  return trainClassifier(catalogue, { phrases, perCommand: 400 });
}
