import type { EnvironmentRef } from '../service/port.ts';

/** Names a pack in a sweep's input. The digest decides; the path is a hint for workers on the same machine. */
export interface PackRef {
  readonly name: string;
  /** sha256 over the files' digests, lower-case hex (`manifest.ts`): says which files, not what they are called. */
  readonly digest: string;
  /** Absolute path of the folder it was read from; of a service its URL, or its name. */
  readonly path: string;
  /** Present for a pack that is a domain of an environment service. */
  readonly environment?: EnvironmentRef | undefined;
}
