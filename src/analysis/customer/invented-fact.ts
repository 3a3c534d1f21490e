/**
 * Facts that the customer was not given: neither the instruction nor anything said or looked up before has them, nor
 * its own record in the pack's tables.
 *
 * Looks at: email addresses, phone numbers, streets and zip codes, full dates of birth, last digits of cards, names that
 * are introduced as names; and amounts of money and other days.
 * Cannot see: small numbers (of bags, of people), places, opinions, reasons, and everything else that is told in plain
 * words. A fact that is about somebody else but was mentioned counts as known.
 * Severity: suspect where the agent then acted upon it: it tried to change data with it as an argument, or looked it up
 * and found something. Otherwise a remark: customers like to make up an email address, the
 * look-up fails, and they give another that is right. Amounts and days are always remarks, since they often follow from
 * what is known in ways that are not checked here.
 */

import { RESPOND, getDomain } from '../../benchmark/index.ts';
import { dumpJson, isDict, type PyValue } from '../../benchmark/python/index.ts';
import type { AnalyzedEpisode, CustomerFinding } from '../types.ts';
import { finding, type CustomerView, type Detector } from './detector.ts';
import { amountsIn, daysIn, KnownText, personalFactsIn, type SaidFact } from './said-facts.ts';
import { textsIn } from './texts.ts';

/** What fails says so in its first word, in every tool of the benchmark. */
const FAILED = /^Error/;
/** Longer arguments are prose: a thought, a summary for a colleague. */
const LONGEST_ARGUMENT = 80;

export const findInventedFacts: Detector = (view) => {
  const own = ownRecords(view);
  const writes = getDomain(view.data.domain).audit?.writes ?? [];
  const uses = usesIn(view.episode, writes);
  const told = new Set<string>();
  return view.turns.flatMap((turn) => {
    const known = new KnownText(`${turn.onRecord.raw}\n${own}`);
    const unknown = (facts: readonly SaidFact[]) =>
      facts.filter(({ words, isIn }) => {
        const isNew = !told.has(words.toLowerCase()) && !isIn(known);
        if (isNew) told.add(words.toLowerCase());
        return isNew;
      });
    const toFinding = ({ what, words }: SaidFact, wasUsed: boolean): CustomerFinding => {
      const sentence = `The customer states ${what} ("${words}"), which it was not given`;
      return wasUsed
        ? finding('invented_fact', 'suspect', turn, `${sentence}, and the agent acts upon it.`)
        : finding('invented_fact', 'remark', turn, `${sentence}.`);
    };
    return [
      ...unknown(personalFactsIn(turn.text)).map((fact) => toFinding(fact, wasUsed(fact, uses, turn.step))),
      ...unknown([...amountsIn(turn.text), ...daysIn(turn.text)]).map((fact) => toFinding(fact, false)),
    ];
  });
};

/** By step: the arguments that facts were used as; null where they were not. */
type Uses = readonly (KnownText | null)[];

/** A change that fails is tried again with the same facts; a look-up that fails has found them out. */
function usesIn({ steps }: AnalyzedEpisode, writes: readonly string[]): Uses {
  return steps.map(({ action, observation }) => {
    const isUse = action.name !== RESPOND && (writes.includes(action.name) || !FAILED.test(observation ?? ''));
    return isUse ? new KnownText(shortTexts(action.kwargs)) : null;
  });
}

function wasUsed(fact: SaidFact, uses: Uses, since: number): boolean {
  return uses.slice(since).some((use) => use !== null && fact.isIn(use));
}

function shortTexts(kwargs: PyValue): string {
  return textsIn(kwargs)
    .filter((text) => text.length <= LONGEST_ARGUMENT)
    .join('\n');
}

/** What the tables have under the customer's id: to be right about oneself is no invention. */
function ownRecords({ data, episode }: CustomerView): string {
  const records = Array.from(data.tables.values(), (table) =>
    isDict(table) ? table.get(episode.task.userId) : undefined,
  );
  return records.map((record) => (record === undefined ? '' : dumpJson(record))).join('\n');
}
