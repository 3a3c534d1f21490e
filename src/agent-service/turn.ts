/**
 * One request to an agent: while the activity waits for the answer, the gateway passes the agent's calls on to the
 * episode. A lost attempt is repeated, here or on another worker; the episode knows what the earlier one had completed.
 */

import { serviceOptions, type Message } from '../agents/index.ts';
import { getDomain } from '../benchmarks/index.ts';
import type { Pack } from '../benchmarks/packs/index.ts';
import { rename } from '../conditions/index.ts';
import { UsageError } from '../errors/index.ts';
import { FailureType } from '../evaluation/index.ts';
import { ModelCallError, type CallOptions } from '../models/index.ts';
import { toolSchemas } from '../models/prompts/index.ts';
import { chooseFailure, callWithoutModel, refusedCall } from './agent-failures.ts';
import { functionPath } from './function/path.ts';
import { functionService, type FunctionService } from './function/service.ts';
import type { Gateway, TurnBinding } from './gateway/binding.ts';
import type { AgentTurnInput, AgentTurnOutput } from './payloads.ts';
import { askAgent } from './turn-protocol/ask.ts';
import type { AgentService } from './turn-protocol/http.ts';
import type { TurnRequest } from './turn-protocol/protocol.schema.ts';

export interface TurnDeps {
  /** Starts this process's gateway when it is first needed. */
  readonly gateway: () => Promise<Gateway>;
  /** Bearer token for the agent; null: none is sent. */
  readonly agentKey: string | null;
  /**
   * Called with one sentence if an agent does not wait for its calls, or its thread has ended. @default not reported
   */
  readonly warn?: (message: string) => void;
}

interface TurnContext extends Pick<TurnBinding, 'episode' | 'attempt' | 'toolCall' | 'modelCall'> {
  readonly pack: Pack;
  readonly conversation: readonly Message[];
  readonly options: CallOptions;
  /** True if an earlier attempt may have sent the request. */
  readonly isRetry: boolean;
}

type TakeTurn = (input: AgentTurnInput, context: TurnContext) => Promise<AgentTurnOutput>;

const OVER = { answer: { kind: 'over' } } as const;

export function createTurnTaker(deps: TurnDeps): TakeTurn {
  const warned = new Set<string>();
  /** Warns of each kind of problem once, because agents have it at every turn. */
  const warnOnce = (kind: 'open calls' | 'usage', message: string) => {
    if (!warned.has(kind)) deps.warn?.(message);
    warned.add(kind);
  };
  return async (input, { episode, attempt, pack, conversation, options, isRetry, ...calls }) => {
    const { session, request } = input;
    const policy = input.strategyOptions.omitPolicy ? '' : pack.policy;
    const tools = toolSchemas(pack) as TurnRequest['tools'];
    const writes = getDomain(pack.domain).audit?.writes ?? [];
    const names = input.condition?.names ?? {};
    const service = await findService(input.strategyOptions, deps);
    const gateway = await deps.gateway();
    let refusal: ReturnType<typeof refusedCall> = null;
    const turn = gateway.open({
      ...{ episode, request, attempt, model: input.model },
      offer: { policy, tools, writes: writes.map((name) => rename(name, names)) },
      toolCall(asked) {
        // The agent continues in spite of the refusal.
        refusal = null;
        return calls.toolCall(asked);
      },
      async modelCall(asked) {
        const result = await calls.modelCall(asked);
        if (!('refused' in result)) refusal = refusedCall(asked, result, input.model);
        else if (result.refused === 'invalid') refusal = callWithoutModel(result);
        return result;
      },
    });
    const body: TurnRequest = {
      protocol: '1',
      episode: session,
      turn: input.turn,
      ...{ request, attempt },
      idempotency_key: `${session}/${request}`,
      // The new messages include the agent's own calls, of which only the results are new to it.
      messages: asTurnMessages(conversation.slice(-input.fresh)).filter((message) => message.role !== 'assistant'),
      conversation: asTurnMessages(conversation),
      ...{ policy, tools },
      tools_url: turn.toolsUrl,
      model_url: turn.openaiUrl,
      anthropic_url: turn.anthropicUrl,
      mcp_url: turn.mcpUrl,
    };
    const name = service.label ?? `the agent at ${service.url}`;
    const leave = new AbortController();
    const { signal, timeoutMs, onSent } = options;
    const startedAt = performance.now();
    try {
      await onSent?.();
      const asked = askAgent(service, body, {
        signal: AbortSignal.any([leave.signal, ...(signal === undefined ? [] : [signal])]),
        timeoutMs,
        peer: input.peer,
        isRepeated: input.isRepeated === true || isRetry,
        onUnreadUsage: (problem) =>
          warnOnce('usage', `${name} reports a usage that cannot be read (${problem}): its cost is not known`),
      });
      const heard = await Promise.race([asked, turn.over.then(() => OVER)]);
      if (heard === OVER) asked.catch(() => undefined);
      const { passedThrough, open } = await turn.close();
      if (open > 0 && heard !== OVER) {
        warnOnce(
          'open calls',
          `${name} has answered while ${open} of its calls were open: its answer waits for them, but a ` +
            'repeated request may make them in another order; let it wait for each call',
        );
      }
      return {
        ...heard,
        attempt,
        latencyMs: Math.round(performance.now() - startedAt),
        passedThrough: passedThrough === 0 ? undefined : passedThrough,
      };
    } catch (error) {
      if (error instanceof ModelCallError && error.failure.isTimeout === true) await service.endIfStuck?.();
      const closed = await turn.close();
      const isFirst = input.request === 1 && input.isReplay !== true;
      throw chooseFailure(error, { ...closed, refusal, isFirst, hasUrl: service.label === undefined });
    } finally {
      leave.abort();
      await turn.close();
    }
  };
}

/** Finds the service at the agent's URL, or starts the function in a file of this machine. */
async function findService(
  options: AgentTurnInput['strategyOptions'],
  { agentKey: key, warn = () => undefined }: TurnDeps,
): Promise<AgentService & Partial<FunctionService>> {
  const { agentUrl: url = '', agentName = null, agentProtocol, agentTools } = serviceOptions(options);
  const path = functionPath(url);
  if (path === null)
    return agentProtocol === 'a2a' && agentTools !== 'auto' ? { url, key, a2aTools: agentTools } : { url, key };
  try {
    return await functionService(path, agentName, warn);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new ModelCallError({ type: FailureType.RequestRefused, retryable: false, message: error.message });
  }
}

/** Returns messages as a service gets them: no system message and no references, so every content is a text. */
function asTurnMessages(messages: readonly Message[]): TurnRequest['conversation'] {
  return messages as TurnRequest['conversation'];
}
