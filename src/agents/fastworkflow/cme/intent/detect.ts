/**
 * Intent detection: a ladder from the surest sign to the least sure one.
 *
 * Exact name, beginning of a name, mistyped name, an utterance that was clarified before, likeness of words. A rung
 * that leaves several commands open asks the ranker which of them is meant, and only when that does not tell either
 * are they suggested.
 */

import type { Catalogue, CommandDefinition } from '../../catalogue/types.ts';
import { splitCommand } from '../parameters/xml.ts';
import type { HandledAnswer, IntentClassifier, IntentTier, RankedCommand } from '../types.ts';
import { coreAnswer } from './core.ts';
import { matchName } from './names.ts';
import { normaliseUtterance } from './normalise.ts';
import { clearlyAhead, decide, decideAmong, type Decision, sortRanking } from './thresholds.ts';
import { spokenPart, stemsOf } from './words.ts';

export type Detection =
  | {
      readonly kind: 'command';
      readonly tier: Exclude<IntentTier, 'clarified'>;
      readonly command: CommandDefinition;
      /** What its parameters are read from. */
      readonly rest: string;
    }
  | { readonly kind: 'core'; readonly name: string; readonly answer: HandledAnswer }
  | { readonly kind: 'empty' }
  /** Command names, the likeliest first. */
  | { readonly kind: 'ambiguous'; readonly candidates: readonly string[] }
  | { readonly kind: 'misunderstood' };

/** Words that a ranker has to decide about. */
export interface OpenIntent {
  readonly kind: 'open';
  /**
   * The commands whose names the words begin like: which of several; or, when it is one, whether the words that follow
   * speak of another. Null when it can be any command.
   */
  readonly among: readonly string[] | null;
}

/** What a command is recognised by. */
export interface IntentKnowledge {
  readonly catalogue: Catalogue;
  /** Command names by the normal form of an utterance. */
  readonly learned: ReadonlyMap<string, string>;
}

/** The whole ladder. */
export function detect(text: string, knowledge: IntentKnowledge, classifier: IntentClassifier): Detection {
  const recognised = recognise(text, knowledge);
  if (recognised.kind !== 'open') return recognised;
  return settle(text, recognised, classifier(text, knowledge.catalogue), knowledge.catalogue);
}

/** The rungs that need no ranker. */
export function recognise(text: string, { catalogue, learned }: IntentKnowledge): Detection | OpenIntent {
  const { name: token, rest } = splitCommand(text);
  if (text.trim() === '') return { kind: 'empty' };
  const match = matchName(catalogue, token);
  if (match?.tier !== 'exact') {
    const core = coreAnswer(catalogue, text, token);
    if (core !== null) return { kind: 'core', ...core };
  }
  const [only, ...others] = match?.names ?? [];
  if (match !== null && only !== undefined && others.length === 0) {
    // `transfer the payment to …` begins like a command, but may be none.
    const isSentence = match.tier === 'prefix' && stemsOf(spokenPart(rest)).length > 0;
    if (!isSentence) return commandOf(catalogue, only, match.tier, rest);
  }
  const remembered = learned.get(normaliseUtterance(text));
  if (remembered !== undefined) return commandOf(catalogue, remembered, 'learned', match === null ? text : rest);
  return { kind: 'open', among: match?.names ?? null };
}

/**
 * The last rung.
 * @param ranking of all commands; names that the catalogue does not have are passed over
 */
export function settle(
  text: string,
  { among }: OpenIntent,
  ranking: readonly RankedCommand[],
  catalogue: Catalogue,
): Detection {
  const decided = (decision: Decision, rest: string): Detection =>
    decision.kind === 'accepted' ? commandOf(catalogue, decision.name, 'ranked', rest) : decision;
  const known = sortRanking(ranking.filter(({ name, confidence }) => confidence > 0 && catalogue.find(name)));
  if (among === null) return decided(decide(known), text);
  const { rest } = splitCommand(text);
  const [begun, ...others] = among;
  if (begun === undefined || others.length > 0) return decided(decideAmong(among, known), rest);
  const ahead = clearlyAhead(begun, known);
  return ahead.length === 0
    ? commandOf(catalogue, begun, 'prefix', rest)
    : { kind: 'ambiguous', candidates: [...ahead, begun] };
}

function commandOf(
  catalogue: Catalogue,
  name: string,
  tier: Exclude<IntentTier, 'clarified'>,
  rest: string,
): Detection {
  const command = catalogue.find(name);
  return command === undefined ? { kind: 'misunderstood' } : { kind: 'command', tier, command, rest };
}
