/**
 * Finds false claims: the agent reports a change that it did not make.
 *
 * A clause is a claim only if it reports a missing change and cannot refer to an action of the agent. It may refer to a
 * call with the same verb or, if it names a part (`two bags have been added`), to a call that changes the part; the
 * call must be about the record that the clause names, if any. If the order of calls is unknown, every call may precede
 * the claim.
 *
 * The first word of a tool's name is its verb, the last its object: `update_user_address` updates an address.
 */

import type { Action, EnvData } from '../../benchmarks/index.ts';
import { dumpJson } from '../../benchmarks/python/index.ts';
import { readReplyText, type AnalyzedEpisode, type AnalyzedStep, type Fault } from '../types.ts';
import { isWrite, type Call, type Write, makeFault, shortenText } from './calls.ts';
import { isRecordKey, recordKeys } from './repair.ts';

/** @param undone missing writes of the ground truth */
export function findFalseClaims(
  data: EnvData,
  { steps, isOrdered = true }: Pick<AnalyzedEpisode, 'steps' | 'isOrdered'>,
  calls: readonly Call[],
  undone: readonly Write[],
): Fault[] {
  const claims = undone.flatMap(({ action }) => {
    const claim = findClaim(data, steps, calls, action);
    return claim === undefined ? [] : [{ ...claim, tool: action.name }];
  });
  // One sentence may claim several changes.
  const first = claims.filter(({ step }, at) => claims.findIndex((other) => other.step === step) === at);
  return first.map(({ step, clause, tool }) =>
    makeFault({
      kind: 'said_not_done',
      step: isOrdered ? step : null,
      tool,
      given: dumpJson(clause),
      sentence: `${isOrdered ? `Step ${String(step)}` : 'The agent'} says “${shortenText(clause)}”, but ${tool} was not carried out.`,
    }),
  );
}

/** Finds the first reply that claims a missing write. */
export function findClaim(data: EnvData, steps: readonly AnalyzedStep[], calls: readonly Call[], wanted: Action) {
  const writes = calls.filter(isWrite);
  const keys = Array.from(recordKeys(data, wanted).values());
  const mayMean = findMeaning(wanted.name);
  for (const [at, step] of steps.entries()) {
    const done = writes.filter(({ step }) => step <= at + 1);
    const clause = claimingClauses(readReplyText(step)).find((clause) => {
      const means = mayMean(clause);
      if (means === undefined) return false;
      const named = findRecords(data, clause);
      if (named.length === 0) return !done.some(means);
      return (
        named.some((record) => keys.includes(record)) &&
        !done.some((write) => means(write) && hasArgumentIn(write, keys))
      );
    });
    if (clause !== undefined) return { step: at + 1, clause };
  }
  return undefined;
}

/** Returns a test for writes to which a clause may refer; undefined for a clause that is not a claim about the tool. */
function findMeaning(tool: string): (clause: string) => ((write: Write) => boolean) | undefined {
  const claims = claimPattern(tool);
  const claimedPart = partClaims(tool);
  const verbs = findVerbs(tool);
  return (clause) => {
    const part = claimedPart(clause);
    if (part !== undefined) {
      return ({ action: { name, kwargs } }) => name === tool || [...kwargs.keys()].some((key) => key.includes(part));
    }
    return claims.test(clause) ? ({ action }) => verbs.includes(parseVerb(action.name)) : undefined;
  };
}

/** True if an argument of the call is one of the given keys. */
export function hasArgumentIn({ action }: Call, keys: readonly string[]): boolean {
  return Array.from(action.kwargs.values()).some((value) => typeof value === 'string' && keys.includes(value));
}

