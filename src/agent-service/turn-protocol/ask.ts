/** Sends requests to agents in their protocol. */

import { ModelCallError } from '../../models/index.ts';
import { FailureType } from '../../evaluation/index.ts';
import { AnswerProblem, readTurnAnswer, type TurnAnswer } from './answer.ts';
import {
  exchangeWithAgent,
  toAgentFailure,
  invalidAnswer,
  type A2aTools,
  type AgentService,
  type AskOptions,
} from './http.ts';
import { agentIdentitySchema, type AgentIdentity, type TurnRequest } from './protocol.schema.ts';
import { parsedJson } from '../../io/index.ts';

/**
 * Sends one request to the agent.
 * @throws ModelCallError with one sentence: `ModelUnavailable` and `RateLimited` can be tried again; after
 *   `AgentForgot` the episode has to be repeated; `InvalidAnswer` is the agent's error, any other the setup's
 */
export async function askAgent(service: AgentService, body: TurnRequest, options: AskOptions): Promise<TurnAnswer> {
  if (service.a2aTools !== undefined) {
    // Only runs with A2A load the SDK.
    const { askA2a } = await import('./a2a/ask.ts');
    return await askA2a(service, service.a2aTools, body, options);
  }
  const headers = { 'idempotency-key': body.idempotency_key };
  const reply = await exchangeWithAgent(service, JSON.stringify(body), headers, options);
  if (reply.status < 200 || reply.status > 299) throw toAgentFailure(service, reply);
  try {
    return readTurnAnswer(reply.body, body.request, options.onUnreadUsage);
  } catch (error) {
    if (!(error instanceof AnswerProblem)) throw error;
    const invalid = invalidAnswer(service, error.message, reply);
    throw error.isNoAnswer ? new ModelCallError({ ...invalid.failure, isNoAnswer: true }) : invalid;
  }
}

/** Facts about an agent from the user; {@link findAgent} finds the rest. */
interface AgentSays {
  readonly protocol?: 'turn' | 'a2a' | undefined;
  readonly tools?: A2aTools | undefined;
}

export interface FoundAgent {
  readonly service: AgentService;
  readonly identity: AgentIdentity;
  /** True if the agent speaks A2A without our extension, so that it does not recognize a repeated request. */
  readonly isPlain?: boolean;
}

/**
 * Finds the agent's name, version and protocol.
 * @throws ModelCallError if nothing answers, or the agent card is unusable
 */
export async function findAgent(
  service: AgentService,
  options: AskOptions,
  { protocol, tools }: AgentSays = {},
): Promise<FoundAgent> {
  const identity = protocol === 'a2a' ? null : await fetchIdentity(service, options);
  if (identity !== null && (protocol === 'turn' || identity.protocol !== null)) return { service, identity };
  const { findCard, placeKey } = await import('./a2a/card.ts');
  const found = await findCard(service, options).catch((error: unknown) => {
    if (error instanceof ModelCallError && identity !== null && isOfTurnProtocol(identity, error)) return null;
    throw error;
  });
  if (found === null && identity !== null) return { service, identity };
  if (found === null) throw new Error('an agent was looked for by its card alone');
  placeKey(service, found.card);
  const { name, version, announced } = found;
  return {
    service: { ...service, a2aTools: tools ?? announced ?? 'text' },
    identity: { status: 200, name, version, protocol: 'a2a' },
    isPlain: announced === null,
  };
}

/** True if an agent without a readable card is treated as one of the turn protocol, which needs no `GET`. */
function isOfTurnProtocol({ status }: AgentIdentity, { failure: { type, status: ofCard } }: ModelCallError): boolean {
  return ofCard !== undefined && (type !== FailureType.NotAuthorised || status === 200);
}

/** Returns the agent's name, version and protocol; null for each that it does not give. */
async function fetchIdentity(service: AgentService, options: AskOptions): Promise<AgentIdentity> {
  const { status, body } = await exchangeWithAgent(service, null, {}, options);
  const json = status === 200 ? parsedJson(body) : undefined;
  const given = typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>) : {};
  const read = (field: keyof typeof agentIdentitySchema.shape) =>
    agentIdentitySchema.shape[field].safeParse(given[field]).data ?? null;
  return { status, name: read('name'), version: read('version'), protocol: read('protocol') };
}
