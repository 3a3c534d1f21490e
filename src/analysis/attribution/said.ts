/**
 * What the agent says it has done though nothing was done. Words can mean many things, so only a plain claim counts:
 * a sentence that says the tool's verb as done, about a change that is missing, while no call of that verb has changed
 * the same record (or, where the message names no record, any record). Questions, conditions, intentions and denials
 * are no claims.
 */

import type { EnvData } from '../../bench/environment.ts';
import { dumpJson } from '../../bench/python/json.ts';
import { RESPOND, type Action } from '../../bench/types.ts';
import type { AnalyzedStep, Fault } from '../types.ts';
import { isWrite, type Call, type Write } from './calls.ts';
import { makeFault } from './fault.ts';
import { recordKeys } from './match.ts';
import { short } from './show.ts';

/** Verbs that people use for one another; a tool's verb is the first word of its name. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['modify', 'update', 'change', 'edit', 'set'],
  ['send', 'issue', 'give', 'grant'],
  ['book', 'reserve'],
  ['create', 'add', 'open'],
  ['delete', 'remove'],
];

const IRREGULAR: Readonly<Record<string, string>> = { send: 'sent', give: 'given', set: 'set', make: 'made' };

/** What makes a sentence something else than a report of what is done. */
const NO_CLAIM =
  /\b(?:not|no|never|cannot|unable|un(?:fortunately|able)|if|once|after|before|when|until|unless|will|would|could|should|shall|may|might|can|by the|already|previously|earlier|originally)\b|n't\b|n’t\b|\?$/i;

/** @param undone writes of the ground truth that were never carried out */
export function findFalseClaims(
  data: EnvData,
  steps: readonly AnalyzedStep[],
  calls: readonly Call[],
  undone: readonly Write[],
): Fault[] {
  const claims = undone.flatMap(({ action }) => {
    const claim = firstClaim(data, steps, calls.filter(isWrite), action);
    return claim === undefined ? [] : [{ ...claim, tool: action.name }];
  });
  // One sentence may claim several changes.
  const first = claims.filter(({ step }, at) => claims.findIndex((other) => other.step === step) === at);
  return first.map(({ step, sentence, tool }) =>
    makeFault({
      kind: 'said_not_done',
      step,
      tool,
      given: dumpJson(sentence),
      sentence: `Step ${String(step)} says “${short(sentence)}”, but ${tool} was not carried out.`,
    }),
  );
}

function firstClaim(data: EnvData, steps: readonly AnalyzedStep[], writes: readonly Write[], wanted: Action) {
  const verbs = verbsOf(wanted.name);
  const claims = claimPattern(verbs);
  const keys = Array.from(recordKeys(data, wanted).values());
  const alike = writes.filter(({ action }) => verbs.includes(verbOf(action.name)));
  for (const [at, { action }] of steps.entries()) {
    const content = action.name === RESPOND ? action.kwargs.get('content') : undefined;
    if (typeof content !== 'string') continue;
    const done = alike.filter(({ step }) => step <= at + 1);
    const isNamed = keys.some((key) => content.includes(key));
    const hasDone = isNamed ? done.some((write) => hasKey(write, keys)) : done.length > 0;
    if (hasDone) continue;
    const sentence = sentencesOf(content).find((text) => claims.test(text) && !NO_CLAIM.test(text));
    if (sentence !== undefined) return { step: at + 1, sentence };
  }
  return undefined;
}

function hasKey({ action }: Write, keys: readonly string[]): boolean {
  return Array.from(action.kwargs.values()).some((value) => typeof value === 'string' && keys.includes(value));
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

function verbOf(tool: string): string {
  return tool.split('_')[0] ?? tool;
}

function verbsOf(tool: string): readonly string[] {
  const verb = verbOf(tool);
  return SYNONYMS.find((group) => group.includes(verb)) ?? [verb];
}

function claimPattern(verbs: readonly string[]): RegExp {
  const done = `(?:${verbs.flatMap(participles).join('|')})`;
  const nouns = verbs.map((verb) => `${verb.replace(/(?:e|y)$/, '')}[a-z]*`).join('|');
  return new RegExp(
    [
      `\\b(?:has|have) (?:now |just |also |both |all )*been (?:now |successfully )*${done}\\b`,
      `\\b(?:I|we)(?: have|'ve|’ve) (?:now |just |also |successfully )*${done}\\b`,
      `\\bsuccessfully ${done}\\b`,
      `\\b(?:${nouns})\\b[^.!?]{0,60}\\b(?:has|have) been (?:now |successfully )*(?:processed|completed|made|confirmed|submitted)\\b`,
    ].join('|'),
    'i',
  );
}

/** Both spellings where English has two. */
function participles(verb: string): string[] {
  const irregular = IRREGULAR[verb];
  if (irregular !== undefined) return [irregular];
  if (/e$/.test(verb)) return [`${verb}d`];
  if (/[^aeiou]y$/.test(verb)) return [`${verb.slice(0, -1)}ied`];
  return /[^aeiou][aeiou][lpt]$/.test(verb) ? [`${verb}ed`, `${verb}${verb.slice(-1)}ed`] : [`${verb}ed`];
}