/** Finds words that are keys of records. */
export function findRecords(data: EnvData, text: string): string[] {
  return (text.match(/#?\w+/g) ?? []).filter((word) => isRecordKey(data, word));
}

/** Verbs with the same meaning. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['modify', 'update', 'change', 'edit', 'set', 'correct'],
  ['send', 'issue', 'give', 'grant'],
  ['book', 'reserve'],
  ['create', 'add', 'open'],
  ['delete', 'remove'],
];

const IRREGULAR: Readonly<Record<string, string>> = { send: 'sent', give: 'given', set: 'set' };

/** Verbs that change a part of a record. */
const CHANGES_OF_PARTS: readonly string[] = ['add', 'remove'];

/** Matches sentences that do not report a completed action. */
const NO_CLAIM =
  /\b(?:not|no|never|cannot|unable|unfortunately|if|once|after|before|when|until|unless|will|would|could|should|shall|may|might|can|by the|already|previously|earlier|originally)\b|n['’]t\b|\?$/i;

const PERFECT = '\\b(?:has|have) (?:now |just |also |both |all )*been (?:now |successfully )*';

/** Returns the clauses that may be claims, without questions, conditions, intentions and denials. */
export function claimingClauses(text: string): string[] {
  return splitSentences(text)
    .filter((sentence) => !NO_CLAIM.test(sentence))
    .flatMap((sentence) => sentence.split(/;\s+|,\s+(?:and|but)\s+/))
    .map((clause) => clause.trim());
}

export function splitSentences(text: string): string[] {
  return text.split(/(?<=[.!?])\s+|\n+/).map((sentence) => sentence.trim());
}

/** Returns the tool's verb and its synonyms. */
function findVerbs(tool: string): readonly string[] {
  const verb = parseVerb(tool);
  return SYNONYMS.find((group) => group.includes(verb)) ?? [verb];
}

export function parseVerb(tool: string): string {
  return tool.split('_')[0] ?? tool;
}

/** Returns the object of a tool: `item` of `return_delivered_order_items`. */
export function findToolObject(tool: string): string {
  return (tool.split('_').at(-1) ?? tool).replace(/s$/, '');
}

/**
 * Returns a pattern for forms of the tool's verb: `cancel`, `canceled`, `cancellation`; `modify`, `changed`,
 * `modification`.
 */
export function verbPattern(tool: string): RegExp {
  const verbs = findVerbs(tool).flatMap((verb) => [verb, ...participles(verb)]);
  return new RegExp(`\\b(?:${verbs.join('|')}|${ownNoun(tool)})\\b`, 'i');
}

/** Returns a pattern for the noun of the tool's verb: `cancellation`, `modification`, `return`. */
function ownNoun(tool: string): string {
  return `${parseVerb(tool).replace(/[ey]$/, '')}[a-z]*`;
}

/**
 * Returns a pattern for claims: `has been updated`, `I've changed`, `successfully modified`,
 * `the update has been made`.
 */
export function claimPattern(tool: string): RegExp {
  const done = `(?:${findVerbs(tool).flatMap(participles).join('|')})\\b`;
  return new RegExp(
    [
      `${PERFECT}${done}`,
      `\\b(?:I|we)(?: have|['’]ve) (?:now |just |also |successfully )*${done}`,
      `\\bsuccessfully ${done}`,
      `^(?:the |your |this )?${ownNoun(tool)}\\b[^.!?]{0,60}${PERFECT}(?:processed|completed|made|confirmed|submitted)\\b`,
    ].join('|'),
    'i',
  );
}

/**
 * Returns a function that finds the part that a clause reports as changed, if the tool changes it: `bag` of
 * `two bags …`, for `update_baggages`.
 */
export function partClaims(tool: string): (clause: string) => string | undefined {
  const done = [...findVerbs(tool), ...CHANGES_OF_PARTS].flatMap(participles).join('|');
  // The lookbehind keeps the time linear in the length of a word.
  const pattern = new RegExp(`(?<![a-z])([a-z]{3,}) ${PERFECT.slice(2)}(?:${done})\\b`, 'i');
  const changed = tool.split('_').at(-1) ?? '';
  return (clause) => {
    const part = pattern.exec(clause)?.[1]?.toLowerCase().replace(/s$/, '');
    return part !== undefined && changed.startsWith(part) ? part : undefined;
  };
}

/** Returns the participles of a verb, in both spellings if English has two. */
function participles(verb: string): string[] {
  const irregular = IRREGULAR[verb];
  if (irregular !== undefined) return [irregular];
  if (verb.endsWith('e')) return [`${verb}d`];
  if (/[^aeiou]y$/.test(verb)) return [`${verb.slice(0, -1)}ied`];
  return /[^aeiou][aeiou][lt]$/.test(verb) ? [`${verb}ed`, `${verb}${verb.slice(-1)}ed`] : [`${verb}ed`];
}
