/**
 * The conversation from the simulated user's side: its messages, the information that it had before each message, and
 * the ids in them.
 */

import { RESPOND, STOP_MARKER, type EnvData } from '../../benchmarks/index.ts';
import { readReplyText, type AnalyzedEpisode, type UserFault, type UserFaultKind } from '../types.ts';
import { dumpJson, isDict, isList, type PyValue, type PyDict } from '../../benchmarks/python/index.ts';

export interface UserView {
  readonly data: EnvData;
  readonly episode: AnalyzedEpisode;
  readonly turns: readonly UserTurn[];
}

export type Detector = (view: UserView) => UserFault[];

/** Longest quote of a user, in characters; the record has the whole message. */
const LONGEST_QUOTE = 300;

export function makeUserFault(
  kind: UserFaultKind,
  severity: UserFault['severity'],
  { step, text }: Pick<UserTurn, 'step' | 'text'>,
  sentence: string,
): UserFault {
  const quote = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
  return { kind, severity, step, quote, sentence };
}

/** All earlier texts, both unchanged and {@link squash}ed. */
interface EarlierTexts {
  readonly raw: string;
  readonly squashed: string;
}

export interface UserTurn {
  /** Number of the step that the message answers, from 1; 0 for the opening. */
  readonly step: number;
  /** Text without the stop marker. */
  readonly text: string;
  readonly stops: boolean;
  /** The agent's message that the turn answers; null for the first turn. */
  readonly agentText: string | null;
  /** The instruction, and the agent's messages to the user so far. */
  readonly heard: EarlierTexts;
  /** Everything in {@link heard}, and tool calls and observations, which only the agent has seen. */
  readonly onRecord: EarlierTexts;
}

/**
 * Matches the code with which the scripted user names its task to the scripted agent. It is not misbehavior, because
 * the two need it to know their task.
 */
const SCRIPT_MARK = /\[case \S+ s-?\d+\]/g;

/** @returns true if the scripted user has written its task's code */
export function isScripted({ opening }: AnalyzedEpisode): boolean {
  return opening !== null && opening.search(SCRIPT_MARK) >= 0;
}

/**
 * Most characters of a message or call to read, half at its beginning and half at its end. Each turn is compared with
 * everything before it, so the time grows with the square of a conversation; ordinary messages have at most about
 * 2,000.
 */
const MAX_CHARS = 10_000;

/** Lists the user's turns in order; steps without a recorded answer are skipped. */
export function listUserTurns({ task, opening, steps }: AnalyzedEpisode): UserTurn[] {
  const turns: UserTurn[] = [];
  let heard = add(NOTHING, task.instruction);
  let onRecord = heard;
  if (opening !== null) turns.push(makeTurn(0, opening, null, heard, onRecord));
  for (const [at, step] of steps.entries()) {
    if (step.action.name !== RESPOND) {
      onRecord = add(onRecord, `${keepEnds(dumpJson(step.action.kwargs))}\n${step.observation ?? ''}`);
      continue;
    }
    const agentText = keepEnds(readReplyText(step));
    heard = add(heard, agentText);
    onRecord = add(onRecord, agentText);
    if (step.observation !== null) turns.push(makeTurn(at + 1, step.observation, agentText, heard, onRecord));
  }
  return turns;
}

/** Removes everything but letters and digits, in lower case, so that `#W 23-78` and `w2378` are equal. */
export function squash(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Splits a text into lower-case words; an apostrophe belongs to its word. */
export function splitIntoWords(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}]+(?:'[\p{L}]+)*/gu) ?? []
  );
}

/**
 * Computes `text.includes(part)` in time linear in both. The engine's own search compares a long part again at each
 * place with the same beginning (Knuth, Morris, Pratt).
 */
