/**
 * Writes `src/pack-tools/import/known-commits.ts` anew from a clone of tau-bench:
 * `node --import tsx test/pack-tools/import/record-known-commits.ts CLONE/.git`, then prettier. Every commit of the main line is
 * imported, and the digests of the files that this used are kept.
 */

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Checkout } from '../../../src/pack-tools/import/checkout.ts';
import { importCheckout } from '../../../src/pack-tools/import/import.ts';

const [gitDir = '.git'] = process.argv.slice(2);
const TARGET = new URL('../../../src/pack-tools/import/known-commits.ts', import.meta.url);
const PARTS = ['LICENSE', 'few_shot_data', 'tau_bench'];

function git(...args: string[]): Buffer {
  return execFileSync('git', [`--git-dir=${gitDir}`, ...args], { maxBuffer: 1 << 28 });
}

function lines(...args: string[]): string[] {
  return git(...args)
    .toString()
    .split('\n')
    .filter((line) => line !== '');
}

const blobs = new Map<string, Buffer>();

/** Path → blob id of what an import may read. */
function tree(commit: string): Map<string, string> {
  return new Map(
    lines('ls-tree', '-r', commit, '--', ...PARTS).flatMap((line): [string, string][] => {
      const [, blob = '', path = ''] = /^\d+ blob ([0-9a-f]+)\t(.*)$/.exec(line) ?? [];
      return /model_utils|(?<!LICENSE|\.py|\.json|\.jsonl|\.md)$/.test(path) ? [] : [[path, blob]];
    }),
  );
}

function bytesOf(blob: string): Buffer {
  const known = blobs.get(blob) ?? git('cat-file', 'blob', blob);
  blobs.set(blob, known);
  return known;
}

/** Trees → the digests that an import of them used. */
const states = new Map<string, { readonly used: ReadonlyMap<string, string>; readonly commits: string[] }>();
for (const commit of lines('rev-list', '--reverse', '--topo-order', 'HEAD')) {
  const files = tree(commit);
  const key = JSON.stringify(Array.from(files));
  const known = states.get(key);
  if (known === undefined) {
    const checkout = new Checkout(commit, new Map(Array.from(files, ([path, blob]) => [path, bytesOf(blob)])));
    importCheckout(checkout, { domains: ['retail', 'airline'] });
    states.set(key, { used: checkout.used(), commits: [commit] });
  } else known.commits.push(commit);
}

const versions = new Map<string, string[]>();
for (const { used } of states.values()) {
  for (const [path, digest] of used) {
    const list = versions.get(path) ?? [];
    if (!list.includes(digest)) list.push(digest);
    versions.set(path, list);
  }
}
const files = Array.from(versions, ([path, sha256]) => ({ path, sha256 })).sort((a, b) => (a.path < b.path ? -1 : 1));
// States that differ only in what no import reads are one.
const merged = new Map<string, string[]>();
for (const { used, commits } of states.values()) {
  const word = files.map(({ path, sha256 }) => (sha256.indexOf(used.get(path) ?? '') + 1).toString(36)).join('');
  const all = [...(merged.get(word) ?? []), ...commits];
  merged.delete(word);
  merged.set(word, all);
}

const text = `/**
 * Digests of the files that an import of each commit of tau-bench's main line reads.
 *
 * Recorded by \`test/pack-tools/import/record-known-commits.ts\`; not written by hand.
 */

export interface KnownFile {
  readonly path: string;
  /** The versions that there have been. */
  readonly sha256: readonly string[];
}

/** Commits whose files are the same. */
export interface KnownState {
  /** A digit (base 36) a file, in the order of {@link KNOWN_FILES}: which version, from 1; 0 where it is not there. */
  readonly versions: string;
  /** Oldest first. */
  readonly commits: readonly string[];
}

export const KNOWN_FILES: readonly KnownFile[] = ${JSON.stringify(files)};

/** In the order in which each was last seen; the newest is last. */
export const KNOWN_STATES: readonly KnownState[] = ${JSON.stringify(Array.from(merged, ([word, commits]) => ({ versions: word, commits })))};
`;
writeFileSync(TARGET, text);
