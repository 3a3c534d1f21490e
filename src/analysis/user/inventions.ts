/**
 * Detects statements that the simulated user cannot know or must not make: invented ids and facts, and the solution.
 */

import type { AnalyzedEpisode, UserFault } from '../types.ts';
import {
  makeUserFault,
  squash,
  collectTexts,
  type UserTurn,
  type UserView,
  type Detector,
  findIdShapes,
  findIds,
  type IdShapes,
} from './conversation.ts';
import { RESPOND, getDomain, type Task } from '../../benchmarks/index.ts';
import { dumpJson, isDict, type PyValue } from '../../benchmarks/python/index.ts';
import { KnownText, findAmounts, findDays, findPersonalFacts, type SaidFact } from './facts.ts';

/** Shortest id to check; shorter ones occur in any text. */
const SHORTEST = 5;

/**
 * Finds ids that the user cannot know, because neither the instruction nor any earlier message or look-up has them.
 *
 * Checks: words in the form of the pack's ids, and texts announced as an id ("my order number is …"), in upper or lower
 * case, with and without `#`, hyphens and spaces. Cannot detect: ids spelled out in words, an id that is wrong for the
 * purpose but was mentioned, and ids of fewer than five characters. Severity: suspect, because an invented id leads the
 * agent to no record or to another person's. An id that only a tool's answer contains is a remark: the agent knew it,
 * and may have said it in words that are not checked.
 */
export const findInventedIds: Detector = ({ data, episode, turns }) => {
  const shapes = findIdShapes(data.tables);
  const solution = findTruthIds(episode.task, shapes);
  const seen = new Set<string>();
  return turns.flatMap((turn) =>
    findIds(turn.text, shapes).flatMap((id): UserFault[] => {
      const squashed = squash(id);
      if (squashed.length < SHORTEST || seen.has(squashed) || turn.heard.squashed.includes(squashed)) return [];
      seen.add(squashed);
      // The detector of given solutions reports it.
      if (solution.has(squashed)) return [];
      return [toFinding(turn, id, turn.onRecord.squashed.includes(squashed), episode.isOrdered ?? true)];
    }),
  );
};

function toFinding(turn: UserTurn, id: string, wasAnswered: boolean, isOrdered: boolean): UserFault {
  const then = isOrdered ? ' until then' : '';
  return wasAnswered
    ? makeUserFault('invented_id', 'remark', turn, `The user names ${id}, which only tools had answered${then}.`)
    : makeUserFault(
        'invented_id',
        'suspect',
        turn,
        `The user names ${id}, which is neither in the instruction nor in anything said or looked up before.`,
      );
}

/** Matches the first word of an error, in every tool of the benchmark. */
const FAILED = /^Error/;
/** Longest argument to check; longer ones are prose, such as a thought or a summary for a colleague. */
const LONGEST_ARGUMENT = 80;

/**
 * Finds facts that the user was not given: neither the instruction, nor any earlier message or look-up, nor the user's
 * own record in the pack has them.
 *
 * Checks: email addresses, phone numbers, streets and zip codes, full dates of birth, last digits of cards, names that
 * are introduced as names; and amounts of money and other days. Cannot detect: small numbers (of bags, of people),
 * places, opinions, reasons, and anything else in plain words. A mentioned fact about another person is known, too.
 * Severity: suspect if the agent then used it: it tried to change data with it as an argument, or looked it up and
 * found something. Otherwise a remark, because simulated users often invent an email address, the look-up fails, and
 * they then give the right one. Amounts and days are always remarks, because they often follow from known facts in ways
 * that are not checked here.
 */
