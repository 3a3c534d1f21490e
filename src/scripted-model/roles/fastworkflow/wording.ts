/**
 * The scripted agent's wording of a command: exact, or like a model's, with a form for each tier of FastWorkflow's
 * understanding. The case code and the move's number determine it, so that an episode is repeatable. Values can be read
 * from the text alone ({@link ./statement.ts}). No sentence begins like the name of a command.
 */

import { writeCommand } from '../../../agents/index.ts';
import { dumpJson } from '../../../benchmarks/python/index.ts';
import type { Action } from '../../../benchmarks/index.ts';
import { drawFraction, shuffleByText } from '../../case-code.ts';
import type { Move, ToolShape } from '../../script.ts';
import { wordsForVerb } from './statement.ts';

/** Wording of commands: `exact` for name and XML tags throughout, or `natural` for a model's wording. */
export type Wording = 'exact' | 'natural';

/** Form of a command. */
export type Manner =
  /** The exact form: `name <p>v</p>`. */
  | 'exact'
  /** The exact form in a numbered list. */
  | 'numbered'
  /** The exact form in a code block. */
  | 'fenced'
  /** The exact form after an introduction. */
  | 'introduced'
  /** The exact form in a tag: `<command>name <p>v</p></command>`. */
  | 'wrapped'
  /** The name as a tag: `<name><p>v</p></name>`. */
  | 'tagged'
  /** A JSON call: `{"name": "name", "arguments": {"p": "v"}}`. */
  | 'json'
  /** A numbered list whose second item is the episode's next command. */
  | 'paired'
  /** The exact form after a reasoning block that drafts a transfer ({@link DRAFT}). */
  | 'drafted'
  /** The exact form, with two letters of the name swapped. */
  | 'misspelt'
  /** The exact form, with the shortest unique beginning of the name. */
  | 'shortened'
  /** A function call: `name(p="v")`. */
  | 'called'
  /** The exact form, with the first part of a parameter's name as its tag. */
  | 'mistagged'
  /** A phrase with the name: `name where p is "v"`. */
  | 'told'
  /** A sentence that describes the command. */
  | 'described'
  /** A sentence that may mean several commands. */
  | 'ambiguous'
  /** The agent's own word for a command. The agent explains it on request; later the word should be known. */
  | 'jargon'
  /** Words that mean no command. On request, the agent lets the user decide. */
  | 'hopeless';

/** Most parameters in a sentence that have their names. */
const FEW = 2;
/** Probability that an episode's agent has its own word for a command. */
const JARGON = 0.03;
/** Shares of the other forms, in percent. About 40 need more than reading names and tags. */
const SHARES: readonly (readonly [Manner, number])[] = [
  ['exact', 22],
  ['numbered', 3],
  ['fenced', 4],
  ['introduced', 3],
  ['wrapped', 3],
  ['tagged', 3],
  ['json', 4],
  ['paired', 4],
  ['drafted', 4],
  ['misspelt', 5],
  ['shortened', 5],
  ['called', 10],
  ['mistagged', 8],
  ['told', 7],
  ['described', 10],
  ['ambiguous', 4],
  ['hopeless', 1],
];

/** Returns the form of a command when it is written for the first time. */
export function chooseManner(move: Move | undefined, episode: string, position: number, wording: Wording): Manner {
  if (wording === 'exact' || move?.kind !== 'call' || move.garbled === true) return 'exact';
  const { name, kwargs } = move.action;
  if (kwargs.size <= FEW && drawFraction(`${episode} ${name} jargon`) < JARGON) return 'jargon';
  let draw = drawFraction(`${episode} ${position} wording`) * 100;
  for (const [manner, share] of SHARES) {
    if (draw < share) return toPossibleManner(manner, move.action);
    draw -= share;
  }
  return 'exact';
}

/** The reasoning of a `drafted` reply. An agent that executes drafts fails its task. */
export const DRAFT = [
  '<think>',
  'A person could do this. A first draft:',
  '',
  '[[ ## next_thought ## ]]',
  'I hand the customer over.',
  '',
  '[[ ## next_tool_name ## ]]',
  'execute_workflow_query',
  '',
  '[[ ## next_tool_args ## ]]',
  '{"command": "transfer_to_human_agents <summary>The customer needs a person.</summary>"}',
  '',
  'No, a command does it.',
  '</think>',
].join('\n');

/**
 * Words a command. @param tools all tools of the domain, from which a shortened name must differ
 * @param following the episode's next command
 */
