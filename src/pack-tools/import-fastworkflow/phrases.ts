/** Training phrases of the program's own domains, in the language of `training/templates.ts`. None is a held-out utterance. */

import airline from '#data/airline/intent-phrases.json' with { type: 'json' };
import retail from '#data/retail/intent-phrases.json' with { type: 'json' };
import tau3Airline from '#data/tau3/airline/intent-phrases.json' with { type: 'json' };
import tau3Retail from '#data/tau3/retail/intent-phrases.json' with { type: 'json' };
import telecom from '#data/tau3/telecom/intent-phrases.json' with { type: 'json' };
import type { Phrases } from '../../agents/fastworkflow/public.ts';

/** A domain's file: its commands' phrases, and the words that a phrase or another word names as `<word>`. */
interface PhraseFile {
  readonly words: Readonly<Record<string, string>>;
  readonly commands: Phrases;
}

type PhrasedDomain = 'retail' | 'airline' | 'tau3-retail' | 'tau3-airline' | 'tau3-telecom';

const RETAIL = phrasesOf(retail);
const AIRLINE = phrasesOf(airline);

/** Domains of τ³-bench have the phrases of the commands that they share with tau-bench's. */
export const DOMAIN_PHRASES: Readonly<Record<PhrasedDomain, Phrases>> = {
  retail: RETAIL,
  airline: AIRLINE,
  'tau3-retail': { ...RETAIL, ...phrasesOf(tau3Retail) },
  'tau3-airline': { ...AIRLINE, ...phrasesOf(tau3Airline) },
  'tau3-telecom': { ...phrasesOf(telecom), ...handOver(RETAIL) },
};

function handOver({ transfer_to_human_agents: phrases }: Phrases): Phrases {
  return phrases === undefined ? {} : { transfer_to_human_agents: phrases };
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
