/** Links of README and docs: files, headings, and the sources that pages name. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = [
  'README.md',
  ...readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const withoutCode = (page: string) => page.replaceAll(/^```[^]*?^```$/gm, '');

/** Anchors of a page, as GitHub makes them from its headings. */
function anchorsOf(page: string): Set<string> {
  const headings = withoutCode(page).matchAll(/^#+ (.+)$/gm);
  return new Set(
    Array.from(headings, ([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Files of the package that a page may link to. */
const SHIPPED = /^(?:docs|data)\b|^(?:README\.md|LICENSE)$/;

/** Problems of a link's target, as a sentence; null for a link that works. */
function problemOf(path: string, target: string): string | null {
  if (/^(?:https?|mailto):/.test(target)) return null;
  const [file = '', anchor] = target.split('#');
  const linked = file === '' ? path : normalize(join(dirname(path), file));
  if (!existsSync(root + linked)) return `${target}: there is no ${linked}`;
  if (!SHIPPED.test(linked)) return `${target}: ${linked} is not in the package, as the page is`;
  if (anchor === undefined || anchorsOf(readFileSync(root + linked, 'utf8')).has(anchor)) return null;
  return `${target}: ${linked} has no such heading`;
}

/** A domain that `docs/internals/new-domain.md` adds. */
const ADDED = /\/library\/|^data\/library/;

describe.each(pages)('%s', (path) => {
  const page = readFileSync(root + path, 'utf8');

  it('links to files and headings that exist', () => {
    const targets = Array.from(withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target);
    expect(targets.flatMap((target) => problemOf(path, target) ?? [])).toEqual([]);
  });

  it('names sources that exist', () => {
    const names = page.matchAll(/`((?:src|test|workflows|activities|perf|data|\.ci)\/[\w./-]*)`/g);
    const missing = Array.from(names, ([, name = '']) => name).filter(
      (name) => !ADDED.test(name) && !existsSync(root + name),
    );
    expect(missing).toEqual([]);
  });
});

it('docs/README.md lists every page', () => {
  const index = readFileSync(`${root}docs/README.md`, 'utf8');
  const others = pages.filter((path) => path.startsWith('docs/') && path !== 'docs/README.md');
  expect(others.filter((path) => !index.includes(`](${path.slice('docs/'.length)})`))).toEqual([]);
});
