/** Trains the classifiers of the program's own domains: `node --import tsx src/build/make-weights.ts`. */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { catalogueOf, trainClassifier, type Phrases } from '../agents/fastworkflow/public.ts';
import { fastWorkflowData } from '../benchmarks/fastworkflow.ts';
import { getBenchmark } from '../benchmarks/index.ts';

/** A domain's training phrases, in the language of `training/templates.ts`. None is a held-out utterance. */
interface PhraseFile {
  /** Words for placeholders `<word>` in phrases and in other words. */
  readonly words: Readonly<Record<string, string>>;
  readonly commands: Phrases;
}

/** Phrases by domain, including the phrases of commands that the domain shares with another one. */
export const DOMAIN_PHRASES: ReadonlyMap<string, Phrases> = new Map(
  Object.keys(fastWorkflowData).map((domain) => [domain, readPhrases(domain)]),
);

function readPhrases(domain: string): Phrases {
  const { sharedWith } = fastWorkflowData[domain] ?? {};
  const shared = sharedWith === undefined ? {} : readPhrases(sharedWith);
  return { ...shared, ...toPhrases(JSON.parse(readFileSync(dataFile(domain, 'phrases'), 'utf8')) as PhraseFile) };
}

function dataFile(domain: string, kind: 'phrases' | 'weights'): URL {
  return new URL(`../../data/${fastWorkflowData[domain]?.folder ?? domain}/intent-${kind}.json`, import.meta.url);
}

function toPhrases({ words, commands }: PhraseFile): Phrases {
  const write = (text: string): string =>
    text.replace(/<(\w+)>/g, (_, name: string) => {
      const word = words[name];
      if (word === undefined) throw new Error(`the phrases have no word <${name}>`);
      return write(word);
    });
  return Object.fromEntries(
    Object.entries(commands).map(([name, { do: imperatives, say }]) => [
      name,
      { do: imperatives.map(write), say: say.map(write) },
    ]),
  );
}

export function weightsFile(domain: string): URL {
  return dataFile(domain, 'weights');
}

/** Returns the text of the weights' file: JSON, with one row per line. */
export function weightsText(domain: string): string {
  const foreign = [...DOMAIN_PHRASES].flatMap(([other, phrases]) =>
    other === domain || getBenchmark(other) !== getBenchmark(domain) ? [] : [phrases],
  );
  const phrases = DOMAIN_PHRASES.get(domain) ?? {};
  const { commands, step, rows } = trainClassifier(catalogueOf(domain), { phrases, foreign, perCommand: 800 });
  const lines = Object.entries(rows).map(([feature, row]) => `${JSON.stringify(feature)}:${JSON.stringify(row)}`);
  return `{"commands":${JSON.stringify(commands)},"step":${String(step)},"rows":{\n${lines.join(',\n')}\n}}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const domain of DOMAIN_PHRASES.keys()) {
    writeFileSync(weightsFile(domain), weightsText(domain));
  }
}
