import type { EnvironmentRef } from '../service/port.ts';

/**
 * Reference to a pack in a sweep's input. The digest identifies it; the path is a hint for workers on the same machine.
 */
export interface PackRef {
  readonly name: string;
  /** sha256 over the files' digests, lower-case hex (`manifest.ts`). It identifies the files, not their names. */
  readonly digest: string;
  /** Absolute path of the pack's folder; for a service its URL, or its name. */
  readonly path: string;
  /** Present if the pack is a domain of an environment service. */
  readonly environment?: EnvironmentRef | undefined;
}
