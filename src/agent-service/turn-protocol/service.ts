/** Address and key of an agent. */

import { UsageError } from '../../errors/index.ts';
import { environmentSetting, findHeaderProblem } from '../../io/index.ts';

export const AGENT_KEY = 'TAUFLOW_AGENT_KEY';

/** Returns the agent's bearer token; null: none. @throws UsageError for characters that a header cannot have */
export function agentKey(env: Readonly<Record<string, string | undefined>>): string | null {
  const problem = findHeaderProblem(env, AGENT_KEY);
  if (problem !== null) throw new UsageError(`${problem}.`);
  return environmentSetting(env, AGENT_KEY) ?? null;
}

/**
 * @param word the flag or argument of the URL
 * @throws UsageError for anything but an HTTP URL, and for user or password, which would be recorded
 */
export function requireAgentUrl(word: string, url: string): void {
  const { protocol = '', username = '', password = '' } = URL.canParse(url) ? new URL(url) : {};
  if (/^https?:$/.test(protocol) && username === '' && password === '') return;
  throw new UsageError(
    `${word} is no URL of an agent; write it as http(s)://HOST:PORT/PATH, without user or password (a key goes into ${AGENT_KEY}), or give a file's path that ends in .ts or .js.`,
  );
}
