/**
 * Finds the commands that a text names in full: in a sentence, a numbered list, a code fence, a tag (`<command>NAME
 * …</command>`, `<NAME>…</NAME>`) or a JSON call (`{"name": …, "arguments": {…}}`, under any common key, in lists and
 * in objects).
 *
 * The agent's tool call runs only the first command. Its parameters are read from the text up to the next command, so
 * no command gets the parameters of another. Names within the tags of parameters are values, not commands.
 */

import type { Catalogue, CommandDefinition } from '../catalogue/definitions.ts';
import { ANSWERED, matchName } from './matching.ts';
import { keepOutermost, pairTags, writeTags, type Range, type Tag } from './command-syntax.ts';
import { dumpJson, isDict, isList, type PyDict, type PyValue } from '../../../benchmarks/python/index.ts';
import { parseLiteral, stringEnd } from '../json.ts';

interface WrittenCommand {
  /** Name in the catalogue's spelling. */
  readonly name: string;
  /** Text that contains the command's parameters. */
  readonly rest: string;
  /** Distinct names of later commands in the text. */
  readonly others: readonly string[];
}

type CommandReading =
  | { readonly kind: 'named'; readonly command: WrittenCommand }
  /** The text does not name the first command in full. */
  | {
      readonly kind: 'unnamed';
      /** The part of the text about the first command. */
      readonly text: string;
      readonly others: readonly string[];
    };

/** A command's name in the text. Only a JSON call has its own `rest`; for other mentions, it is read from the text. */
interface Mention extends Range {
  readonly name: string;
  readonly rest?: JsonCall['rest'];
}

/** Positions of names, tags and objects in a text; each list is sorted. */
interface Layout {
  readonly text: string;
  /** All tags, nested ones included. */
  readonly tags: readonly Tag[];
  /** Tags of parameters, whose content is values. */
  readonly values: readonly Tag[];
  /** JSON objects that are not calls. */
  readonly objects: readonly JsonObject[];
  readonly mentions: readonly Mention[];
}

export function readWritten(catalogue: Catalogue, text: string): CommandReading {
  const layout = layOut(catalogue, text);
  const { mentions } = layout;
  const [first] = mentions;
  if (first === undefined) return { kind: 'unnamed', text, others: [] };
  const head = text.slice(0, first.start);
  if (isCommand(catalogue, layout, head)) return { kind: 'unnamed', text: head, others: listNames(mentions) };
  const chosen = passOverAnnouncements(layout);
  const { name } = mentions[chosen] ?? first;
  const others = listNames(mentions.slice(chosen + 1));
  return { kind: 'named', command: { name, rest: readRest(catalogue, layout, chosen), others } };
}

/**
 * Lists the names of all commands in a text that look like calls, including repeated ones: JSON calls, and names at the
 * beginning of a line, or after signs of a list, a quotation, code or a tag. `abort` and similar words are included.
 */
export function listCommands(catalogue: Catalogue, text: string): string[] {
  const { mentions, values, objects } = layOut(catalogue, text);
  const isTaken = withinRanges([...values, ...objects, ...mentions].sort(byStart));
  const answered: Mention[] = Array.from(text.matchAll(ANSWERED), ({ 0: name, index }) => {
    return { name: name.toLowerCase(), start: index, end: index + name.length };
  }).filter(({ start }) => !isTaken(start));
  return [...mentions, ...answered]
    .filter(({ start, rest }) => rest !== undefined || beginsLine(text, start))
    .sort(byStart)
    .map(({ name }) => name);
}

const MOST_SIGNS = 40;

