/** A pack's displays of solved conversations: JSON lines, of which `messages_display` is what a prompt shows. */

import { isDict } from '../bench/python/value.ts';
import { decodeText, parseFile } from './manifest.ts';
import { throwProblems, type PackProblem } from './problem.ts';

/** @throws PackError that names the line which is no object with a text `messages_display` */
export function readFewShots(where: string, bytes: Buffer): readonly string[] {
  const problems: PackProblem[] = [];
  const displays = decodeText(where, bytes)
    .split('\n')
    .flatMap((line, at) => {
      if (line.trim() === '') return [];
      const place = `${where}, line ${String(at + 1)}`;
      const value = parseFile(place, Buffer.from(line));
      const display = isDict(value) ? value.get('messages_display') : undefined;
      if (typeof display === 'string') return [display];
      problems.push(`${place}: messages_display is missing; it must be a string.`);
      return [];
    });
  throwProblems(problems);
  return displays;
}
