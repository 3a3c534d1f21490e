/**
 * How English says that a tool has done its work. A tool's name tells its verb, the first word, and what it is done to,
 * the last: `update_user_address` updates, and an address has been updated.
 */

/** Verbs that people use for one another. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['modify', 'update', 'change', 'edit', 'set', 'correct'],
  ['send', 'issue', 'give', 'grant'],
  ['book', 'reserve'],
  ['create', 'add', 'open'],
  ['delete', 'remove'],
];

const IRREGULAR: Readonly<Record<string, string>> = { send: 'sent', give: 'given', set: 'set' };

/** A part of something is changed by adding to it and by removing from it. */
const CHANGES_OF_PARTS: readonly string[] = ['add', 'remove'];

/** What makes a sentence something else than a report of what is done. */
const NO_CLAIM =
  /\b(?:not|no|never|cannot|unable|unfortunately|if|once|after|before|when|until|unless|will|would|could|should|shall|may|might|can|by the|already|previously|earlier|originally)\b|n['’]t\b|\?$/i;

const PERFECT = '\\b(?:has|have) (?:now |just |also |both |all )*been (?:now |successfully )*';

/** Clauses of a text that may be claims: those of its sentences that are no questions, conditions, intentions, denials. */
export function claimingClauses(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .filter((sentence) => !NO_CLAIM.test(sentence.trim()))
    .flatMap((sentence) => sentence.split(/;\s+|,\s+(?:and|but)\s+/))
    .map((clause) => clause.trim());
}

/** Verbs that say what the tool does, its own included. */
export function verbsOf(tool: string): readonly string[] {
  const verb = verbOf(tool);
  return SYNONYMS.find((group) => group.includes(verb)) ?? [verb];
}

export function verbOf(tool: string): string {
  return tool.split('_')[0] ?? tool;
}

/** `has been updated`, `I've changed`, `successfully modified`, `the update has been made` */
export function claimPattern(tool: string): RegExp {
  const done = `(?:${verbsOf(tool).flatMap(participles).join('|')})\\b`;
  const noun = `${verbOf(tool).replace(/[ey]$/, '')}[a-z]*`;
  return new RegExp(
    [
      `${PERFECT}${done}`,
      `\\b(?:I|we)(?: have|['’]ve) (?:now |just |also |successfully )*${done}`,
      `\\bsuccessfully ${done}`,
      `^(?:the |your |this )?${noun}\\b[^.!?]{0,60}${PERFECT}(?:processed|completed|made|confirmed|submitted)\\b`,
    ].join('|'),
    'i',
  );
}

/** Finds what a clause says to have been changed, if the tool changes it: `bag` for `update_baggages`, `two bags …`. */
export function partClaims(tool: string): (clause: string) => string | undefined {
  const done = [...verbsOf(tool), ...CHANGES_OF_PARTS].flatMap(participles).join('|');
  // A word is looked at from its first letter only: from each of its letters, a long one costs its square.
  const pattern = new RegExp(`(?<![a-z])([a-z]{3,}) ${PERFECT.slice(2)}(?:${done})\\b`, 'i');
  const changed = tool.split('_').at(-1) ?? '';
  return (clause) => {
    const part = pattern.exec(clause)?.[1]?.toLowerCase().replace(/s$/, '');
    return part !== undefined && changed.startsWith(part) ? part : undefined;
  };
}

/** Both spellings where English has two. */
function participles(verb: string): string[] {
  const irregular = IRREGULAR[verb];
  if (irregular !== undefined) return [irregular];
  if (verb.endsWith('e')) return [`${verb}d`];
  if (/[^aeiou]y$/.test(verb)) return [`${verb.slice(0, -1)}ied`];
  return /[^aeiou][aeiou][lt]$/.test(verb) ? [`${verb}ed`, `${verb}${verb.slice(-1)}ed`] : [`${verb}ed`];
}
