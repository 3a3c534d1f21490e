/** `--agent-url`: the agent that answers there, by its name and version. */

import type { Environment } from '../../host/surroundings.ts';
import { serviceOptions, type StrategyOptions } from '../../agents/index.ts';
import { UnreachableError, UsageError } from '../../errors/index.ts';
import { agentKey, fetchIdentity, requireAgentUrl } from '../../turn-protocol/index.ts';

/** Time that the agent has to say who it is, in ms. */
const IDENTITY_MS = 10_000;

/**
 * The options with the agent's name and version as it says them, so that another version is another configuration.
 * @throws UsageError without a usable URL; UnreachableError when nothing answers there
 */
export async function identified(options: StrategyOptions, env: Environment): Promise<StrategyOptions> {
  const { agentUrl: url, agentName: given } = serviceOptions(options);
  if (url === undefined) throw new UsageError('the agent strategy agent-service needs --agent-url URL.');
  requireAgentUrl('--agent-url', url);
  const { name, version } = await fetchIdentity({ url, key: agentKey(env) }, { timeoutMs: IDENTITY_MS }).catch(
    (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new UnreachableError(
        `the agent at ${url} does not answer (${reason}); start it, then run the same command again`,
      );
    },
  );
  const said = [name, version].filter((word) => word !== null).join(' ');
  return { ...options, ...(said === '' && given === undefined ? {} : { agentName: said === '' ? given : said }) };
}