export const findInventedFacts: Detector = (view) => {
  const own = ownRecords(view);
  const writes = getDomain(view.data.domain).audit?.writes ?? [];
  const uses = findUses(view.episode, writes);
  const seen = new Set<string>();
  return view.turns.flatMap((turn) => {
    const known = new KnownText(`${turn.onRecord.raw}\n${own}`);
    const unknown = (facts: readonly SaidFact[]) =>
      facts.filter(({ words, isIn }) => {
        const isNew = !seen.has(words.toLowerCase()) && !isIn(known);
        if (isNew) seen.add(words.toLowerCase());
        return isNew;
      });
    const toFinding = ({ what, words }: SaidFact, wasUsed: boolean): UserFault => {
      const sentence = `The user states ${what} ("${words}"), which it was not given`;
      return wasUsed
        ? makeUserFault('invented_fact', 'suspect', turn, `${sentence}, and the agent acts upon it.`)
        : makeUserFault('invented_fact', 'remark', turn, `${sentence}.`);
    };
    return [
      ...unknown(findPersonalFacts(turn.text)).map((fact) => toFinding(fact, wasUsed(fact, uses, turn.step))),
      ...unknown([...findAmounts(turn.text), ...findDays(turn.text)]).map((fact) => toFinding(fact, false)),
    ];
  });
};

/** Arguments that used facts, by step; null for other steps. */
type Uses = readonly (KnownText | null)[];

/**
 * Finds uses of facts. A failed change is a use, because it is tried again with the same facts; a failed look-up is
 * not.
 */
function findUses({ steps }: AnalyzedEpisode, writes: readonly string[]): Uses {
  return steps.map(({ action, observation }) => {
    const isUse = action.name !== RESPOND && (writes.includes(action.name) || !FAILED.test(observation ?? ''));
    return isUse ? new KnownText(shortTexts(action.kwargs)) : null;
  });
}

function wasUsed(fact: SaidFact, uses: Uses, since: number): boolean {
  return uses.slice(since).some((use) => use !== null && fact.isIn(use));
}

function shortTexts(kwargs: PyValue): string {
  return collectTexts(kwargs)
    .filter((text) => text.length <= LONGEST_ARGUMENT)
    .join('\n');
}

/** Returns the values under the user's own id in the tables, because a true fact about oneself is not invented. */
function ownRecords({ data, episode }: UserView): string {
  const records = Array.from(data.tables.values(), (table) =>
    isDict(table) ? table.get(episode.task.userId) : undefined,
  );
  return records.map((record) => (record === undefined ? '' : dumpJson(record))).join('\n');
}

/**
 * Finds solutions that the user gives unasked: a tool's name, or an id of the ground truth that neither the instruction
 * nor the agent has mentioned.
 *
 * Checks: names of the domain's tools with more than one word (`think` is also an ordinary word), and ids in the
 * arguments of the ground truth. Cannot detect: a user that chooses correctly from an offer, or describes the right
 * choice in words. Severity: suspect, because an agent that is given the call was not tested.
 */
export const findGivenSolution: Detector = ({ data, episode, turns }) => {
  const shapes = findIdShapes(data.tables);
  const solution = findTruthIds(episode.task, shapes);
  const tools = Array.from(getDomain(data.domain).tools.keys()).filter((name) => name.includes('_'));
  const seen = new Set<string>();
  return turns.flatMap((turn) => {
    const { text, heard } = turn;
    const lower = text.toLowerCase();
    const named = tools.filter((name) => lower.includes(name));
    const heardBefore = named.length === 0 ? '' : heard.raw.toLowerCase();
    const names = named.filter((name) => !heardBefore.includes(name));
    const ids = findIds(text, shapes).filter((id) => {
      const squashed = squash(id);
      return solution.has(squashed) && !heard.squashed.includes(squashed);
    });
    return [...names.map((name) => [name, `the tool ${name}`]), ...ids.map((id) => [squash(id), id])].flatMap(
      ([key = '', what = '']): UserFault[] => {
        if (seen.has(key)) return [];
        seen.add(key);
        const sentence = `The user names ${what}, which is part of the solution and had not been mentioned.`;
        return [makeUserFault('gave_solution', 'suspect', turn, sentence)];
      },
    );
  });
};

/** Returns the ids in the ground truth's calls, squashed. */
function findTruthIds({ actions }: Task, shapes: IdShapes): ReadonlySet<string> {
  const texts = actions.flatMap(({ kwargs }) => collectTexts(kwargs));
  return new Set(texts.filter((text) => shapes.isIdLike(text, true)).map(squash));
}
