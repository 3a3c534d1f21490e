/**
 * Detects which command a text means, by signs in the order of their reliability: an exact name anywhere in the text,
 * the beginning of a name, a mistyped name, a previously clarified utterance, similarity of words. If a sign fits
 * several commands, the ranker chooses among them; if it cannot decide, they are suggested.
 *
 * A command that writes is only suggested unless its exact name was written or the same words were clarified before,
 * because a wrong read costs a step, and a wrong write costs the episode.
 */

import type { Catalogue, CommandDefinition } from '../catalogue/definitions.ts';
import type { HandledAnswer, IntentClassifier, IntentKnowledge, IntentTier, RankedCommand } from './types.ts';
import {
  findCoreAnswer,
  matchName,
  SUGGESTIONS,
  clearlyAhead,
  decideMatch,
  decideAmong,
  sortRanking,
  dropValues,
  stemWords,
  suggestCommands,
  type MatchDecision,
} from './matching.ts';
import { readWritten, splitWord } from './written-commands.ts';

export type Detection =
  | {
      readonly kind: 'command';
      readonly tier: Exclude<IntentTier, 'clarified'>;
      readonly command: CommandDefinition;
      /** Text that contains the command's parameters. */
      readonly rest: string;
      /** Names of commands written after this one. */
      readonly others: readonly string[];
    }
  | { readonly kind: 'core'; readonly name: string; readonly answer: HandledAnswer }
  | { readonly kind: 'empty' }
  /** Names of possible commands, the likeliest first. */
  | { readonly kind: 'ambiguous'; readonly candidates: readonly string[] }
  | { readonly kind: 'misunderstood' };

/** A text whose command a ranker has to decide on. */
export interface OpenIntent {
  readonly kind: 'open';
  /**
   * The commands whose names begin like the words. With several, the ranker chooses one; with a single one, it decides
   * whether the following words mean another command. Null if every command is possible.
   */
  readonly among: readonly string[] | null;
}

/** Tries all tiers. */
export function detect(text: string, knowledge: IntentKnowledge, classifier: IntentClassifier): Detection {
  const recognised = recognise(text, knowledge);
  if (recognised.kind !== 'open') return recognised;
  return settle(text, recognised, classifier(text, knowledge.catalogue), knowledge.catalogue);
}

/** Tries the tiers that need no ranker. */
export function recognise(text: string, { catalogue, learned }: IntentKnowledge): Detection | OpenIntent {
  if (text.trim() === '') return { kind: 'empty' };
  const written = readWritten(catalogue, text);
  if (written.kind === 'named') {
    const { name, rest, others } = written.command;
    return toDetection(catalogue, name, 'exact', rest, others);
  }
  const { others } = written;
  const { name: token, rest } = splitWord(written.text);
  const core = findCoreAnswer(written.text, token);
  if (core !== null) return { kind: 'core', ...core };
  const match = matchName(catalogue, token);
  const remembered = learned.get(normaliseUtterance(written.text));
  const [only, ...further] = match?.names ?? [];
  // `transfer the payment to …` begins like a command, but may be none.
  const isSentence = match?.tier === 'prefix' && stemWords(dropValues(rest)).length > 0;
  // A plain word at the beginning of a sentence is an ordinary word; `get_order` is meant as a name.
  if (isSentence && remembered === undefined && !token.includes('_')) return { kind: 'open', among: null };
  if (match !== null && only !== undefined && further.length === 0 && remembered === undefined) {
    if (!isSentence) return unlessWrite(toDetection(catalogue, only, match.tier, rest, others), []);
  }
  if (remembered === undefined) return { kind: 'open', among: match?.names ?? null };
  return toDetection(catalogue, remembered, 'learned', match === null ? written.text : rest, others);
}

/** Tries the last tier. @param ranking ranking of all commands; unknown names are ignored */
export function settle(
  text: string,
  { among }: OpenIntent,
  ranking: readonly RankedCommand[],
  catalogue: Catalogue,
): Detection {
  const written = readWritten(catalogue, text);
  const [own, others] = written.kind === 'unnamed' ? [written.text, written.others] : [text, []];
  const known = sortRanking(ranking.filter(({ name, confidence }) => confidence > 0 && catalogue.find(name)));
  const decided = (decision: MatchDecision, rest: string): Detection =>
    decision.kind === 'accepted'
      ? unlessWrite(toDetection(catalogue, decision.name, 'ranked', rest, others), suggestCommands(known))
      : decision;
  if (among === null) return decided(decideMatch(known), own);
  const { rest } = splitWord(own);
  const [begun, ...further] = among;
  if (begun === undefined || further.length > 0) return decided(decideAmong(among, known), rest);
  const ahead = clearlyAhead(begun, known);
  return ahead.length === 0
    ? unlessWrite(toDetection(catalogue, begun, 'prefix', rest, others), suggestCommands(known))
    : { kind: 'ambiguous', candidates: [...ahead, begun] };
}

/** Suggests a command that writes instead of running it. @param further other candidates, most likely first */
function unlessWrite(detection: Detection, further: readonly string[]): Detection {
  if (detection.kind !== 'command' || detection.command.isRead === true) return detection;
  const candidates = new Set([detection.command.name, ...further]);
  return { kind: 'ambiguous', candidates: [...candidates].slice(0, SUGGESTIONS) };
}

function toDetection(
  catalogue: Catalogue,
  name: string,
  tier: Exclude<IntentTier, 'clarified'>,
  rest: string,
  others: readonly string[],
): Detection {
  const command = catalogue.find(name);
  return command === undefined ? { kind: 'misunderstood' } : { kind: 'command', tier, command, rest, others };
}

/** Placeholder for words with a digit and e-mail addresses. */
const MASK = '<id>';

/**
 * Returns the normal form of a clarified utterance, under which its command is stored: lower case, single spaces, ids
 * and numbers masked, so that a request with another order's id is the same. FastWorkflow compares embeddings instead,
 * and stores them on disk for all sessions. Normalizing a normal form does not change it.
 */
export function normaliseUtterance(utterance: string): string {
  return utterance
    .toLowerCase()
    .split(/\s+/)
    .filter((token) => token !== '')
    .map((token) => (/\d|@/.test(token) ? MASK : withoutSigns(token)))
    .filter((token) => token !== '')
    .join(' ');
}

/**
 * Removes opening punctuation at the beginning and closing punctuation at the end, in time linear in the token's
 * length.
 */
function withoutSigns(token: string): string {
  let start = 0;
  let end = token.length;
  while (start < end && OPENING.includes(token.charAt(start))) start++;
  while (start < end && CLOSING.includes(token.charAt(end - 1))) end--;
  return token.slice(start, end);
}

const OPENING = '("\'`';
const CLOSING = ')"\'`.,;:!?';
