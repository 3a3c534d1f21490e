/**
 * Actions as text, for agents without a tool API: tau-bench's act and react, AgentBeats, and any form that a prompt
 * shows by an example.
 */

import { RESPOND } from '../../benchmarks/index.ts';
import { dumpJson } from '../../benchmarks/python/index.ts';
import { withoutLastBrace } from '../faults.ts';
import type { Move } from '../script.ts';

/** A text form of actions. */
export interface ActionForm {
  /** Text before and after the JSON. */
  readonly before: string;
  readonly after: string;
  /** Keys of the tool's name and of its arguments in the JSON; null: both are on labeled lines. */
  readonly keys: readonly [name: string, args: string] | null;
  /** Way of speaking to the user: by an action with `content`, by an object with this key, or in plain words. */
  readonly say: 'action' | 'plain' | { readonly key: string };
  /** True if a thought has its own section. */
  readonly hasThought: boolean;
}

const NAMES = 'name|tool|tool_name|action|function';
const ARGUMENTS = 'arguments|kwargs|args|parameters|input|action_input|tool_input';
/**
 * Matches the first key and value of an example, and the key of its arguments. In a tool's schema, the arguments' key
 * has a type as value.
 */
const EXAMPLE = new RegExp(
  String.raw`\\?"(${NAMES})\\?"\s*:\s*(?:\\?"[^"\\{}]{0,100}\\?"|<[^<>{}]{0,100}>|[\w.… |]{1,100}),\s*\\?"(${ARGUMENTS})\\?"\s*:(?!\s*\{\s*\\?"(?:type|properties)\\?")`,
);
const SAY_KEY = /\{\s*\\?"(message|reply|response|answer|final_answer|respond|say|text|content)\\?"\s*:/;

/** Tags around an action. */
const TAGS = ['json', 'tool_call', 'action', 'function_call'] as const;

/** @param prompt texts of the agent's prompt before its first move. @returns undefined if there is no text form */
export function findActionForm(prompt: string): ActionForm | undefined {
  const hasThought = /^Thought:$/m.test(prompt);
  if (/^Action Input:/m.test(prompt)) {
    return { before: 'Action: ', after: '', keys: null, say: 'plain', hasThought: true };
  }
  if (/^Action:$/m.test(prompt) && prompt.includes('"arguments"')) {
    return { before: 'Action:\n', after: '', keys: ['name', 'arguments'], say: 'action', hasThought };
  }
  const tag = TAGS.find((name) => prompt.includes(`<${name}>`) && prompt.includes(`</${name}>`));
  const [, name, args] = EXAMPLE.exec(prompt) ?? [];
  if (tag === undefined && name === undefined) return undefined;
  const keys = name !== undefined && args !== undefined ? ([name, args] as const) : keysOfWords(prompt);
  return {
    ...(tag === undefined ? { before: '', after: '' } : { before: `<${tag}>\n`, after: `\n</${tag}>` }),
    keys,
    say: findSayForm(prompt),
    hasThought: false,
  };
}

/** Finds the keys in a list of words, for a prompt without an example. */
function keysOfWords(prompt: string): readonly [string, string] {
  const args = ['arguments', 'kwargs', 'args'].map((key) => ({ key, at: prompt.lastIndexOf(`"${key}"`) }));
  const [last] = args.sort((a, b) => b.at - a.at);
  return ['name', last === undefined || last.at === -1 ? 'arguments' : last.key];
}

function findSayForm(prompt: string): ActionForm['say'] {
  if (new RegExp(String.raw`["'\`]${RESPOND}\\?["'\`]`).test(prompt)) return 'action';
  const key = SAY_KEY.exec(prompt)?.[1];
  return key === undefined ? 'plain' : { key };
}

export function writeMove(move: Move, form: ActionForm): string {
  const thought = form.hasThought ? `Thought:${form.keys === null ? ' ' : '\n'}${formatThought(move)}\n` : '';
  return `${thought}${move.kind === 'say' ? writeWords(move.text, form) : writeCall(move, form)}`;
}

function writeWords(text: string, { before, after, keys, say }: ActionForm): string {
  if (keys === null) return `Final Answer: ${text}`;
  if (say === 'plain') return text;
  const said = say === 'action' ? { [keys[0]]: RESPOND, [keys[1]]: { content: text } } : { [say.key]: text };
  return `${before}${dumpJson(said)}${after}`;
}

function writeCall({ action, garbled }: Extract<Move, { kind: 'call' }>, { before, after, keys }: ActionForm): string {
  const { name, kwargs } = action;
  if (keys === null) {
    const written = dumpJson(kwargs);
    return `${before}${name}\nAction Input: ${garbled === true ? withoutLastBrace(written) : written}`;
  }
  // A text that is not JSON would be shown to the user. This one ends the episode, as unreadable arguments of a tool
  // call do.
  const call = garbled === true ? { [keys[0]]: name } : { [keys[0]]: name, [keys[1]]: kwargs };
  return `${before}${dumpJson(call)}${after}`;
}

function formatThought(move: Move): string {
  return move.kind === 'say' ? 'I can answer the user now.' : `The next thing to do is ${move.action.name}.`;
}
