/**
 * Reads a reply: split at marker lines as in DSPy, or one JSON object.
 *
 * Of several occurrences of a field, the first one is read; text after `[[ ## completed ## ]]` is ignored. Words before
 * the first field are the model's thought, unless the thought has its own marker.
 *
 * Small models often miss the exact form. A reply with only one possible meaning is read nevertheless (`isLoose`): with
 * decorated markers, in a fence, with a choice in other spelling, or with an argument without its object. Time is
 * linear in the text's length.
 */

import { dumpJson, isDict, type PyDict, type PyValue } from '../../../benchmarks/python/index.ts';
import { parseLiteral, parseLooseObject, stringEnd } from '../json.ts';
import type { OutputField } from './signatures.ts';

export interface ReplyFields {
  /** Values of text, choice and flag fields, trimmed; a flag is `true` or `false`. */
  readonly texts: ReadonlyMap<string, string>;
  /** Values of object fields. */
  readonly objects: ReadonlyMap<string, PyDict>;
}

export type Reply =
  | {
      readonly kind: 'fields';
      readonly fields: ReplyFields;
      /** True if the reply does not follow the form exactly. */
      readonly isLoose: boolean;
    }
  /** A readable reply with an invalid choice. */
  | { readonly kind: 'illegal_choice'; readonly field: string; readonly value: string }
  | { readonly kind: 'unreadable'; readonly problem: string };

/** @param text the model's words; null is an empty text */
export function parseReply(text: string | null, outputs: readonly OutputField[]): Reply {
  const { sections, lead, isLoose } = splitOnMarkers(text ?? '');
  if (outputs.some(({ name }) => sections.has(name))) return new FieldReader(outputs, isLoose).read(sections, lead);
  const object = (text ?? '').includes('{') ? findObject(text ?? '') : undefined;
  if (object === undefined) return { kind: 'unreadable', problem: 'it has neither field markers nor a JSON object' };
  return new FieldReader(outputs, false).read(object, beforeObject(text ?? ''));
}

/**
 * Returns the text of a reply without the required form, if only one text was requested.
 * @returns undefined if more than one text was requested, or without text
 */
