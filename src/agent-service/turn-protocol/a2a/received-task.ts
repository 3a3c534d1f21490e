/** Finds what is new in a task: artifacts and messages that no earlier request of the conversation has read. */

import { Role, type Artifact, type Message, type Part, type Task } from '@a2a-js/sdk';
import { saidPart, spellPart, textPart } from './parts.ts';

/** The known beginning of an artifact: number of parts, number of characters, and their digest. */
interface Position {
  readonly parts: number;
  readonly chars: number;
  readonly digest: string;
}

/** A task after the last request. The episode's history keeps it. */
export interface ReceivedTask {
  readonly task: string;
  /** Artifacts by the digests of their ids. */
  readonly artifacts: readonly (readonly [id: string, ...position: [number, number, string]])[];
  /** Digest of the status, with its time. */
  readonly status: string;
  /** Digests of messages that may be repeated: the status's, and the last one of the history. */
  readonly messages: readonly string[];
}

/** Parts of an artifact from the events of a stream. */
export interface ArtifactParts {
  readonly parts: readonly Part[];
  /** True if the parts continue an artifact whose beginning the stream has not shown. */
  readonly isRest: boolean;
}

/** Digest of an empty text. */
const EMPTY = 'ztntfp.15z3edo';

/** Most remembered artifacts; the latest are kept. */
const MOST_ARTIFACTS = 500;

export function newParts(
  artifact: Artifact,
  heard: ReceivedTask | undefined,
  brought: ArtifactParts | undefined,
): readonly Part[] {
  const known = positionIn(heard, artifact);
  if (known === undefined || brought?.isRest === true) return artifact.parts;
  const rest = partsAfter(artifact.parts, known);
  if (rest === null) return artifact.parts;
  // An event with the same words repeats them intentionally.
  return rest.length === 0 ? (brought?.parts ?? []) : rest;
}

/** Returns null if the artifact does not begin with the known parts, because it was replaced. */
function partsAfter(parts: readonly Part[], known: Position): readonly Part[] | null {
  let left = known.chars;
  let digest = EMPTY;
  for (const [at, part] of parts.entries()) {
    if (left === 0) return digest === known.digest ? parts.slice(at) : null;
    const spelled = spellPart(part);
    digest = extend(digest, spelled.slice(0, left));
    if (spelled.length <= left) {
      left -= spelled.length;
      continue;
    }
    if (digest !== known.digest || part.content?.$case !== 'text') return null;
    const rest = spelled.slice(left);
    // A single text that continues within a word is another text with the same beginning.
    if (parts.length === known.parts && /[\p{L}\p{N}]$/u.test(spelled.slice(0, left)) && /^[^\s\p{Lu}<]/u.test(rest)) {
      return null;
    }
    return [textPart(rest), ...parts.slice(at + 1)];
  }
  return left === 0 && digest === known.digest ? [] : null;
}

function positionIn(
  heard: ReceivedTask | undefined,
  { artifactId }: Pick<Artifact, 'artifactId'>,
): Position | undefined {
  const id = extend(EMPTY, artifactId);
  const [, parts, chars, digest] = heard?.artifacts.find(([known]) => known === id) ?? [];
  return parts === undefined || chars === undefined || digest === undefined ? undefined : { parts, chars, digest };
}

/** Returns the task after the request. */
export function rememberTask(
  task: Task,
  before: ReceivedTask | undefined,
  brought: ReadonlyMap<string, ArtifactParts>,
): ReceivedTask {
  const now = task.artifacts.map((artifact): ReceivedTask['artifacts'][number] => {
    const start = brought.get(artifact.artifactId)?.isRest === true ? positionIn(before, artifact) : undefined;
    const { parts, chars, digest } = artifact.parts.reduce(advance, start ?? { parts: 0, chars: 0, digest: EMPTY });
    return [extend(EMPTY, artifact.artifactId), parts, chars, digest];
  });
  const ids = new Set(now.map(([id]) => id));
  const earlier = before?.artifacts.filter(([id]) => !ids.has(id)) ?? [];
  const last = task.history.findLast(({ role }) => role === Role.ROLE_AGENT);
  return {
    task: task.id,
    artifacts: [...earlier, ...now].slice(-MOST_ARTIFACTS),
    status: statusDigest(task),
    messages: [task.status?.message, last].flatMap((message) =>
      message === undefined ? [] : [messageDigest(message)],
    ),
  };
}

function advance({ parts, chars, digest }: Position, part: Part): Position {
  const spelled = spellPart(part);
  return { parts: parts + 1, chars: chars + spelled.length, digest: extend(digest, spelled) };
}

/** True if the status was the same after the previous request. */
export function isKnownStatus(task: Task, heard: ReceivedTask | undefined): boolean {
  return heard?.status === statusDigest(task);
}

export function isKnownMessage(message: Message, heard: ReceivedTask | undefined): boolean {
  return heard?.messages.includes(messageDigest(message)) === true;
}

function statusDigest({ status }: Task): string {
  const message = status?.message === undefined ? '' : messageDigest(status.message);
  return extend(EMPTY, [status?.state ?? '', status?.timestamp ?? '', message].join(' '));
}

function messageDigest({ messageId, parts }: Message): string {
  return parts.filter(saidPart).reduce((digest, part) => extend(digest, spellPart(part)), extend(EMPTY, messageId));
}

/**
 * Continues a digest with a text, so that appending to an artifact needs no copy of its beginning. Two 32-bit FNV-1a
 * hashes suffice, because an agent that makes them collide only deceives itself.
 */
function extend(digest: string, text: string): string {
  let [one = 0, two = 0] = digest.split('.').map((part) => parseInt(part, 36));
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code, 0x85ebca6b);
  }
  return `${(one >>> 0).toString(36)}.${(two >>> 0).toString(36)}`;
}
