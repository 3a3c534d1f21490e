/** A pack's displays of solved conversations: JSON Lines, of which prompts show the `messages_display`. */

import { readFileSync } from 'node:fs';
import { isDict } from '../python/index.ts';
import { describeUnreadable } from '../../errors/index.ts';
import { decodePackText, parseFile, hashData } from './manifest.ts';
import { PackError, throwProblems, type PackProblem } from './types.ts';

/** @throws PackError naming a line that is not an object with a text `messages_display` */
export function readFewShots(where: string, bytes: Buffer): readonly string[] {
  const problems: PackProblem[] = [];
  const displays = decodePackText(where, bytes)
    .split('\n')
    .flatMap((line, at) => {
      if (line.trim() === '') return [];
      const place = `${where}, line ${String(at + 1)}`;
      const { value } = parseFile(place, Buffer.from(line));
      const display = isDict(value) ? value.get('messages_display') : undefined;
      if (typeof display === 'string') return [display];
      problems.push(`${place}: messages_display is missing; it must be a string.`);
      return [];
    });
  throwProblems(problems);
  return displays;
}

/** A file of displays outside of a pack. The digest identifies it; this machine may have it at the path. */
interface FewShotFile {
  readonly path: string;
  /** sha256 of the file, lower-case hex. */
  readonly digest: string;
}

/** Displays by their file's digest, cached because every call of every episode needs them. */
const known = new Map<string, readonly string[]>();

/** @throws PackError for a missing or changed file */
export function fewShotFile({ path, digest }: FewShotFile): readonly string[] {
  const before = known.get(digest);
  if (before !== undefined) return before;
  const bytes = readBytes(path);
  if (hashData(bytes) !== digest) {
    throw new PackError(`the few-shot displays ${path} have changed since the run was started; start another run.`);
  }
  const displays = readFewShots(path, bytes);
  known.set(digest, displays);
  return displays;
}

/**
 * Returns the reference of a file of displays for a run. @throws PackError if the file cannot be read, or has no
 * displays
 */
export function nameFewShotFile(path: string): FewShotFile {
  const bytes = readBytes(path);
  readFewShots(path, bytes);
  return { path, digest: hashData(bytes) };
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new PackError(`the few-shot displays ${path} ${describeUnreadable(error)}; check --few-shot-displays-path.`);
  }
}
