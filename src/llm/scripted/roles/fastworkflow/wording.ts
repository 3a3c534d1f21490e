/**
 * How the scripted agent words a command: to the letter, or in one of the ways in which models word them, each meant
 * for a tier of FastWorkflow's understanding. Which way is drawn from the case code and the move's number, so that an
 * episode is the same whenever it is played.
 *
 * Values are always written so that they can be read from the words alone ({@link ./statement.ts}). A sentence never
 * begins like the name of a command.
 */

import { writeCommand } from '../../../../agents/fastworkflow/cme/parameters/xml.ts';
import { dumpJson } from '../../../../bench/python/json.ts';
import type { Action } from '../../../../bench/types.ts';
import type { Wording } from '../../model-name.ts';
import { drawUnit } from '../../random.ts';
import type { Move } from '../../script.ts';

/** A way to word a command. */
export type Manner =
  /** `name <p>v</p>` */
  | 'exact'
  /** As exact, with two letters of the name swapped. */
  | 'misspelt'
  /** As exact, with the name cut short as far as it can be told from others. */
  | 'shortened'
  /** `name(p="v")` */
  | 'called'
  /** As exact, with the first part of a parameter's name as its tag. */
  | 'mistagged'
  /** `name where p is "v"` */
  | 'told'
  /** A sentence that says what the command does. */
  | 'described'
  /** A sentence that several commands could be meant by. */
  | 'ambiguous'
  /** Words that no command could be meant by; asked back, the agent knows. */
  | 'unintelligible'
  /** As unintelligible; asked back, the agent wants the customer to decide. */
  | 'hopeless';

/** Shares of the commands in natural wording, in hundredths: 40 of them need more than the exact syntax's reader. */
const SHARES: readonly (readonly [Manner, number])[] = [
  ['exact', 50],
  ['misspelt', 5],
  ['shortened', 5],
  ['called', 9],
  ['mistagged', 8],
  ['told', 7],
  ['described', 9],
  ['ambiguous', 4],
  ['unintelligible', 2],
  ['hopeless', 1],
];

/** How a move's command is worded when it is given for the first time. */
export function mannerOf(move: Move | undefined, episode: string, position: number, wording: Wording): Manner {
  if (wording === 'exact' || move?.kind !== 'call' || move.garbled === true) return 'exact';
  let draw = drawUnit(`${episode} ${position} wording`) * 100;
  for (const [manner, share] of SHARES) {
    if (draw < share) return possible(manner, move.action);
    draw -= share;
  }
  return 'exact';
}

/** @param names of all tools: a name that is cut short must still be told from them */
export function wordCommand(action: Action, manner: Manner, position: number, names: readonly string[]): string {
  const { name, kwargs } = action;
  switch (manner) {
    case 'exact':
      return writeCommand(name, kwargs);
    case 'misspelt':
      return writeCommand(misspell(name), kwargs);
    case 'shortened':
      return writeCommand(shorten(name, names), kwargs);
    case 'called':
      return `${name}(${parameterList(action, '=', ', ')})`;
    case 'mistagged':
      return writeCommand(name, new Map(Array.from(kwargs, ([field, value]) => [firstPart(field), value])));
    case 'told':
      return `${name}${introduced(' where ', action)}`;
    case 'described':
      return `Please ${describe(name, position)}${introduced(': ', action)}.`;
    case 'ambiguous':
      return `Something about the ${commonNoun(name, names) ?? 'matter'}${introduced(': ', action)}.`;
    case 'unintelligible':
      return `Onwards, as I said before (${position + 1}).`;
    case 'hopeless':
      return `Whatever comes to mind (${position + 1}).`;
  }
}

/** Commands without parameters, or with one, leave less to get wrong. */
function possible(manner: Manner, { name, kwargs }: Action): Manner {
  if (manner === 'mistagged') return canBeMistagged([...kwargs.keys()]) ? manner : 'told';
  if (manner === 'ambiguous') return name.includes('_') ? manner : 'described';
  return manner;
}

/** Whether first parts are other tags than the fields', and tell them apart. One field may have any tag. */
function canBeMistagged(fields: readonly string[]): boolean {
  const parts = fields.map(firstPart);
  return fields.length > 1 && new Set(parts).size === fields.length && parts.some((part, i) => part !== fields[i]);
}

function firstPart(field: string): string {
  return field.split('_')[0] ?? field;
}

/** Swaps two letters within the last word: `get_order_detials`. */
function misspell(name: string): string {
  const at = name.length - 3;
  return name.slice(0, at - 1) + name.charAt(at) + name.charAt(at - 1) + name.slice(at + 1);
}

/** As short as can be told from all other names, at least four letters; to the end of the word where that is no more. */
function shorten(name: string, names: readonly string[]): string {
  const others = names.filter((other) => other !== name);
  for (let length = 4; length < name.length; length++) {
    if (others.some((other) => other.startsWith(name.slice(0, length)))) continue;
    const end = name.indexOf('_', length);
    return name.slice(0, end < 0 ? length : end);
  }
  return name;
}

/** `order_id="#W1", item_ids=["11", "12"]` */
function parameterList({ kwargs }: Action, equals: string, separator: string): string {
  return Array.from(kwargs, ([field, value]) => `${field}${equals}${dumpJson(value)}`).join(separator);
}

function introduced(by: string, action: Action): string {
  return action.kwargs.size === 0 ? '' : `${by}${parameterList(action, ' is ', ', ')}`;
}

/** Other words for the verbs that commands begin with. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  find: ['find', 'search for'],
  get: ['get', 'look up', 'show me'],
  list: ['list', 'tell me'],
  cancel: ['cancel', 'call off'],
  modify: ['modify', 'change'],
  update: ['update', 'change'],
  return: ['return', 'send back'],
  exchange: ['exchange', 'swap'],
  book: ['book', 'reserve'],
  calculate: ['calculate', 'work out'],
};

/** `look up the order details` */
function describe(name: string, position: number): string {
  const [first = name, ...rest] = name.split('_');
  const verbs = VERBS[first] ?? [first];
  const verb = verbs[position % verbs.length] ?? first;
  if (rest.length === 0) return `${verb} this`;
  const article = /^(?:to|all)$/.test(rest[0] ?? '') ? '' : 'the ';
  return `${verb} ${article}${rest.join(' ')}`;
}

/** The word of a name, but for its verb, that most other names have as well. */
function commonNoun(name: string, names: readonly string[]): string | undefined {
  const [, ...words] = name.split('_');
  const count = (word: string) => names.filter((other) => other !== name && other.split('_').includes(word)).length;
  return words.reduce<string | undefined>(
    (best, word) => (best === undefined || count(word) > count(best) ? word : best),
    undefined,
  );
}
