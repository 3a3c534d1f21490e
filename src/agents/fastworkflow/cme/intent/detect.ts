/**
 * Intent detection: a ladder from the surest sign to the least sure one.
 *
 * Exact name anywhere in the text, beginning of a name, mistyped name, an utterance that was clarified before, likeness
 * of words. A rung that leaves several commands open asks the ranker which of them is meant, and only when that does
 * not tell either are they suggested.
 *
 * A command that writes is suggested, and nothing more, unless its exact name was written or the same words were
 * clarified before: a wrong read costs a step, a wrong write the episode.
 */

import type { Catalogue, CommandDefinition } from '../../catalogue/types.ts';
import type { HandledAnswer, IntentClassifier, IntentTier, RankedCommand } from '../types.ts';
import { coreAnswer } from './core.ts';
import { matchName } from './names.ts';
import { normaliseUtterance } from './normalise.ts';
import {
  clearlyAhead,
  decide,
  decideAmong,
  type Decision,
  sortRanking,
  SUGGESTIONS,
  suggestions,
} from './thresholds.ts';
import { readWritten, splitCommand } from '../written/commands.ts';
import { spokenPart, stemsOf } from './words.ts';

export type Detection =
  | {
      readonly kind: 'command';
      readonly tier: Exclude<IntentTier, 'clarified'>;
      readonly command: CommandDefinition;
      /** What its parameters are read from. */
      readonly rest: string;
      /** Names of the commands that were written after it. */
      readonly others: readonly string[];
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
  if (text.trim() === '') return { kind: 'empty' };
  const written = readWritten(catalogue, text);
  if (written.kind === 'named') {
    const { name, rest, others } = written.command;
    const core = coreAnswer(catalogue, name, name);
    return core === null ? commandOf(catalogue, name, 'exact', rest, others) : { kind: 'core', ...core };
  }
  const { others } = written;
  const { name: token, rest } = splitCommand(catalogue, written.text);
  const core = coreAnswer(catalogue, written.text, token);
  if (core !== null) return { kind: 'core', ...core };
  const match = matchName(catalogue, token);
  const remembered = learned.get(normaliseUtterance(written.text));
  const [only, ...further] = match?.names ?? [];
  if (match !== null && only !== undefined && further.length === 0 && remembered === undefined) {
    // `transfer the payment to …` begins like a command, but may be none.
    const isSentence = match.tier === 'prefix' && stemsOf(spokenPart(rest)).length > 0;
    if (!isSentence) return unlessWrite(commandOf(catalogue, only, match.tier, rest, others), []);
  }
  if (remembered === undefined) return { kind: 'open', among: match?.names ?? null };
  return commandOf(catalogue, remembered, 'learned', match === null ? written.text : rest, others);
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
  const written = readWritten(catalogue, text);
  const [own, others] = written.kind === 'unnamed' ? [written.text, written.others] : [text, []];
  const known = sortRanking(ranking.filter(({ name, confidence }) => confidence > 0 && catalogue.find(name)));
  const decided = (decision: Decision, rest: string): Detection =>
    decision.kind === 'accepted'
      ? unlessWrite(commandOf(catalogue, decision.name, 'ranked', rest, others), suggestions(known))
      : decision;
  if (among === null) return decided(decide(known), own);
  const { rest } = splitCommand(catalogue, own);
  const [begun, ...further] = among;
  if (begun === undefined || further.length > 0) return decided(decideAmong(among, known), rest);
  const ahead = clearlyAhead(begun, known);
  return ahead.length === 0
    ? unlessWrite(commandOf(catalogue, begun, 'prefix', rest, others), suggestions(known))
    : { kind: 'ambiguous', candidates: [...ahead, begun] };
}

/** @param further commands that come into question as well, the likeliest first */
function unlessWrite(detection: Detection, further: readonly string[]): Detection {
  if (detection.kind !== 'command' || detection.command.isRead === true) return detection;
  const candidates = new Set([detection.command.name, ...further]);
  return { kind: 'ambiguous', candidates: [...candidates].slice(0, SUGGESTIONS) };
}

function commandOf(
  catalogue: Catalogue,
  name: string,
  tier: Exclude<IntentTier, 'clarified'>,
  rest: string,
  others: readonly string[],
): Detection {
  const command = catalogue.find(name);
  return command === undefined ? { kind: 'misunderstood' } : { kind: 'command', tier, command, rest, others };
}