function beginsLine(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - MOST_SIGNS), start);
  const signs = before.slice(before.lastIndexOf('\n') + 1);
  if (signs.length === MOST_SIGNS) return false;
  return /^(?:[\s/>*•`"'-]|\d{1,3}[.)]\s|<\w{1,20}>)*$/u.test(signs);
}

/**
 * Splits a text without a full name into its first word, in lower case, and the text from which parameters are read.
 * Signs of a list, a quotation or code are not words.
 */
export function splitWord(text: string): { readonly name: string; readonly rest: string } {
  const signs = /^(?:[\s>*•`"'-]|\d{1,3}[.)](?=\s))*/u;
  const trimmed = text.slice(signs.exec(text)?.[0].length ?? 0).trimEnd();
  const name = /^[^\s(<]*/.exec(trimmed)?.[0] ?? '';
  return { name: name.toLowerCase(), rest: trimmed.slice(name.length) };
}

/** @param isInner true for the text of a JSON call, which contains no further calls */
function layOut(catalogue: Catalogue, text: string, isInner = false): Layout {
  const { fields, names } = findVocabulary(catalogue);
  const tags = pairTags(text);
  const values = keepOutermost(tags.filter(({ name }) => fields.has(name)));
  const objects: JsonObject[] = [];
  const mentions: Mention[] = [];
  for (const object of isInner ? [] : findObjects(text, withinRanges(values))) {
    const { start, end, value } = object;
    const calls = findCalls(catalogue, value, (inner) => callsInText(catalogue, inner));
    if (calls.length === 0) objects.push(object);
    for (const call of calls) mentions.push({ ...call, start, end });
  }
  const isValue = withinRanges(values);
  const isJson = withinRanges([...objects, ...mentions].sort(byStart));
  for (const match of text.matchAll(names)) {
    const { 0: found, index: start } = match;
    const end = start + found.length;
    // Undefined for letters that equal a name's only in some languages.
    const name = catalogue.find(found)?.name;
    if (name === undefined || isValue(start) || isJson(start) || text.startsWith('</', start - 2)) continue;
    if (!found.includes('_') && !isPlacedAsCommand(text, start, end)) continue;
    mentions.push({ name, start: text.charAt(start - 1) === '<' ? start - 1 : start, end });
  }
  return { text, tags, values, objects, mentions: mentions.sort(byStart) };
}

function callsInText(catalogue: Catalogue, text: string): JsonCall[] {
  const layout = layOut(catalogue, text, true);
  return layout.mentions.map(({ name }, at) => ({ name, rest: () => readRest(catalogue, layout, at) }));
}

interface Vocabulary {
  /** Names of the fields of all commands. */
  readonly fields: ReadonlySet<string>;
  /** Matches a command's name as a whole word. */
  readonly names: RegExp;
}

/** Vocabularies by catalogue, cached because catalogues do not change. */
const vocabularies = new WeakMap<Catalogue, Vocabulary>();

function findVocabulary(catalogue: Catalogue): Vocabulary {
  const known = vocabularies.get(catalogue);
  if (known !== undefined) return known;
  const { commands } = catalogue;
  const names = commands.map(({ name }) => name).sort((a, b) => b.length - a.length);
  const literal = (name: string) => name.replace(/\W/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
  const anyName = names.length === 0 ? '(?!)' : names.map(literal).join('|');
  const vocabulary = {
    fields: new Set(commands.flatMap((command) => command.fields.map(({ name }) => name))),
    names: new RegExp(`(?<![\\p{L}\\p{N}_])(?:${anyName})(?![\\p{L}\\p{N}_])`, 'giu'),
  };
  vocabularies.set(catalogue, vocabulary);
  return vocabulary;
}

/**
 * True if a name that is also a word, such as `calculate`, is used as a command: at the beginning of a line or list
 * item, or before parameters.
 */
function isPlacedAsCommand(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 20), start);
  const sinceLetter = before.split(/\p{L}/u).at(-1) ?? '';
  const isAtBeginning = sinceLetter.length === before.length || /[\n<]/.test(sinceLetter);
  return isAtBeginning || /^[*`"]{0,3}(?:\s{0,2}[<{]|\()/.test(text.slice(end, end + 6));
}

/** True if the text before the first name is a command with parameters or a mistyped name. */
function isCommand(catalogue: Catalogue, { values, objects }: Layout, head: string): boolean {
  if ([values[0], objects[0]].some((first) => first !== undefined && first.end <= head.length)) return true;
  const { name } = splitWord(head);
  return name.includes('_') && matchName(catalogue, name) !== null;
}

/**
 * Returns the first command's position among the mentions. In `I use NAME now: NAME <p>v</p>` the first mention only
 * announces it.
 */
function passOverAnnouncements({ text, mentions, values, objects }: Layout): number {
  for (const [at, mention] of mentions.entries()) {
    const next = mentions[at + 1];
    if (next?.name !== mention.name || mention.rest !== undefined) return at;
    if (/[(=#"'\p{N}]/u.test(text.slice(mention.end, next.start))) return at;
    // The first parameters after the mentions so far decide, so each mention takes only as long as its own text.
    const parameter = Math.min(values[0]?.start ?? Infinity, objects[0]?.start ?? Infinity);
    if (parameter < next.start) return at;
  }
  return 0;
}

/** Returns the text from a name to the end of its command. */
function readRest(catalogue: Catalogue, layout: Layout, at: number): string {
  const { text, mentions, values, objects } = layout;
  const mention = mentions[at];
  if (mention === undefined) return '';
  if (mention.rest !== undefined) return mention.rest();
  const end = findEnd(layout, mention, mentions[at + 1]);
  const from = text.charAt(mention.start) === '<' ? text.indexOf('>', mention.end) + 1 : mention.end;
  if (from === 0 || from > end) return '';
  const isWithin = ({ start, end: rangeEnd }: Range) => from <= start && rangeEnd <= end;
  const command = catalogue.find(mention.name);
  const object = values.some(isWithin) ? undefined : objects.find(isWithin);
  if (command === undefined || object === undefined) return text.slice(from, end);
  const written = argumentTags(command, object.value);
  if (written === '') return text.slice(from, end);
  return `${text.slice(from, object.start)}${written}${text.slice(object.end, end)}`;
}

/**
 * Returns the first of: the line of the next command, the end of the tag around the name, the end of the code block.
 */
function findEnd({ text, tags, values }: Layout, mention: Mention, next: Mention | undefined): number {
  let end = next === undefined ? text.length : findBeginning(text, values, mention.end, next.start);
  for (const { start, insideStart, inside } of tags) {
    if (start > mention.start) break;
    const insideEnd = insideStart + inside.length;
    if (mention.end <= insideEnd) end = Math.min(end, insideEnd);
  }
  const isValue = withinRanges(values);
  let fences = 0;
  for (let at = text.indexOf(FENCE); at >= 0 && at < end; at = text.indexOf(FENCE, at + FENCE.length)) {
    if (isValue(at)) continue;
    fences++;
    if (at >= mention.end && fences % 2 === 0) return at;
  }
  return end;
}

const FENCE = '```';

/** Returns the start of a command that follows another: the start of its line, unless the other is on the same line. */
function findBeginning(text: string, values: readonly Tag[], from: number, start: number): number {
  const line = from + text.slice(from, start).lastIndexOf('\n');
  const isOwnLine = line >= from && !values.some((value) => value.start < start && line < value.end);
  return isOwnLine ? line : start;
}

/** Returns a test of whether a position is in one of the ranges, for positions that never decrease. */
function withinRanges(ranges: readonly Range[]): (at: number) => boolean {
  let next = 0;
  return (at) => {
    while ((ranges[next]?.end ?? Infinity) <= at) next++;
    return (ranges[next]?.start ?? Infinity) <= at;
  };
}

function byStart(a: Range, b: Range): number {
  return a.start - b.start;
}

function listNames(mentions: readonly Mention[]): readonly string[] {
  return [...new Set(mentions.map(({ name }) => name))];
}

interface JsonObject extends Range {
  readonly value: PyDict;
}

interface JsonCall {
  readonly name: string;
  /** Returns the arguments as tags. It is a function, because only the first call's arguments are needed. */
  readonly rest: () => string;
}

const NAME_KEYS = ['name', 'command', 'command_name', 'tool', 'tool_name', 'function', 'action'];
const ARGUMENT_KEYS = ['arguments', 'parameters', 'args', 'kwargs', 'params', 'input', 'tool_input', 'action_input'];
/** Most opening braces that are tried without success; each costs a pass over the text. */
const MAX_FAILURES = 8;
/** Deepest nesting of a call within lists and objects. */
const MAX_DEPTH = 6;

/**
 * Finds the outermost JSON objects of a text, from left to right.
 * @param isOpaque true for a position to skip
 */
function findObjects(text: string, isOpaque: (at: number) => boolean): JsonObject[] {
  const objects: JsonObject[] = [];
  let failures = 0;
  for (let at = text.indexOf('{'); at >= 0 && failures < MAX_FAILURES;) {
    const end = isOpaque(at) ? undefined : objectEnd(text, at);
    const value = end === undefined ? undefined : parseLiteral(text.slice(at, end));
    if (end !== undefined && isDict(value)) objects.push({ start: at, end, value });
    else if (!isOpaque(at)) failures++;
    at = text.indexOf('{', isDict(value) && end !== undefined ? end : at + 1);
  }
  return objects;
}

/** Finds the end of an object by counting braces outside of double-quoted strings. */
function objectEnd(text: string, start: number): number | undefined {
  let depth = 0;
  const special = /[{}"]/g;
  special.lastIndex = start;
  for (let match = special.exec(text); match !== null; match = special.exec(text)) {
    if (match[0] === '"') {
      const end = stringEnd(text, match.index);
      if (end === undefined) return undefined;
      special.lastIndex = end;
      continue;
    }
    depth += match[0] === '{' ? 1 : -1;
    if (depth === 0) return special.lastIndex;
  }
  return undefined;
}

/**
 * Finds the calls in a JSON value, in their order.
 * @param inText reads a command that is the text of a name key
 */
function findCalls(catalogue: Catalogue, value: PyValue, inText: (text: string) => readonly JsonCall[]): JsonCall[] {
  const calls: JsonCall[] = [];
  const visit = (item: PyValue, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    if (isList(item)) for (const element of item) visit(element, depth + 1);
    if (!isDict(item)) return;
    const own = findCallsIn(catalogue, item, inText);
    for (const call of own) calls.push(call);
    if (own.length === 0) for (const element of item.values()) visit(element, depth + 1);
  };
  visit(value, 0);
  return calls;
}

function findCallsIn(
  catalogue: Catalogue,
  dict: PyDict,
  inText: (text: string) => readonly JsonCall[],
): readonly JsonCall[] {
  for (const key of NAME_KEYS) {
    const name = dict.get(key);
    if (typeof name !== 'string') continue;
    const command = catalogue.find(name.trim());
    if (command !== undefined) return [{ name: command.name, rest: () => argumentTags(command, dict, key) }];
    const written = inText(name);
    if (written.length > 0) return written;
  }
  return [];
}

/**
 * Writes the arguments in an object as tags: the object under a common key, otherwise the command's fields.
 * @param nameKey the key of the command's name, if there is one
 */
function argumentTags({ fields }: CommandDefinition, object: PyDict, nameKey?: string): string {
  for (const key of ARGUMENT_KEYS) {
    const given = object.get(key);
    if (isDict(given)) return toTags(given);
    if (typeof given !== 'string') continue;
    const parsed = parseLiteral(given);
    return isDict(parsed) ? toTags(parsed) : given;
  }
  const entries = [...object].filter(([name]) => name !== nameKey);
  if (nameKey === undefined && fields.length === 1 && entries.length === 1) return toTags(object);
  return toTags(new Map(entries.filter(([name]) => fields.some((field) => field.name === name))));
}

/** Writes parameters as tags; leaves out `null`. */
function toTags(parameters: PyDict): string {
  const given = [...parameters].filter(([name, value]) => value !== null && /^[A-Za-z_][\w.-]*$/.test(name));
  return writeTags(given.map(([name, value]) => [name, typeof value === 'string' ? value : dumpJson(value)]));
}
