/** What confidences mean: when a command is taken as meant, when several come into question, when none does. */

import type { RankedCommand } from '../types.ts';

/** Confidence from which the likeliest command is taken as meant. */
export const ACCEPT = 0.45;
/** How much more likely than the next one it has to be. A clarification costs a call, the wrong command an episode. */
export const MARGIN = 0.1;
/** Below it the likeliest command does not come into question either. */
export const FLOOR = 0.2;
/** Commands that come into question at most, as in FastWorkflow. */
export const SUGGESTIONS = 3;

export type Decision =
  | { readonly kind: 'accepted'; readonly name: string }
  /** The likeliest first. */
  | { readonly kind: 'ambiguous'; readonly candidates: readonly string[] }
  | { readonly kind: 'misunderstood' };

/** Which command of all is meant. */
export function decide(ranking: readonly RankedCommand[]): Decision {
  const [first, second] = ranking;
  if (first === undefined || first.confidence < FLOOR) return { kind: 'misunderstood' };
  const lead = first.confidence - (second?.confidence ?? 0);
  if (first.confidence >= ACCEPT && lead >= MARGIN) return { kind: 'accepted', name: first.name };
  return { kind: 'ambiguous', candidates: suggestions(ranking) };
}

/** The commands that come into question at all. */
export function suggestions(ranking: readonly RankedCommand[]): readonly string[] {
  const possible = ranking.filter(({ confidence }) => confidence > 0).slice(0, SUGGESTIONS);
  return possible.map(({ name }) => name);
}

/** Which of several commands is meant: one of them is, so the lead alone decides. */
export function decideAmong(names: readonly string[], ranking: readonly RankedCommand[]): Decision {
  const confidenceOf = (name: string) => ranking.find((ranked) => ranked.name === name)?.confidence ?? 0;
  const among = sortRanking(names.map((name) => ({ name, confidence: confidenceOf(name) })));
  const [first, second] = among;
  if (first !== undefined && first.confidence - (second?.confidence ?? 0) >= MARGIN) {
    return { kind: 'accepted', name: first.name };
  }
  return { kind: 'ambiguous', candidates: among.map(({ name }) => name) };
}

/** The commands that are likely by themselves and much more so than this one: what speaks against it. */
export function clearlyAhead(name: string, ranking: readonly RankedCommand[]): readonly string[] {
  const own = ranking.find((ranked) => ranked.name === name)?.confidence ?? 0;
  return ranking
    .filter(({ confidence }) => confidence >= ACCEPT && confidence - own >= MARGIN)
    .slice(0, SUGGESTIONS - 1)
    .map((ranked) => ranked.name);
}

/** The likeliest first; equally likely ones by name, so that the same words always mean the same. */
export function sortRanking(ranking: readonly RankedCommand[]): readonly RankedCommand[] {
  return [...ranking].sort((a, b) => b.confidence - a.confidence || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
