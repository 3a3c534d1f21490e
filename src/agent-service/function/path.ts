/** Recognizes an agent's URL that names a file instead of a service. */

import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @param word value of `--agent-url`: a path, or a `file:` URL from a run's record
 * @returns an absolute path; null unless it is a TypeScript or JavaScript file
 */
export function functionPath(word: string, cwd = '/'): string | null {
  if (/^file:/i.test(word)) return parseFileUrl(word);
  return /^(?!https?:).+\.[cm]?[jt]s$/is.test(word) ? resolve(cwd, word) : null;
}

function parseFileUrl(url: string): string | null {
  try {
    return fileURLToPath(url);
  } catch {
    // The URL names another host, or has characters that no path has.
    return null;
  }
}
