/**
 * The default classifier of a run. It uses the weights that were trained for the catalogue's commands. If there are
 * none, it trains weights from the catalogue's own texts at its first use, which takes a tenth of a second for fifteen
 * commands.
 */

import { fastWorkflowData } from '../../../benchmarks/fastworkflow.ts';
import type { Catalogue } from '../catalogue/definitions.ts';
import { trainClassifier } from '../training/train.ts';
import { createClassifier, type ClassifierWeights } from './classifier.ts';
import { rankByWords } from './matching.ts';
import type { IntentClassifier } from './types.ts';

/**
 * Most commands for training within a workflow, because training takes time; for more commands, the lexical ranker is
 * used.
 */
const MOST_COMMANDS = 40;

export const classify: IntentClassifier = (utterance, catalogue) => findClassifier(catalogue)(utterance, catalogue);

const classifiers = new WeakMap<Catalogue['commands'], IntentClassifier>();

function findClassifier({ commands }: Catalogue): IntentClassifier {
  if (commands.length === 0 || commands.length > MOST_COMMANDS) return rankByWords;
  const made = classifiers.get(commands);
  if (made !== undefined) return made;
  const classifier = createClassifier(findWeights(commands) ?? trainClassifier({ commands }));
  classifiers.set(commands, classifier);
  return classifier;
}

/** Finds the weights that were trained for exactly the catalogue's commands. */
function findWeights(commands: Catalogue['commands']): ClassifierWeights | undefined {
  const names = commands.map(({ name }) => name).join(' ');
  const trained = Object.values(fastWorkflowData).map(({ weights }) => weights);
  return trained.find((weights) => weights.commands.join(' ') === names);
}
