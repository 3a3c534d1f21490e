/**
 * Ids that a simulated user names. The shapes of a pack's ids are learned from its tables: keys of records, keys inside
 * records that repeat as a value, and fields that are called ids or numbers. No domain is known here.
 */

import { isDict, isList, type PyDict, type PyValue } from '../../benchmark/python/index.ts';
import { squash } from './conversation.ts';

const EMAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const TOKEN = /#?[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)*/gu;
/** Phrases that announce an id: "the confirmation code is", "ID:", "number #". */
const CUE = /\b(?:id|ids|number|code|reference)(?:\s+(?:is|was|would be))?(?:\s*[:=])?\s*["'`*(]*$/i;
/** Numbers that are announced as numbers and are none of these: "phone number is", "the number of bags is". */
const NO_CUE = /\b(?:phone|zip|postal|apartment|suite|house|room|seat|promo|of)\b[^.?!]{0,24}$/i;

/** Characters before an id among which what announces it is looked for. */
const CUE_CHARS = 100;
/** Longer ids and addresses are none: an e-mail address has at most 254 characters. */
const LONGEST = 254;
/** In one turn. Each is looked for in the whole conversation; nobody who plays a user says so many. */
const MOST = 100;

/** In the order in which they are said, as they are said, each once; the first {@link MOST}. */
export function findIds(text: string, shapes: IdShapes): string[] {
  const plain = text.replace(EMAIL, ' ');
  const ids = new Set<string>();
  for (const { 0: token, index } of plain.matchAll(TOKEN)) {
    if (ids.size === MOST) break;
    if (token.length > LONGEST) continue;
    const before = plain.slice(Math.max(0, index - CUE_CHARS), index);
    const cue = CUE.test(before) && !NO_CUE.test(before);
    if (shapes.isIdLike(token, cue) || (cue && isAnnounced(token))) ids.add(token);
  }
  return Array.from(ids);
}

export function findEmails(text: string): string[] {
  return Array.from(text.matchAll(EMAIL), ([email]) => email.replace(/\.$/, '')).filter(
    ({ length }) => length <= LONGEST,
  );
}

/** A text announced as an id is one even if no id of the pack is written so. */
function isAnnounced(token: string): boolean {
  return token.length >= 5 && /\d/.test(token) && !/^\d{4}-\d\d-\d\d$/.test(token);
}

export interface IdShapes {
  /** True if something said is written as ids of this pack are. @param cue whether it was announced as an id */
  readonly isIdLike: (token: string, cue: boolean) => boolean;
}

/** Ids of a kind that are written in more ways than this are codes: letters and digits in any order. */
const MOST_SKELETONS = 4;
/** Shorter numbers than this are told apart from years, prices and house numbers by nothing. */
const SHORTEST_NUMBER = 6;

const ID_FIELD = /(?:^|_)ids?$|_number$/;

/** Packs do not change, and are large. */
const learned = new WeakMap<PyDict, IdShapes>();

export function findIdShapes(tables: PyDict): IdShapes {
  const known = learned.get(tables);
  if (known !== undefined) return known;
  const shapes = learn(tables);
  learned.set(tables, shapes);
  return shapes;
}

function learn(tables: PyDict): IdShapes {
  const families = new Map<string, Set<string>>();
  const note = (family: string, id: string) => {
    const ids = families.get(family);
    if (ids === undefined) families.set(family, new Set([id]));
    else ids.add(id);
  };
  for (const [table, records] of tables) {
    if (!isDict(records)) continue;
    for (const [id, record] of records) {
      note(table, id);
      walk(record, note);
    }
  }
  const patterns: RegExp[] = [];
  const codeLengths = new Set<number>();
  for (const ids of families.values()) {
    const skeletons = groupBySkeleton(Array.from(ids));
    if (skeletons.length <= MOST_SKELETONS) patterns.push(...skeletons.flatMap(makePatterns));
    else for (const id of ids) if (/^[A-Z\d]+$/.test(id)) codeLengths.add(id.length);
  }
  return {
    isIdLike(token, cue) {
      const bare = token.replace(/^#/, '').toLowerCase();
      const joined = /\p{L}/u.test(bare) ? squash(bare) : bare;
      if (patterns.some((pattern) => pattern.test(bare) || pattern.test(joined))) return true;
      return codeLengths.has(token.length) && isCode(token, cue);
    },
  };
}

/** A word in capitals is a word, unless it was announced as an id. */
function isCode(token: string, cue: boolean): boolean {
  const hasDigit = /\d/.test(token);
  if (cue) return /^[A-Z\d]+$/.test(token) || (hasDigit && /^[a-z\d]+$/i.test(token));
  return hasDigit && /[A-Z]/.test(token) && /^[A-Z\d]+$/.test(token);
}

function walk(value: PyValue, note: (family: string, id: string) => void): void {
  if (isList(value)) for (const item of value) walk(item, note);
  if (!isDict(value)) return;
  for (const [key, inner] of value) {
    if (typeof inner === 'string' && ID_FIELD.test(key)) note(key, inner);
    // A record that bears its key: `{ card_1: { id: 'card_1' } }`.
    if (isDict(inner) && Array.from(inner.values()).includes(key)) note('bearer', key);
    walk(inner, note);
  }
}

interface Run {
  readonly kind: 'letters' | 'digits' | 'separator';
  readonly text: string;
}

function splitRuns(id: string): Run[] {
  return (id.replace(/^#/, '').match(/\p{L}+|\d+|[^\p{L}\d]+/gu) ?? []).map((text) => ({
    text,
    kind: /^\d/.test(text) ? 'digits' : /^\p{L}/u.test(text) ? 'letters' : 'separator',
  }));
}

/** Ids that differ in the lengths of their runs only. */
function groupBySkeleton(ids: readonly string[]): Run[][][] {
  const groups = new Map<string, Run[][]>();
  for (const id of ids) {
    const runs = splitRuns(id);
    const skeleton = runs.map(({ kind, text }) => (kind === 'separator' ? text : kind)).join('|');
    const group = groups.get(skeleton);
    if (group === undefined) groups.set(skeleton, [runs]);
    else group.push(runs);
  }
  return Array.from(groups.values());
}

/** A text without a digit could be any word. A user who invents an id may miscount its digits by one. */
function makePatterns(group: readonly (readonly Run[])[]): RegExp[] {
  const model = group[0] ?? [];
  if (!model.some(({ kind }) => kind === 'digits')) return [];
  const isParted = model.some(({ kind }) => kind === 'separator');
  const parts = model.map(({ kind }, at) => {
    if (kind === 'separator') return '[_-]';
    const lengths = group.map((runs) => runs[at]?.text.length ?? 0);
    const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
    if (kind === 'letters') return isParted ? '\\p{L}{2,}' : `\\p{L}{${String(least)},${String(most)}}`;
    if (isParted) return '\\d{3,}';
    return digits(least, most);
  });
  const whole = new RegExp(`^${parts.join('')}$`, 'u');
  const last = model.at(-1);
  const tails = group.map((runs) => runs.at(-1)?.text.length ?? 0);
  const isLongTail = isParted && last?.kind === 'digits' && Math.min(...tails) >= SHORTEST_NUMBER;
  // People say the number of a card without its kind.
  return isLongTail ? [whole, new RegExp(`^${digits(Math.min(...tails), Math.max(...tails))}$`)] : [whole];
}

function digits(least: number, most: number): string {
  const slack = least >= SHORTEST_NUMBER ? 1 : 0;
  return `\\d{${String(Math.max(least - slack, Math.min(least, SHORTEST_NUMBER)))},${String(most + slack)}}`;
}