export function containsPhrase(text: string, part: string): boolean {
  const borders = new Int32Array(part.length);
  for (let at = 1, length = 0; at < part.length; at++) {
    while (length > 0 && part.charCodeAt(at) !== part.charCodeAt(length)) length = borders[length - 1] ?? 0;
    if (part.charCodeAt(at) === part.charCodeAt(length)) length++;
    borders[at] = length;
  }
  let matched = 0;
  for (let at = 0; at < text.length && matched < part.length; at++) {
    while (matched > 0 && text.charCodeAt(at) !== part.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
    if (text.charCodeAt(at) === part.charCodeAt(matched)) matched++;
  }
  return matched === part.length;
}

const NOTHING: EarlierTexts = { raw: '', squashed: '' };

/** Adds a text with a separator, so that no id spans two texts. */
function add({ raw, squashed }: EarlierTexts, text: string): EarlierTexts {
  return { raw: `${raw}\n${text}`, squashed: `${squashed}\n${squash(text)}` };
}

function makeTurn(
  step: number,
  said: string,
  agentText: string | null,
  heard: EarlierTexts,
  onRecord: EarlierTexts,
): UserTurn {
  const text = keepEnds(said).replaceAll(STOP_MARKER, ' ').replace(SCRIPT_MARK, '').trim();
  return { step, text, stops: said.includes(STOP_MARKER), agentText, heard, onRecord };
}

function keepEnds(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  return `${text.slice(0, MAX_CHARS / 2)}\n${text.slice(-MAX_CHARS / 2)}`;
}

/** Returns every text inside a value at any depth, without keys. */
export function collectTexts(value: PyValue): string[] {
  if (typeof value === 'string') return [value];
  if (isList(value)) return value.flatMap(collectTexts);
  if (isDict(value)) return Array.from(value.values()).flatMap(collectTexts);
  return [];
}

const EMAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const TOKEN = /#?[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)*/gu;
/** Matches phrases that announce an id: "the confirmation code is", "ID:", "number #". */
const CUE = /\b(?:id|ids|number|code|reference)(?:\s+(?:is|was|would be))?(?:\s*[:=])?\s*["'`*(]*$/i;
/** Matches phrases that announce other numbers: "phone number is", "the number of bags is". */
const NO_CUE = /\b(?:phone|zip|postal|apartment|suite|house|room|seat|promo|of)\b[^.?!]{0,24}$/i;

/** Number of characters before an id in which a phrase may announce it. */
const CUE_CHARS = 100;
/** Longest id or address: an e-mail address has at most 254 characters. */
const LONGEST = 254;
/** Most ids in one turn to check, because each is searched in the whole conversation. */
const MOST = 100;

/** Finds ids in their order, each once; at most {@link MOST}. */
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

/** True if a phrase announces the text as an id, even if no id of the pack looks like it. */
function isAnnounced(token: string): boolean {
  return token.length >= 5 && /\d/.test(token) && !/^\d{4}-\d\d-\d\d$/.test(token);
}

export interface IdShapes {
  /** True if a text looks like an id of this pack. @param cue true if it was announced as an id */
  readonly isIdLike: (token: string, cue: boolean) => boolean;
}

/** Most different forms of a kind of id. A kind with more forms is a code: letters and digits in any order. */
const MOST_SKELETONS = 4;
/** Digits of the shortest id. Shorter numbers may be years, prices or street numbers. */
const SHORTEST_NUMBER = 6;

const ID_FIELD = /(?:^|_)ids?$|_number$/;

/** Shapes by pack, cached because packs are large and do not change. */
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

/** True for a code. A word in capitals is a code only if a phrase announced it as an id. */
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
    // A record that contains its own key: `{ card_1: { id: 'card_1' } }`.
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

/** Groups ids that differ only in the lengths of their runs. */
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

/**
 * Makes patterns for ids. Ids need a digit, because other texts could be any word. A user who invents an id may
 * miscount its digits by one.
 */
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
  // People name a card by its number without its kind.
  return isLongTail ? [whole, new RegExp(`^${digits(Math.min(...tails), Math.max(...tails))}$`)] : [whole];
}

function digits(least: number, most: number): string {
  const slack = least >= SHORTEST_NUMBER ? 1 : 0;
  return `\\d{${String(Math.max(least - slack, Math.min(least, SHORTEST_NUMBER)))},${String(most + slack)}}`;
}
