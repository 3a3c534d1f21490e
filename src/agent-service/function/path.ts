/** The file that an agent's URL names instead of a service. */

import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @param word what `--agent-url` gives: a path, or a `file:` URL as a run records it
 * @returns an absolute path; null for anything that is no TypeScript or JavaScript file
 */
export function functionPath(word: string, cwd = '/'): string | null {
  if (/^file:/i.test(word)) return pathOf(word);
  return /^(?!https?:).+\.[cm]?[jt]s$/is.test(word) ? resolve(cwd, word) : null;
}

function pathOf(url: string): string | null {
  try {
    return fileURLToPath(url);
  } catch {
    // It names no file of this machine: another host, or characters that no path has.
    return null;
  }
}
