/**
 * Features of an utterance, which a trained classifier uses. Features of a word are its stem and its three-letter
 * parts, which a mistyped word shares with the right one. The feature of a value is its shape (`#A9`, `9/10`, `a_a_9`),
 * not its content, so that nothing is learned about one order or one user. The feature of a tag is its name.
 *
 * Only the first words of a long text are used.
 */

import { stemmer } from 'stemmer';
import { scanTags } from './command-syntax.ts';

/** Most words and values of an utterance to use. */
const MAX_UNITS = 120;
/** Longest word; a longer one would cost the stemmer time. */
const LONGEST_WORD = 30;
/** Most characters of a text to read, outside of tags. */
const MAX_TEXT = 6_000;

interface Features {
  /** Distinct features in a fixed order. */
  readonly all: readonly string[];
  /** Features that are stems of lower-case words, because capitalized words may be names. */
  readonly words: readonly string[];
}

/** The stem of a word, or the shape of a value. */
interface Unit {
  readonly key: string;
  readonly word: string | null;
  readonly isName?: boolean;
}

export function readFeatures(utterance: string): Features {
  const features = new Set<string>();
  const tags = scanTags(utterance);
  let text = '';
  let at = 0;
  for (const { name, start, end } of tags.slice(0, MAX_UNITS)) {
    if (text.length < MAX_TEXT) text += `${utterance.slice(at, Math.min(start, at + MAX_TEXT))} `;
    at = end;
    features.add(`<${name.toLowerCase().slice(0, LONGEST_WORD)}>`);
  }
  text += utterance.slice(at, at + MAX_TEXT);
  const units = readUnits(text.slice(0, MAX_TEXT));
  if (tags.length > 0 && units.length === 0) features.add('<only>');
  let before = '^';
  for (const { key, word, isName } of units) {
    features.add(key);
    if (isName === true) features.add('Aa');
    if (word !== null) for (const part of listTrigrams(word)) features.add(part);
    if (word !== null && LIGHT.has(word)) continue;
    features.add(`${before} ${key}`);
    before = key;
  }
  features.add(`${before} $`);
  const words = units.filter(({ word, isName }) => word !== null && isName !== true && !LIGHT.has(word));
  return { all: [...features], words: [...new Set(words.map(({ key }) => key))] };
}

function readUnits(text: string): Unit[] {
  const units: Unit[] = [];
  const isShouted = !/\p{Ll}/u.test(text);
  for (const token of text.replace(/"[^"]*"/g, ' "" ').split(/\s+/)) {
    if (units.length >= MAX_UNITS) break;
    if (token === '') continue;
    if (token.length <= 2 * LONGEST_WORD) addToken(units, token, isShouted);
  }
  return units.slice(0, MAX_UNITS);
}

function addToken(units: Unit[], token: string, isShouted: boolean): void {
  if (/^[+*/=×-]+$/.test(token)) units.push({ key: '=op', word: null });
  if (/^[\d.,+*/()=-]+$/.test(token) && /\d\)?[+*/-]\(?\d/.test(token) && !DATE.test(token)) {
    units.push({ key: '=expr', word: null });
    return;
  }
  const bare = trimSigns(token);
  if (/^[^@]+@[^@]+\.[^@.]+$/.test(bare.split(/[=:]/).at(-1) ?? '')) {
    if (/[=:]/.test(bare)) addWords(units, bare.split(/[=:]/)[0] ?? '', isShouted);
    units.push({ key: '@', word: null });
    return;
  }
  if (/[?]/.test(token) && bare === '') return;
  for (const piece of bare.split(/[=:/>|,;]+/)) {
    if (/\d/.test(piece)) addValue(units, trimSigns(piece));
    else addWords(units, piece, isShouted);
  }
  if (token.endsWith('?')) units.push({ key: '?', word: null });
}

function addWords(units: Unit[], piece: string, isShouted: boolean): void {
  for (const written of piece
    .replace(/['’]s?$/u, '')
    .replace(/['’]/gu, '')
    .split(/[^\p{L}\p{M}]+/u)) {
    if (written === '' || written.length > LONGEST_WORD) continue;
    const word = written.toLowerCase();
    if (!isShouted && /^\p{Lu}{2,4}$/u.test(written)) units.push({ key: `A/${String(written.length)}`, word: null });
    units.push({ key: stemmer(word), word, isName: units.length > 0 && /^\p{Lu}\p{Ll}/u.test(written) });
  }
}

/** Adds a value's shape, and the words of an id with underscores: `gift_card_1` is about gift cards. */
function addValue(units: Unit[], value: string): void {
  if (value.includes('_')) {
    const parts = value.split('_');
    if (KINDS.has(parts.slice(0, -1).join('_'))) units.push({ key: `=${parts.slice(0, -1).join('_')}`, word: null });
  }
  units.push({ key: toShape(value), word: null });
}

const KINDS = new Set(['credit_card', 'debit_card', 'gift_card', 'paypal', 'certificate', 'bank_account']);

function toShape(value: string): string {
  if (/^[$€£]/.test(value)) return '$9';
  const runs = value
    .replace(/\p{Lu}+/gu, 'A')
    .replace(/\p{Ll}+/gu, 'a')
    .replace(/\d+/g, '9');
  if (/^[A9a]{3,}$/.test(runs)) return `mixed/${String(Math.min(value.length, 9))}`;
  if (/^\d+$/.test(value)) return `9/${String(Math.min(value.length, 12))}`;
  if (/^[A-Za-z]+\d+$/.test(value)) return `${runs}/${String(Math.min(value.length, 9))}`;
  return runs.slice(0, 12);
}

const DATE = /^\d{2,4}[-/]\d\d?[-/]\d{2,4}[.,]?$/;

function trimSigns(token: string): string {
  let start = 0;
  let end = token.length;
  while (start < end && '("\'`[{*-<>.'.includes(token.charAt(start))) start++;
  while (start < end && ')"\'`]}*.,;:!?<>'.includes(token.charAt(end - 1))) end--;
  return token.slice(start, end);
}

/** Returns the three-letter parts of a word, with its ends marked. */
function listTrigrams(word: string): string[] {
  if (word.length < 4 || LIGHT.has(word)) return [];
  const marked = `_${word}_`;
  return Array.from({ length: marked.length - 2 }, (_, at) => `~${marked.slice(at, at + 3)}`);
}

/** Words that are skipped between two words of a pair. */
const LIGHT = new Set(
  (
    'a an the of to for in on at by with and or as is are be was were been it its this that these those there their ' +
    'them they he she his her him i me my we us our you your please kindly could can would should will may do does did ' +
    'has have had so then now just also s t d ll re ve'
  ).split(' '),
);
