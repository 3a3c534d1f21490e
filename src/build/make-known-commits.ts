/**
 * Writes `data/tau-bench-commits.json` from a clone of tau-bench:
 * `node --import tsx src/build/make-known-commits.ts CLONE/.git`. It imports every commit of the main branch, and
 * records the digests of the files that each import read.
 */

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Checkout } from '../pack-tools/import/checkout.ts';
import { importCheckout } from '../pack-tools/import/import.ts';

const [gitDir = '.git'] = process.argv.slice(2);
const TARGET = new URL('../../data/tau-bench-commits.json', import.meta.url);
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

/** Returns path → blob id of the files that an import may read. */
function tree(commit: string): Map<string, string> {
  return new Map(
    lines('ls-tree', '-r', commit, '--', ...PARTS).flatMap((line): [string, string][] => {
      const [, blob = '', path = ''] = /^\d+ blob ([0-9a-f]+)\t(.*)$/.exec(line) ?? [];
      return /model_utils|(?<!LICENSE|\.py|\.json|\.jsonl|\.md)$/.test(path) ? [] : [[path, blob]];
    }),
  );
}

function readBlob(blob: string): Buffer {
  const known = blobs.get(blob) ?? git('cat-file', 'blob', blob);
  blobs.set(blob, known);
  return known;
}

/** Digests that an import used, by tree. */
const states = new Map<string, { readonly used: ReadonlyMap<string, string>; readonly commits: string[] }>();
for (const commit of lines('rev-list', '--reverse', '--topo-order', 'HEAD')) {
  const files = tree(commit);
  const key = JSON.stringify(Array.from(files));
  const known = states.get(key);
  if (known === undefined) {
    const checkout = new Checkout(commit, new Map(Array.from(files, ([path, blob]) => [path, readBlob(blob)])));
    await importCheckout(checkout, { domains: ['retail', 'airline'] });
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
// States that differ only in files that no import reads are one state.
const statesByVersions = new Map<string, string[]>();
for (const { used, commits } of states.values()) {
  const word = files.map(({ path, sha256 }) => (sha256.indexOf(used.get(path) ?? '') + 1).toString(36)).join('');
  const all = [...(statesByVersions.get(word) ?? []), ...commits];
  statesByVersions.delete(word);
  statesByVersions.set(word, all);
}

const known = Array.from(statesByVersions, ([versions, commits]) => ({ versions, commits }));
writeFileSync(TARGET, `${JSON.stringify({ files, states: known }, null, 2)}\n`);
