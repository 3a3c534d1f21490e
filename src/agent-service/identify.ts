/** Reads `--agent-url`: the address of a service, or a file with a function. */

import { pathToFileURL } from 'node:url';
import { functionPath } from './function/path.ts';
import { functionService } from './function/service.ts';
import { serviceOptions, type StrategyOptions } from '../agents/index.ts';
import { UnreachableError, UsageError } from '../errors/index.ts';
import { ModelCallError } from '../models/index.ts';
import { agentKey, requireAgentUrl } from './turn-protocol/service.ts';
import { findAgent } from './turn-protocol/ask.ts';
import type { AgentService } from './turn-protocol/http.ts';

/** Time limit for the agent's name and version, in milliseconds. */
const IDENTITY_MS = 10_000;

interface AgentPlace {
  /** Folder of relative paths. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * @param flag flag of the word, for errors
 * @param word a URL or a path
 * @throws UsageError for anything else, and for a file that cannot be loaded
 */
export async function agentAt(flag: string, word: string, { cwd, env }: AgentPlace): Promise<AgentService> {
  const path = functionPath(word, cwd);
  if (path !== null) return await functionService(path, null, () => undefined);
  requireAgentUrl(flag, word);
  return { url: word, key: agentKey(env) };
}

/**
 * Adds the agent's name and version to the options, so that another version is another configuration.
 * @throws UsageError without a usable URL; UnreachableError if no service answers there
 */
export async function identified(options: StrategyOptions, place: AgentPlace): Promise<StrategyOptions> {
  const { agentUrl: word, agentName: given, agentProtocol, agentTools } = serviceOptions(options);
  if (word === undefined) throw new UsageError('the agent strategy agent-service needs --agent-url URL.');
  const service = await agentAt('--agent-url', word, place);
  const says = {
    protocol: agentProtocol === 'auto' ? undefined : agentProtocol,
    tools: agentTools === 'auto' ? undefined : agentTools,
  };
  const found = await findAgent(service, { timeoutMs: IDENTITY_MS }, says).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof ModelCallError && !error.failure.retryable) throw new UsageError(`${reason}.`);
    throw new UnreachableError(
      `the agent at ${word} does not answer (${reason}); start it, then run the same command again`,
    );
  });
  const { name, version } = found.identity;
  const { a2aTools } = found.service;
  if (a2aTools === undefined && says.tools !== undefined) {
    throw new UsageError(`--agent-tools is for agents that speak A2A, and the agent at ${word} has no agent card.`);
  }
  const said = [name, version].filter((part) => part !== null).join(' ');
  const path = functionPath(word, place.cwd);
  return {
    ...options,
    ...(path === null ? {} : { agentUrl: pathToFileURL(path).href }),
    ...(a2aTools === undefined ? {} : { agentProtocol: 'a2a', agentTools: a2aTools }),
    ...(said === '' && given === undefined ? {} : { agentName: said === '' ? given : said }),
  };
}
