/** Names a pack in a sweep's input. The digest decides; the path is a hint for workers on the same machine. */
export interface PackRef {
  readonly name: string;
  /** sha256 over the files' digests, lower-case hex (`manifest.ts`): says which files, not what they are called. */
  readonly digest: string;
  /** Absolute path of the folder it was read from. */
  readonly path: string;
}
