/** Reads statements as a model would: their parameters, and the commands that they may mean, from the words alone. */

import { isList, parseJson, type PyValue } from '../../../benchmarks/python/index.ts';

/** Reads the parameters of a statement. @returns the fields that it has */
export function readStatement(statement: string, fields: readonly string[]): Map<string, PyValue> {
  const found = new Map<string, PyValue>();
  for (const field of fields) {
    const value = namedValue(statement, field) ?? taggedValue(statement, field, fields);
    if (value !== undefined) found.set(field, value);
  }
  return found.size > 0 ? found : listedValues(statement, fields);
}

/** Reads one value in brackets, or as many JSON values as there are fields. */
function listedValues(statement: string, fields: readonly string[]): Map<string, PyValue> {
  const open = statement.indexOf('(');
  const close = statement.lastIndexOf(')');
  const isLast = close > open && /^[\s.]*$/.test(statement.slice(close + 1));
  const inside = (open >= 0 && isLast && statement.slice(open + 1, close).trim()) || undefined;
  const [only] = fields;
  if (inside === undefined || only === undefined) return new Map();
  const values = fields.length === 1 ? [jsonOrText(inside)] : jsonOrText(`[${inside}]`);
  if (!isList(values) || values.length !== fields.length) return new Map();
  return new Map(fields.map((field, i) => [field, values[i] ?? null]));
}

/** Reads the value after `field is`, `field=` or `field:`. */
function namedValue(statement: string, field: string): PyValue | undefined {
  const match = new RegExp(`(?<![\\w"])${field}(?:\\s*[=:]\\s*|\\s+is\\s+)`).exec(statement);
  if (match === null) return undefined;
  const rest = statement.slice(match.index + match[0].length);
  const end = jsonEnd(rest);
  return end === undefined ? (/^[^\s,;()]*[^\s,;().]/.exec(rest)?.[0] ?? undefined) : jsonOrText(rest.slice(0, end));
}

/** Reads the content of `<field>…</field>`, or of a tag that begins only this field's name. */
function taggedValue(statement: string, field: string, fields: readonly string[]): PyValue | undefined {
  for (const [tag, inside] of elementsIn(statement)) {
    const meant = fields.filter((name) => name === tag);
    const likely = meant.length > 0 ? meant : fields.filter((name) => name.startsWith(`${tag}_`));
    if (likely.length === 1 && likely[0] === field) return jsonOrText(inside.trim());
  }
  return undefined;
}

/** Yields each closed tag with its content, which includes inner tags. */
function* elementsIn(statement: string): Generator<[tag: string, inside: string]> {
  const closings = new Map<string, number[]>();
  for (const { 1: tag = '', index } of statement.matchAll(/<\/([A-Za-z_]\w*)>/g)) {
    const places = closings.get(tag);
    if (places === undefined) closings.set(tag, [index]);
    else places.push(index);
  }
  // Reversed, because lists are read from their ends.
  for (const places of closings.values()) places.reverse();
  let from = 0;
  for (const { 0: opening, 1: tag = '', index } of statement.matchAll(/<([A-Za-z_]\w*)>/g)) {
    if (index < from) continue;
    const places = closings.get(tag) ?? [];
    const start = index + opening.length;
    while ((places.at(-1) ?? Infinity) < start) places.pop();
    const end = places.at(-1);
    if (end === undefined) continue;
    yield [tag, statement.slice(start, end)];
    from = end + tag.length + 3;
  }
}

/** Parses lists and objects as JSON; other values may lack quotes. */
function jsonOrText(text: string): PyValue {
  if (!/^["[{]/.test(text)) return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** Finds the end of the JSON at the beginning of a text; undefined without JSON. */
function jsonEnd(text: string): number | undefined {
  if (!/^["[{]/.test(text)) return undefined;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') {
      do at += text.charAt(at) === '\\' ? 2 : 1;
      while (at < text.length && text.charAt(at) !== '"');
      if (at >= text.length) return undefined;
    } else if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth -= 1;
    else continue;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

/** Synonyms of the verbs that commands begin with. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  find: ['find', 'search for'],
  get: ['get', 'look up', 'show me'],
  list: ['list', 'tell me'],
  cancel: ['cancel', 'call off'],
  modify: ['modify', 'change'],
  update: ['update', 'change'],
  return: ['return', 'send back'],
  exchange: ['exchange'],
  book: ['book', 'reserve'],
  calculate: ['calculate', 'work out'],
};

/** Returns synonyms of a command's verb, and the verb itself. */
export function wordsForVerb(verb: string): readonly string[] {
  return Object.hasOwn(VERBS, verb) ? (VERBS[verb] ?? [verb]) : [verb];
}

/**
 * @param commands a command list with a line `- name: …` for each
 * @returns by command, the share of its name's words that are in the utterance, if any
 */
export function rankCommands(utterance: string, commands: string): Record<string, number> {
  const said = ` ${utterance.toLowerCase().replace(/\W+/g, ' ')} `;
  const has = (words: string) => said.includes(` ${words} `);
  const confidences: Record<string, number> = {};
  for (const [, name = ''] of commands.matchAll(/^- (\w+)/gm)) {
    const [verb = '', ...rest] = name.split('_');
    const matched = rest.filter(has).length + (wordsForVerb(verb).some(has) ? 1 : 0);
    if (matched > 0) confidences[name] = Math.round((100 * matched) / (rest.length + 1)) / 100;
  }
  return confidences;
}
