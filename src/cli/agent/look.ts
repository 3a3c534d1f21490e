/** The part of `tauflow doctor` about an agent: whether it answers, its name and version, and its response time. */

import { UsageError } from '../../errors/index.ts';
import { ModelCallError } from '../../models/index.ts';
import { findAgent, agentAt } from '../../agent-service/index.ts';
import type { CliContext } from '../context.ts';

const ANSWER_MS = 10_000;

/** @param word value of `--agent-url` */
export async function lookAtAgent(
  word: string,
  context: CliContext,
): Promise<{ readonly state: 'ok' | 'problem'; readonly message: string }> {
  try {
    const service = await agentAt('--agent-url', word, context);
    const startedAt = performance.now();
    const { identity, service: found } = await findAgent(service, { timeoutMs: ANSWER_MS });
    const { name, version, protocol } = identity;
    const ms = Math.round(performance.now() - startedAt);
    if (found.a2aTools === undefined && protocol !== null && protocol !== '1') {
      return { state: 'problem', message: `${word} speaks version ${protocol} of the protocol; this tauflow speaks 1` };
    }
    const who = [name, version].filter((part) => part !== null).join(' ');
    const key = (service.key ?? null) === null ? '' : ', with the key of TAUFLOW_AGENT_KEY';
    const how = found.a2aTools === undefined ? '' : ` speaks A2A, with its tools as ${found.a2aTools},`;
    const said = `${who === '' ? 'gives no name and version' : who},${how} answers in ${ms} ms${key}`;
    return { state: 'ok', message: `${said}; try it with: tauflow agent check ${word}` };
  } catch (error) {
    if (error instanceof UsageError) return { state: 'problem', message: error.message };
    if (!(error instanceof ModelCallError)) throw error;
    const advice = error.failure.retryable ? '; start the agent, or check its URL' : '';
    return { state: 'problem', message: `${error.message}${advice}` };
  }
}
