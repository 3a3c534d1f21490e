/**
 * Measures a ranker on the held-out utterances and prints the table of docs/conformance.md:
 *
 *     node --import tsx test/agents/fastworkflow/measure-intents.ts                     the trained classifier
 *     node --import tsx test/agents/fastworkflow/measure-intents.ts lexical             the lexical ranker
 *     node --import tsx test/agents/fastworkflow/measure-intents.ts gpt-6-luna openai   a model and its provider: about 400 short calls
 */

import { rankByWords, classify } from '../../../src/agents/fastworkflow/testing.ts';
import { createModelCaller } from '../../../src/models/index.ts';
import { resolveProvider } from '../../../src/models/providers.ts';
import { COLUMNS, figureRows, measureHeldOut, MEASURED, type Ranker } from './intent-figures.ts';
import { createModelRanker } from './model-ranker.ts';

function chooseRanker(domain: string, [model = 'trained', provider]: readonly string[]): Ranker {
  if (model === 'trained') return classify;
  if (model === 'lexical') return rankByWords;
  if (provider === undefined) throw new Error(`Name the provider of ${model} after it.`);
  return createModelRanker(
    createModelCaller((name) => resolveProvider(name, process.env)),
    { model, provider },
    domain,
  );
}

const line = (cells: readonly string[]) => console.log(`| ${cells.join(' | ')} |`);
line(COLUMNS);
line(COLUMNS.map(() => '---'));
for (const domain of MEASURED) {
  const figures = await measureHeldOut(domain, chooseRanker(domain, process.argv.slice(2)));
  for (const row of figureRows(domain, figures)) line(row);
}
