/** Finds the commit of tau-bench that a checkout's files come from. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

/** The commit to fetch by default, on which conformance tests are based. */
export const PINNED_COMMIT = '59a200c6d575d595120f1cb70fea53cef0632f6b';
export const TAU_BENCH_URL = 'https://github.com/sierra-research/tau-bench';

export interface CheckoutIdentity {
  /** Full id of the commit; null if neither git nor the files determine it. */
  readonly commit: string | null;
  /** The known commit that the files were compared with. */
  readonly comparedWith: string;
  /** Files that differ from that commit or are missing, sorted; empty if all files are as published. */
  readonly differing: readonly string[];
  /** Number of files that were compared. */
  readonly compared: number;
}

/**
 * Schema of the digests of the files that an import reads, for each commit of tau-bench's main branch.
 * `src/build/make-known-commits.ts` writes them.
 */
const knownCommitsSchema = z.object({
  /** Each file with the digests of its versions. */
  files: z.array(z.object({ path: z.string(), sha256: z.array(z.string()) })),
  /** Commits with equal files, in the order of their last use. */
  states: z.array(
    z.object({
      /** Version of each file as a base-36 digit from 1, in the order of `files`; 0 if there is none. */
      versions: z.string(),
      /** Ids of the commits, the oldest first. */
      commits: z.array(z.string()),
    }),
  ),
});
type KnownCommits = z.infer<typeof knownCommitsSchema>;
type KnownState = KnownCommits['states'][number];

let knownCommits: KnownCommits | undefined;

function readKnownCommits(): KnownCommits {
  const path = fileURLToPath(import.meta.resolve('#data/tau-bench-commits.json'));
  return (knownCommits ??= knownCommitsSchema.parse(JSON.parse(readFileSync(path, 'utf8'))));
}

/**
 * @param files sha256 of the files that an import used, by path
 * @param claimed the commit from git or the user, possibly shortened
 */
export function identify(files: ReadonlyMap<string, string>, claimed?: string): CheckoutIdentity {
  const known = claimed === undefined ? undefined : findKnown(claimed);
  // Of equally similar commits the latest is taken, or the pinned one if it is among them.
  const candidates = known === undefined ? [...readKnownCommits().states].reverse() : [known.state];
  const compared = candidates.map((state) => ({ state, differing: compareWithVersions(files, state.versions) }));
  const best = compared.reduce((least, next) => (next.differing.length < least.differing.length ? next : least));
  // Files that are similar to no commit are compared with the pinned one.
  const pinned = compared.find(({ state }) => state.commits.includes(PINNED_COMMIT));
  const nearest = best.differing.length * 2 > files.size ? (pinned ?? best) : best;
  const { differing } = nearest;
  const comparedWith = known?.commit ?? nearest.state.commits.at(-1) ?? PINNED_COMMIT;
  const recognised = differing.length === 0 ? comparedWith : null;
  return { commit: known?.commit ?? claimed ?? recognised, comparedWith, differing, compared: files.size };
}

function findKnown(claimed: string): { readonly state: KnownState; readonly commit: string } | undefined {
  for (const state of readKnownCommits().states) {
    const commit = state.commits.find((id) => id.startsWith(claimed));
    if (commit !== undefined) return { state, commit };
  }
  return undefined;
}

function compareWithVersions(files: ReadonlyMap<string, string>, versions: string): string[] {
  const knownFiles = readKnownCommits().files;
  const published = new Map(
    knownFiles.map(({ path, sha256 }, at) => [path, sha256[parseInt(versions.charAt(at), 36) - 1]]),
  );
  const domains = new Set(Array.from(files.keys(), findDomain));
  const absent = knownFiles.flatMap(({ path }) => {
    const wanted = published.get(path) !== undefined && domains.has(findDomain(path));
    return wanted && !files.has(path) ? [path] : [];
  });
  const changed = Array.from(files).flatMap(([path, digest]) => (published.get(path) === digest ? [] : [path]));
  return [...changed, ...absent].sort();
}

/** @returns true if a file of the checkout affects the domain's pack */
export function concerns(path: string, domain: string): boolean {
  return ['', domain].includes(findDomain(path));
}

/**
 * Returns the domain of a file: `retail`, `airline`, or '' for both. Files of a domain that is not imported may be
 * missing.
 */
function findDomain(path: string): string {
  return /(?:envs\/|Mock)(retail|airline)/i.exec(path)?.[1]?.toLowerCase() ?? '';
}
