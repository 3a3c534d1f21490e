/** Training phrases of the program's own domains, in the language of `training/templates.ts`. None is a held-out utterance. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Phrases } from '../../agents/fastworkflow/public.ts';
import { fastWorkflowData } from '../../benchmarks/fastworkflow.ts';

/** A domain's file: its commands' phrases, and the words that a phrase or another word names as `<word>`. */
interface PhraseFile {
  readonly words: Readonly<Record<string, string>>;
  readonly commands: Phrases;
}

/** Phrases by domain, with those of the commands that it shares with another domain. */
export const DOMAIN_PHRASES: ReadonlyMap<string, Phrases> = new Map(
  Object.keys(fastWorkflowData).map((domain) => [domain, readPhrases(domain)]),
);

function readPhrases(domain: string): Phrases {
  const { folder, sharedWith } = fastWorkflowData[domain] ?? {};
  const path = fileURLToPath(import.meta.resolve(`#data/${folder ?? domain}/intent-phrases.json`));
  const shared = sharedWith === undefined ? {} : readPhrases(sharedWith);
  return { ...shared, ...phrasesOf(JSON.parse(readFileSync(path, 'utf8')) as PhraseFile) };
}

function phrasesOf({ words, commands }: PhraseFile): Phrases {
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
