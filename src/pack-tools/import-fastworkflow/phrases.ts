/** Training phrases of the program's own domains, in the language of `training/templates.ts`. None is a held-out utterance. */

import airline from '#data/airline/intent-phrases.json' with { type: 'json' };
import retail from '#data/retail/intent-phrases.json' with { type: 'json' };
import type { Phrases } from '../../agents/fastworkflow/public.ts';

/** A domain's file: its commands' phrases, and the words that a phrase or another word names as `<word>`. */
interface PhraseFile {
  readonly words: Readonly<Record<string, string>>;
  readonly commands: Phrases;
}

export const DOMAIN_PHRASES: Readonly<Record<'retail' | 'airline', Phrases>> = {
  retail: phrasesOf(retail),
  airline: phrasesOf(airline),
};

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
