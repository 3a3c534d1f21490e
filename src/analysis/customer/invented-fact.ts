/**
 * Facts that the customer was not given: neither the instruction nor anything said or looked up before has them, nor
 * its own record in the pack's tables.
 *
 * Looks at: email addresses, phone numbers, streets and zip codes, full dates of birth, last digits of cards, names that
 * are introduced as names; and amounts of money and other days.
 * Cannot see: small numbers (of bags, of people), opinions, reasons, and everything that is told in plain words. A fact
 * that is about somebody else but was mentioned counts as known.
 * Severity: suspect for those about a person, which end up in the data; amounts and days are remarks, since they often
 * follow from what is known in ways that are not checked here ("the day after").
 */

import { dumpJson } from '../../bench/python/json.ts';
import { isDict } from '../../bench/python/value.ts';
import type { CustomerFinding } from '../types.ts';
import { finding, type CustomerView, type Detector } from './detector.ts';
import {
  addressesIn,
  amountsIn,
  birthDatesIn,
  cardsIn,
  daysIn,
  emailFacts,
  namesIn,
  phonesIn,
  type SaidFact,
} from './said-facts.ts';

const PERSONAL = [emailFacts, phonesIn, addressesIn, birthDatesIn, cardsIn, namesIn];
const INCIDENTAL = [amountsIn, daysIn];

export const findInventedFacts: Detector = (view) => {
  const own = ownRecords(view);
  const told = new Set<string>();
  return view.turns.flatMap((turn) => {
    const known = `${turn.onRecord.raw}\n${own}`;
    const find = (readers: readonly ((text: string) => SaidFact[])[], severity: CustomerFinding['severity']) =>
      readers
        .flatMap((read) => read(turn.text))
        .filter(({ words }) => !told.has(words.toLowerCase()))
        .filter(({ isIn }) => !isIn(known))
        .map(({ what, words }) => {
          told.add(words.toLowerCase());
          const sentence = `The customer states ${what} ("${words}"), which is neither in the instruction nor known before.`;
          return finding('invented_fact', severity, turn, sentence);
        });
    return [...find(PERSONAL, 'suspect'), ...find(INCIDENTAL, 'remark')];
  });
};

/** What the tables have under the customer's id: to be right about oneself is no invention. */
function ownRecords({ data, episode }: CustomerView): string {
  const records = Array.from(data.tables.values(), (table) =>
    isDict(table) ? table.get(episode.task.userId) : undefined,
  );
  return records.map((record) => (record === undefined ? '' : dumpJson(record))).join('\n');
}
