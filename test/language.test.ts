/**
 * The project’s language: one word for one thing, and doc comments that begin with a statement.
 *
 * `test/language/words.ts` lists the words that are not used, each with its replacement. Documentation has none of
 * them. For code, `test/language/limits.json` holds how many each module still has; a limit only ever falls. Run
 * `LOWER_LIMITS=1 npm test -- test/language.test.ts` after removing some.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { WORDS, type AvoidedWord } from './language/words.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const limitsFile = `${root}test/language/limits.json`;

/** A count for each module, for each word; `doc comments` are those that begin with a headless clause. */
type Counts = Record<string, Record<string, number>>;

const HEADLESS = 'headless doc comments';
/** Words that begin a clause without its noun: question words, prepositions and conjunctions. */
const CLAUSE_WORDS =
  'What|How|Where|Whether|Who|Whom|Whose|Why|When|Which|Of|As|In|By|For|With|Without|From|On|To|At|Than|Only|If|Not|No|Or|' +
  'And|Because|So|While|Until|Since|Also|Like|Beside|Between|Behind|Before|After|Below|Above|Out|Up|Into|Against|Per|Among|' +
  'Through|Under|Over|Within';
const HEADLESS_COMMENT = new RegExp(String.raw`/\*\*\s*(?:\*\s*)?(?:${CLAUSE_WORDS})\b`, 'g');

function filesBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(root + folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => `${entry.parentPath.slice(root.length)}/${entry.name}`.replaceAll('//', '/'))
    .sort();
}

const read = (path: string) => readFileSync(root + path, 'utf8');

/** The folder that answers for a file: `src/cli`, `src/results/report`, `workflows`. */
function moduleOf(path: string): string {
  const [top = '', second, third, ...deeper] = path.split('/');
  if (top === 'test') return third === undefined ? 'test' : `test/${second}`;
  if (top !== 'src') return top;
  const nested = deeper.length > 0 && ['results', 'temporal', 'pack-tools', 'agent-service'].includes(second ?? '');
  return nested ? `src/${second}/${third}` : third === undefined ? 'src' : `src/${second}`;
}

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

function countOf({ pattern, except }: AvoidedWord, plain: string): number {
  const text = except === undefined ? plain : plain.replaceAll(except, ' ');
  return text.match(pattern)?.length ?? 0;
}

function countWords(texts: ReadonlyMap<string, string>): Counts {
  const counts: Counts = {};
  for (const [path, text] of texts) {
    const plain = plainWords(text);
    for (const word of WORDS) {
      if (word.allowedIn?.some((start) => path.startsWith(start)) === true) continue;
      const found = countOf(word, plain);
      if (found === 0) continue;
      const modules = (counts[word.word] ??= {});
      modules[moduleOf(path)] = (modules[moduleOf(path)] ?? 0) + found;
    }
  }
  return counts;
}

/** Data: the texts that agents and their users may say, and what is learned from them. */
const CLASSIFIER_DATA = /^src\/agents\/fastworkflow\/training\/(?:phrases|values)\.ts$/;

function codeCounts(): Counts {
  const sources = ['src', 'workflows', 'activities', 'packages/task-generator/src', 'perf']
    .flatMap((folder) => filesBelow(folder, /\.(?:[cm]?[jt]s|tsx|css)$/))
    .filter((path) => !CLASSIFIER_DATA.test(path));
  const tests = filesBelow('test', /\.test\.ts$/).filter((path) => !path.startsWith('test/fixtures/'));
  const counts = countWords(
    new Map([
      ...sources.map((path): [string, string] => [path, read(path)]),
      ...tests.map((path): [string, string] => [path, titlesOf(read(path))]),
    ]),
  );
  const headless: Record<string, number> = {};
  for (const path of [...sources, ...filesBelow('test', /\.ts$/)]) {
    if (path.startsWith('test/fixtures/')) continue;
    const found = read(path).match(HEADLESS_COMMENT)?.length ?? 0;
    if (found > 0) headless[moduleOf(path)] = (headless[moduleOf(path)] ?? 0) + found;
  }
  return { ...counts, [HEADLESS]: headless };
}

/** Limits that are lowered to the counts, never raised. */
function lowered(limits: Counts, counts: Counts): Counts {
  const modulesOf = (word: string) =>
    Object.entries(counts[word] ?? {})
      .map(([module, count]): [string, number] => [module, Math.min(count, limits[word]?.[module] ?? 0)])
      .filter(([, limit]) => limit > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    [...WORDS.map(({ word }) => word), HEADLESS]
      .map((word) => [word, Object.fromEntries(modulesOf(word))] as const)
      .filter(([, modules]) => Object.keys(modules).length > 0),
  );
}

function differences(limits: Counts, counts: Counts): string[] {
  return [...new Set([...Object.keys(counts), ...Object.keys(limits)])].flatMap((word) => {
    const modules = new Set([...Object.keys(counts[word] ?? {}), ...Object.keys(limits[word] ?? {})]);
    return [...modules].flatMap((module) => {
      const count = counts[word]?.[module] ?? 0;
      const limit = limits[word]?.[module] ?? 0;
      if (count < limit) return [`${module}: ${word}: the limit is ${limit}, ${count} are left; lower it`];
      if (count === limit) return [];
      const use = WORDS.find((entry) => entry.word === word)?.use ?? 'begin with a verb or a noun phrase';
      return [`${module}: ${word}: ${count}, at most ${limit}; ${use}`];
    });
  });
}

describe('The language', () => {
  it.each(['README.md', ...filesBelow('docs', /\.md$/)])('of %s follows the glossary', (path) => {
    const plain = plainWords(proseOf(read(path)));
    const found = WORDS.flatMap((word) => (countOf(word, plain) > 0 ? [`${word.word}: ${word.use}`] : []));
    expect(found).toEqual([]);
  });

  it('of code and test titles has no more avoided words than its limits, and no limit is too high', () => {
    const counts = codeCounts();
    let limits = JSON.parse(readFileSync(limitsFile, 'utf8')) as Counts;
    if (process.env['LOWER_LIMITS'] !== undefined) {
      limits = lowered(limits, counts);
      writeFileSync(limitsFile, `${JSON.stringify(limits, null, 2)}\n`);
    }
    expect(differences(limits, counts)).toEqual([]);
  });
});
