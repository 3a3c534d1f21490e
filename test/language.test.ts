/** One word for one thing: `test/language/words.ts` lists the words that pages do not use, each with its replacement. */

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

/** Words in lower case with single spaces, identifiers split: `customerSays` is `customer says`. */
function plainWords(text: string): string {
  const split = text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/[_\s*-]+/g, ' ');
  return split.toLowerCase();
}

function countOf({ pattern, except }: AvoidedWord, plain: string): number {
  const text = except === undefined ? plain : plain.replaceAll(except, ' ');
  return text.match(pattern)?.length ?? 0;
}

describe('The language', () => {
  it.each(['README.md', ...filesBelow('docs', /\.md$/)])('of %s follows the glossary', (path) => {
    const plain = plainWords(proseOf(read(path)));
    const found = WORDS.flatMap((word) => (countOf(word, plain) > 0 ? [`${word.word}: ${word.use}`] : []));
    expect(found).toEqual([]);
  });
});