export function wordCommand(
  action: Action,
  manner: Manner,
  position: number,
  tools: readonly ToolShape[],
  following?: Action,
): string {
  const { name, kwargs } = action;
  const names = tools.map((tool) => tool.name);
  switch (manner) {
    case 'exact':
    case 'drafted':
      return writeCommand(name, kwargs);
    case 'numbered':
      return `1. ${writeCommand(name, kwargs)}`;
    case 'fenced':
      return `\`\`\`\n${writeCommand(name, kwargs)}\n\`\`\``;
    case 'introduced':
      return `Please run:\n${writeCommand(name, kwargs)}`;
    case 'wrapped':
      return `<command>${writeCommand(name, kwargs)}</command>`;
    case 'tagged':
      return `<${name}>${writeCommand('', kwargs)}</${name}>`;
    case 'json':
      return dumpJson({ name, arguments: kwargs });
    case 'paired': {
      const next = following === undefined ? '' : `\n2. ${writeCommand(following.name, following.kwargs)}`;
      return `1. ${writeCommand(name, kwargs)}${next}`;
    }
    case 'misspelt':
      return writeCommand(misspell(name), kwargs);
    case 'shortened':
      return writeCommand(shorten(name, names), kwargs);
    case 'called':
      return `${name}(${parameterList(action, '=', ', ')})`;
    case 'mistagged':
      return writeCommand(name, new Map(Array.from(kwargs, ([field, value]) => [firstPart(field), value])));
    case 'told':
      return kwargs.size === 0 ? name : `${name} where ${parameterList(action, ' is ', ', ')}`;
    case 'described':
      return `Please ${describe(name, position)}${formatValues(action, tools)}.`;
    case 'ambiguous':
      return `Something about the ${commonNoun(name, names) ?? 'matter'}.`;
    case 'jargon':
      return `Do the ${inventName(name)}${formatValues(action, tools)}.`;
    case 'hopeless':
      return `Abracadabra (${position + 1}).`;
  }
}

/** Returns the form if it is possible for a command, otherwise another; some forms need one or two parameters. */
function toPossibleManner(manner: Manner, { name, kwargs }: Action): Manner {
  if (manner === 'mistagged') return canBeMistagged([...kwargs.keys()]) ? manner : 'told';
  if (manner === 'ambiguous') return name.includes('_') ? manner : 'described';
  return manner;
}

/** True if the first parts of the fields' names are unique tags. A single field may have any tag. */
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

/** Shortens a name to at least four letters, to the shortest unique beginning or to the end of a word. */
function shorten(name: string, names: readonly string[]): string {
  const others = names.filter((other) => other !== name);
  for (let length = 4; length < name.length; length++) {
    if (others.some((other) => other.startsWith(name.slice(0, length)))) continue;
    const end = name.indexOf('_', length);
    return name.slice(0, end < 0 ? length : end);
  }
  return name;
}

/** Formats parameters: `order_id="#W1", item_ids=["11", "12"]`. */
function parameterList({ kwargs }: Action, equals: string, separator: string): string {
  return Array.from(kwargs, ([field, value]) => `${field}${equals}${dumpJson(value)}`).join(separator);
}

/**
 * Formats parameters for the end of a sentence without the command's name. If there are many, their names are left out,
 * because they would fit every command with these parameters.
 */
function formatValues(action: Action, tools: readonly ToolShape[]): string {
  const { name, kwargs } = action;
  if (kwargs.size === 0) return '';
  const order = tools.find((tool) => tool.name === name)?.required ?? [];
  const isOrdered = order.length === kwargs.size && order.every((field) => kwargs.has(field));
  if (kwargs.size <= FEW || !isOrdered) return `: ${parameterList(action, ' is ', ', ')}`;
  return ` (${order.map((field) => dumpJson(kwargs.get(field) ?? null)).join(', ')})`;
}

/** Describes a command: `look up the order details`. */
function describe(name: string, position: number): string {
  const [first = name, ...rest] = name.split('_');
  const verbs = wordsForVerb(first);
  const verb = verbs[position % verbs.length] ?? first;
  if (rest.length === 0) return `${verb} this`;
  const article = /^(?:to|all)$/.test(rest[0] ?? '') ? '' : 'the ';
  return `${verb} ${article}${rest.join(' ')}`;
}

/** Finds the word of a name, other than its verb, that most other names have. */
function commonNoun(name: string, names: readonly string[]): string | undefined {
  const [, ...words] = name.split('_');
  const count = (word: string) => names.filter((other) => other !== name && other.split('_').includes(word)).length;
  return words.reduce<string | undefined>(
    (best, word) => (best === undefined || count(word) > count(best) ? word : best),
    undefined,
  );
}

/** Returns three meaningless words that depend only on the name. */
function inventName(name: string): string {
  const syllables = ['zan', 'quib', 'mor', 'vel', 'trosk', 'lim', 'garn', 'plo', 'dref', 'ush'];
  const word = (dice: string) => shuffleByText(syllables, `${name} ${dice}`).slice(0, 3).join('');
  return [word('a'), word('b'), word('c')].join(' ');
}
