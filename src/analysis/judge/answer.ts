/**
 * Reads the LLM judge's answers, and compares them with the analysis without a model. An answer that names no option does not
 * count, nor does a quote that is not in the conversation.
 */

import { QUESTIONS, letterAt, type Choice, type JudgedAuthor, type Line, type QuestionName } from './prompt.ts';
import type { FaultType } from '../types.ts';

interface JudgeAnswer {
  readonly choice: Choice;
  readonly description: string;
  /** Each is in one line of the conversation, runs of white space apart. */
  readonly quotes: readonly string[];
  /** Number of quotes that were not found. */
  readonly unfoundQuotes: number;
}

/** The fields that an answer must have. */
export const ANSWER_FIELDS = [
  { name: 'classification', type: 'text' },
  { name: 'description', type: 'text' },
  { name: 'quotes', type: 'list' },
] as const;

/** Bounds of what goes into a history and a report, in characters and quotes. */
const MAX_DESCRIPTION = 2_000;
const MAX_QUOTE = 500;
const MAX_QUOTES = 5;
/** Quotes that are looked for in the conversation; three are asked for. */
const MAX_TRIED = 50;

/**
 * @param fields what was read of the reply's JSON object; null: there was none
 * @returns null for an answer that names none of the options
 */
export function readAnswer(
  question: QuestionName,
  fields: Readonly<Record<string, string | readonly string[] | null>> | null,
  lines: readonly Line[],
): JudgeAnswer | null {
  const choice = parseChoice(question, fields?.['classification']);
  if (choice === undefined) return null;
  const { description, quotes } = fields ?? {};
  const given = [quotes ?? []].flat().filter((quote) => quote.trim() !== '');
  const texts = lines.map(({ text }) => squeezed(text));
  const found = given
    .slice(0, MAX_TRIED)
    .map((quote) => findQuote(quote, texts))
    .filter((quote) => quote !== undefined);
  return {
    choice,
    description: typeof description === 'string' ? description.trim().slice(0, MAX_DESCRIPTION) : '',
    quotes: found.slice(0, MAX_QUOTES),
    unfoundQuotes: given.length - found.length,
  };
}

/** The letter, alone or with what stands behind it, or the option's name. */
function parseChoice(question: QuestionName, given: string | readonly string[] | null | undefined): Choice | undefined {
  if (typeof given !== 'string') return undefined;
  const { options } = QUESTIONS[question];
  const word = given.trim();
  const letter = /^\W*([A-Za-z])(?![A-Za-z_])/.exec(word)?.[1]?.toUpperCase();
  return options.find(({ choice }, at) => letterAt(at) === letter || choice === word.toLowerCase())?.choice;
}

/** @param texts of lines, squeezed */
function findQuote(given: string, texts: readonly string[]): string | undefined {
  // Models copy the line's number and speaker along, or put quotation marks around what is one already.
  const candidates = [given, given.replace(/^\s*\[\d+\]\s*[\w ]{1,60}:/, ''), given.replace(/^\s*["“]|["”]\s*$/g, '')];
  return candidates
    .map((candidate) => squeezed(candidate).slice(0, MAX_QUOTE))
    .find((quote) => /\w/.test(quote) && texts.some((text) => text.includes(quote)));
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** An episode of which both have said something. */
export interface TwoOpinions {
  readonly author: JudgedAuthor;
  /** null unless the agent is the author, and where the judge has not said. */
  readonly faultType: FaultType | null;
  /** Of the analysis; null: it is not the agent's fault. */
  readonly deterministic: FaultType | null;
}

export interface Agreement {
  readonly compared: number;
  /** Both say that it was the agent, or both that it was not. */
  readonly sameAuthor: number;
  /** Both say that it was the agent, and which fault. */
  readonly typesCompared: number;
  readonly sameType: number;
  /** Number of occurrences of each pair; most frequent first. `other than the agent` is null. */
  readonly pairs: readonly {
    readonly judge: FaultType | null;
    readonly deterministic: FaultType | null;
    readonly count: number;
  }[];
}

export function measureAgreement(opinions: readonly TwoOpinions[]): Agreement {
  const pairs = new Map<string, { judge: FaultType | null; deterministic: FaultType | null; count: number }>();
  let sameAuthor = 0;
  let typesCompared = 0;
  let sameType = 0;
  for (const { author, faultType: judge, deterministic } of opinions) {
    const isAgents = author === 'agent';
    if (isAgents === (deterministic !== null)) sameAuthor += 1;
    // The judge's second answer is missing: there is an author, and no pair.
    if (isAgents && judge === null) continue;
    if (judge !== null && deterministic !== null) {
      typesCompared += 1;
      if (judge === deterministic) sameType += 1;
    }
    const name = `${judge ?? ''}/${deterministic ?? ''}`;
    const pair = pairs.get(name) ?? { judge, deterministic, count: 0 };
    pair.count += 1;
    pairs.set(name, pair);
  }
  return {
    compared: opinions.length,
    sameAuthor,
    typesCompared,
    sameType,
    pairs: [...pairs.values()].sort((a, b) => b.count - a.count),
  };
}
