export interface KnownFile {
  readonly path: string;
  readonly sha256: readonly string[];
}
export interface KnownCommit {
  readonly commit: string;
  readonly versions: readonly number[];
}
export const KNOWN_FILES: readonly KnownFile[] = [];
export const KNOWN_COMMITS: readonly KnownCommit[] = [
  { commit: '59a200c6d575d595120f1cb70fea53cef0632f6b', versions: [] },
];
