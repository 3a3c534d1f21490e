/** The agent's own key: a bearer token, from the environment alone. */

const AGENT_KEY = 'TAUFLOW_AGENT_KEY';

/** null: the agent is sent none. */
export function agentKey(env: Readonly<Record<string, string | undefined>>): string | null {
  return env[AGENT_KEY]?.trim() || null;
}