export function readProse(text: string | null, outputs: readonly OutputField[]): ReplyFields | undefined {
  const [wanted, ...others] = outputs.filter(({ optional }) => optional !== true);
  const words = (text ?? '').trim();
  if (wanted?.kind !== 'text' || others.length > 0 || words === '' || /^[`\s]*[[{]|\[\[ *##/.test(words))
    return undefined;
  return {
    texts: new Map([...outputs.map(({ name }) => [name, ''] as const), [wanted.name, words]]),
    objects: new Map(),
  };
}

interface Split {
  readonly sections: ReadonlyMap<string, string>;
  /** The words before the first marker. */
  readonly lead: string;
  readonly isLoose: boolean;
}

const MARKER = /^\s*\[\[\s*##\s*(\w+)\s*##\s*\]\](.*)$/;
/** Matches a marker with Markdown around it, in other case, or without one of its signs. */
const LOOSE_MARKER =
  /^[\s>*_`#-]{0,20}\[\[\s{0,20}#{1,4}\s{0,20}(\w{1,100})\s{0,20}#{0,4}\s{0,20}\]\][*_`]{0,6}:?[*_`]{0,6}(.*)$/;
const FENCE = /^\s{0,20}(?:```|~~~)\w{0,20}\s*$/;

function splitOnMarkers(text: string): Split {
  const sections = new Map<string, string>();
  let lead = '';
  let isLoose = false;
  let isFenced = false;
  let field: string | null = null;
  let lines: string[] = [];
  const close = () => {
    if (field === null) {
      isFenced = FENCE.test(lines.findLast((line) => line.trim() !== '') ?? '');
      lead = lines
        .filter((line) => !FENCE.test(line))
        .join('\n')
        .trim();
    } else if (!sections.has(field)) {
      sections.set(field, lines.join('\n').trim());
    }
  };
  for (const line of text.split('\n')) {
    const exact = MARKER.exec(line);
    const match = exact ?? LOOSE_MARKER.exec(line);
    if (match === null) {
      lines.push(line);
      continue;
    }
    close();
    const name = match[1] ?? '';
    field = name.toLowerCase();
    isLoose ||= exact === null || field !== name;
    lines = [match[2] ?? ''];
  }
  if (isFenced && FENCE.test(lines.findLast((line) => line.trim() !== '') ?? '')) {
    lines = lines.slice(
      0,
      lines.findLastIndex((line) => line.trim() !== ''),
    );
  }
  close();
  return { sections, lead, isLoose: isLoose || isFenced };
}

/** Finds the first of several objects. */
function findObject(text: string): PyDict | undefined {
  return parseLooseObject(text) ?? firstObject(text);
}

function firstObject(text: string): PyDict | undefined {
  const start = text.indexOf('{');
  if (start < 0) return undefined;
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '"') i = (stringEnd(text, i) ?? text.length) - 1;
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) {
      const value = parseLiteral(text.slice(start, i + 1));
      return isDict(value) ? value : undefined;
    }
  }
  return undefined;
}

function beforeObject(text: string): string {
  const lines = text.slice(0, text.indexOf('{')).split('\n');
  return lines
    .filter((line) => !FENCE.test(line))
    .join('\n')
    .replace(/\[\s*$/, '')
    .trim();
}

/** Error of a field that cannot be read, which ends the reading of the reply. */
class FieldProblem extends Error {}

class FieldReader {
  readonly #outputs: readonly OutputField[];
  readonly #texts = new Map<string, string>();
  readonly #objects = new Map<string, PyDict>();
  #isLoose: boolean;

  constructor(outputs: readonly OutputField[], isLoose: boolean) {
    this.#outputs = outputs;
    this.#isLoose = isLoose;
  }

  read(values: ReadonlyMap<string, PyValue>, lead: string): Reply {
    try {
      for (const field of this.#outputs) if (field.kind !== 'object') this.#readText(field, values.get(field.name));
      this.#keepLead(lead);
      const illegal = this.#checkChoices();
      if (illegal !== undefined) return illegal;
      for (const field of this.#outputs) {
        if (field.kind === 'object') this.#objects.set(field.name, this.#readObject(field, values.get(field.name)));
      }
    } catch (error) {
      if (error instanceof FieldProblem) return { kind: 'unreadable', problem: error.message };
      throw error;
    }
    return { kind: 'fields', fields: { texts: this.#texts, objects: this.#objects }, isLoose: this.#isLoose };
  }

  #readText(field: OutputField, value: PyValue | undefined): void {
    if (value === undefined || value === null) {
      if (field.optional !== true) throw new FieldProblem(`the field ${field.name} is missing`);
      this.#texts.set(field.name, '');
    } else if (field.kind === 'flag') {
      const flag = asFlag(asText(value));
      if (flag === undefined) throw new FieldProblem(`the field ${field.name} is not true or false`);
      this.#texts.set(field.name, flag);
    } else {
      this.#texts.set(field.name, asText(value).trim());
    }
  }

  /** Uses the words before the first marker as the thought, because models often leave out its marker. */
  #keepLead(lead: string): void {
    const [first] = this.#outputs;
    if (first?.kind !== 'text' || first.optional !== true || lead === '') return;
    if (this.#texts.get(first.name) !== '') return;
    this.#texts.set(first.name, lead);
    this.#isLoose = true;
  }

  #checkChoices(): Reply | undefined {
    for (const field of this.#outputs) {
      if (field.kind !== 'choice') continue;
      const value = (this.#texts.get(field.name) ?? '').replace(/^(["'])(.*)\1$/, '$2');
      const choice = field.choices.includes(value) ? value : this.#findChoice(value, field.choices);
      if (choice === undefined) return { kind: 'illegal_choice', field: field.name, value };
      this.#texts.set(field.name, choice);
    }
    return undefined;
  }

  #findChoice(value: string, choices: readonly string[]): string | undefined {
    const plain = plainName(value);
    const [found, ...others] = choices.filter((choice) => plainName(choice) === plain);
    if (found === undefined || others.length > 0) return undefined;
    this.#isLoose = true;
    return found;
  }

  #readObject(field: OutputField & { readonly kind: 'object' }, value: PyValue | undefined): PyDict {
    const isMissing = value === undefined || value === null;
    const found = isMissing ? undefined : findObject(asText(value));
    const key = this.#findArgument(field);
    if (key === undefined) {
      if (found !== undefined) return found;
      if (isMissing) throw new FieldProblem(`the field ${field.name} is missing`);
      throw new FieldProblem(`the field ${field.name} is not a JSON object`);
    }
    if (key === null) {
      this.#isLoose ||= found === undefined;
      return found ?? new Map<string, PyValue>();
    }
    const written = isMissing ? '' : asText(value).trim();
    // `None` also means no argument.
    const isNone = found?.size === 0 && !isMissing && !written.includes('{');
    if (found !== undefined && (found.has(key) || isNone)) return found;
    const [only, ...others] = found?.values() ?? [];
    const bare =
      typeof only === 'string' && others.length === 0 && written.startsWith('{') ? only : bareText(written, key);
    if (bare !== '' && !bare.startsWith('{')) {
      this.#isLoose = true;
      return new Map([[key, bare]]);
    }
    if (found !== undefined && !isMissing) return found;
    throw new FieldProblem(`the field ${field.name} is ${isMissing ? 'missing' : 'not a JSON object'}`);
  }

  /**
   * Returns the name of the only argument of a choice. @returns null for a choice without an argument; undefined for an
   * unknown choice
   */
  #findArgument({ argumentOf }: OutputField & { readonly kind: 'object' }): string | null | undefined {
    const choice = this.#outputs.find(({ kind }) => kind === 'choice');
    const chosen = this.#texts.get(choice?.name ?? '') ?? '';
    return argumentOf !== undefined && Object.hasOwn(argumentOf, chosen) ? argumentOf[chosen] : undefined;
  }
}

/** Normalizes a name: `**Execute-Workflow Query**()` becomes `execute_workflow_query`. */
function plainName(text: string): string {
  const words = text.slice(0, 200).toLowerCase().split(/[\W_]/);
  return words.filter((word) => word !== '').join('_');
}

/**
 * Returns the value of a tool's only argument, if it is written without its object: `get_x <id>1</id>`, also as
 * `command: "…"`.
 */
function bareText(written: string, key: string): string {
  const lines = written.split('\n').filter((line) => !FENCE.test(line));
  let text = lines.join('\n').trim();
  const named = new RegExp(String.raw`^["']?${key}["']?\s{0,20}[:=]`, 'i').exec(text);
  if (named !== null) text = text.slice(named[0].length).trim();
  const literal = text.startsWith('"') ? parseLiteral(text) : undefined;
  if (typeof literal === 'string') return literal.trim();
  return text.replace(/^(["'`])([^]*)\1$/, '$2').trim();
}

function asFlag(text: string): 'true' | 'false' | undefined {
  const word = text
    .trim()
    .replace(/^(["'`])(.*)\1$/, '$2')
    .replace(/\.$/, '')
    .trim()
    .toLowerCase();
  if (word === 'true' || word === 'yes') return 'true';
  return word === 'false' || word === 'no' ? 'false' : undefined;
}

/** Returns a text. A JSON reply may have a list of steps instead, whose JSON is then the text. */
function asText(value: PyValue): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join('\n');
  return dumpJson(value);
}
