/**
 * The project’s language: one word for one thing.
 *
 * `test/language/words.ts` lists the words that are not used, each with its replacement.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { WORDS, type AvoidedWord } from './language/words.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

function filesBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(root + folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => `${entry.parentPath.slice(root.length)}/${entry.name}`.replaceAll('//', '/'))
    .sort();
}

const read = (path: string) => readFileSync(root + path, 'utf8');

/** Prose of a page: without code, which quotes the program, and without the targets of links. */
function proseOf(markdown: string): string {
  return markdown
    .replaceAll(/^(?:```|~~~)[^]*?^(?:```|~~~)$/gm, '')
    .replaceAll(/`[^`]*`/g, '`code`')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/^\[[^\]]+\]: .*$/gm, '')
    .replaceAll(/https?:\S+/g, '');
}

/** Titles of tests, one a line. */
function titlesOf(source: string): string {
  const titles = source.matchAll(
    /(?:\b(?:it|describe|describeWith\w+|test)(?:\.\w+)?|\))\(\s*(['"`])((?:\\.|(?!\1).)+)\1/g,
  );
  return Array.from(titles, ([, , title]) => title).join('\n');
}

/** Words in lower case with single spaces, identifiers split: `customerSays` is `customer says`. */
function plainWords(text: string): string {
  const split = text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/[_\s*-]+/g, ' ');
  return split.toLowerCase();
}

function hasWord({ pattern, except }: AvoidedWord, plain: string): boolean {
  return pattern.test(except === undefined ? plain : plain.replaceAll(except, ' '));
}

/** `path: word: what to write` for each avoided word of the texts. */
function findAvoided(texts: ReadonlyMap<string, string>): string[] {
  return [...texts].flatMap(([path, text]) => {
    const plain = plainWords(text);
    return WORDS.flatMap((word) => {
      if (word.allowedIn?.some((start) => path.startsWith(start)) === true) return [];
      return hasWord(word, plain) ? [`${path}: ${word.word}: ${word.use}`] : [];
    });
  });
}

/** Data: the texts that agents and their users may say, and what is learned from them. */
const CLASSIFIER_DATA = /^src\/agents\/fastworkflow\/training\/(?:phrases|values)\.ts$/;

describe('The language', () => {
  it('of pages follows the glossary', () => {
    const pages = ['README.md', ...filesBelow('docs', /\.md$/)];
    expect(findAvoided(new Map(pages.map((path) => [path, proseOf(read(path))])))).toEqual([]);
  });

  it('of code and test titles follows the glossary', () => {
    const sources = ['src', 'workflows', 'activities', 'packages/task-generator/src', 'perf']
      .flatMap((folder) => filesBelow(folder, /\.(?:[cm]?[jt]s|tsx|css)$/))
      .filter((path) => !CLASSIFIER_DATA.test(path));
    const tests = filesBelow('test', /\.test\.ts$/).filter((path) => !path.startsWith('test/fixtures/'));
    const texts = new Map([
      ...sources.map((path): [string, string] => [path, read(path)]),
      ...tests.map((path): [string, string] => [path, titlesOf(read(path))]),
    ]);
    expect(findAvoided(texts)).toEqual([]);
  });

  it('of code has one doc comment for each declaration', () => {
    const sources = ['src', 'workflows', 'activities'].flatMap((folder) => filesBelow(folder, /\.tsx?$/));
    // An empty line separates the comment of a file from the comment of its first declaration.
    expect(sources.filter((path) => /\*\/\n[ ]*\/\*\*/.test(read(path)))).toEqual([]);
  });
});
