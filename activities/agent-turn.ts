/**
 * The activity `agentTurn`: one request to an agent that is a service. While it waits for the answer, what the agent
 * calls comes to this process's gateway and goes on to the episode as updates. An attempt that is lost is made again,
 * here or on another worker; the episode knows what the one before had completed.
 */

import { Context } from '@temporalio/activity';
import {
  functionPath,
  functionService,
  askAgent,
  blamed,
  refusedCall,
  type FunctionService,
  type Gateway,
  type AgentService,
  type TurnRequest,
} from '../src/agent-service/index.ts';
import { serviceOptions, type Message } from '../src/agents/index.ts';
import { getDomain } from '../src/benchmarks/index.ts';
import { UsageError } from '../src/errors/index.ts';
import { ModelCallError, type TranscriptStore } from '../src/models/index.ts';
import { toolSchemas } from '../src/models/prompts/index.ts';
import { askEpisode, passToEpisode } from '../src/temporal/client/index.ts';
import { FailureType } from '../src/evaluation/index.ts';
import type {
  AgentTurnInput,
  AgentTurnOutput,
  CallResult,
  ModelCallResult,
  Recorded,
  Refused,
} from '../src/agent-service/pure.ts';
import { CallResults, episodeOf } from './call-results.ts';
import { loadPack, resolveTranscript, type PackLookup } from './lookups.ts';
import { callWithRetries } from './attempts.ts';

export interface AgentTurnDeps {
  readonly findPack: PackLookup;
  readonly transcripts: TranscriptStore;
  /** Starts this process's gateway when it is first needed. */
  readonly gateway: () => Promise<Gateway>;
  /** Bearer token for the agent; null: none is sent. */
  readonly agentKey: string | null;
  /** Called with one sentence: an agent does not wait for its calls, or its thread has ended. @default it is not reported */
  readonly warn?: (message: string) => void;
  /** Spreads retries out; in [0, 1). @default Math.random */
  readonly random?: () => number;
}

/** @param results of the agent's calls, which activities of this process leave */
export function createAgentTurnActivity(
  deps: AgentTurnDeps,
  results = new CallResults(),
): (input: AgentTurnInput) => Promise<AgentTurnOutput> {
  const warned = new Set<string>();
  /** Warns of each kind of trouble once: agents have it at every turn. */
  const warnOnce = (kind: 'open calls' | 'usage', message: string) => {
    if (!warned.has(kind)) deps.warn?.(message);
    warned.add(kind);
  };
  return (input) =>
    callWithRetries({ maxRetries: input.maxRetries, random: deps.random }, async (call, options) => {
      const context = Context.current();
      const { workflowId, runId } = context.info.workflowExecution ?? { workflowId: '', runId: '' };
      const { session, request } = input;
      const attempt = input.earlierAttempts + context.info.attempt;
      const pack = await loadPack(deps.findPack, input.pack);
      const conversation = resolveTranscript(deps.transcripts, input.conversation, call.before);
      const policy = input.strategyOptions.omitPolicy ? '' : pack.policy;
      const tools = toolSchemas(pack) as TurnRequest['tools'];
      const service = await serviceOf(input.strategyOptions, deps);
      const gateway = await deps.gateway();
      const place = { workflowId, runId };
      const episode = episodeOf(context.info);
      const pass = passToEpisode(context.client, place);
      const left = results.open(context.info);
      let refusal: ReturnType<typeof refusedCall> = null;
      const resultOf = async <Result extends CallResult>(answer: Recorded | Refused): Promise<Result | Refused> => {
        if ('refused' in answer) return answer;
        const { recorded } = answer;
        const result = left.take(recorded) ?? (await askEpisode(context.client, place, 'callResult', recorded));
        if (result === null) throw new Error(`the episode has no result ${recorded}`);
        // A tool call's name leads to what a tool has said, a model call's to a reply.
        return result as Result;
      };
      const turn = gateway.open({
        episode,
        ...{ request, attempt },
        ...(input.model === undefined ? {} : { model: input.model }),
        offer: { policy, tools, writes: getDomain(pack.domain).audit?.writes ?? [] },
        toolCall: async (asked) => {
          // It goes on in spite of the refusal.
          refusal = null;
          return resultOf(await pass('toolCall', asked));
        },
        modelCall: async (asked) => {
          // For the activity that makes the call, most often in this process.
          deps.transcripts.resolve(`${episode}/${asked.transcript.thread}`, asked.transcript);
          const result = await resultOf<ModelCallResult>(await pass('modelCall', asked));
          if (!('refused' in result)) refusal = refusedCall(asked, result, input.model);
          return result;
        },
      });
      const body: TurnRequest = {
        protocol: '1',
        episode: session,
        turn: input.turn,
        ...{ request, attempt },
        idempotency_key: `${session}/${request}`,
        // Among the new messages are the agent's own calls; their results are what is new to it.
        messages: plain(conversation.slice(-input.fresh)).filter((message) => message.role !== 'assistant'),
        conversation: plain(conversation),
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
        onSent?.();
        const asked = askAgent(service, body, {
          signal: AbortSignal.any([leave.signal, ...(signal === undefined ? [] : [signal])]),
          timeoutMs,
          ...(input.peer === undefined ? {} : { peer: input.peer }),
          isRepeated: input.isRepeated === true || context.info.attempt > 1,
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
          ...(passedThrough === 0 ? {} : { passedThrough }),
        };
      } catch (error) {
        if (error instanceof ModelCallError && error.failure.isTimeout === true) await service.endIfStuck?.();
        const calls = await turn.close();
        const isFirst = input.request === 1 && input.isReplay !== true;
        throw blamed(error, { ...calls, refusal, isFirst, hasUrl: service.label === undefined });
      } finally {
        leave.abort();
        await turn.close();
        left.close();
      }
    });
}

/** The service at the agent's URL, or the function in a file of this machine. */
async function serviceOf(
  options: AgentTurnInput['strategyOptions'],
  { agentKey: key, warn = () => undefined }: AgentTurnDeps,
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

const OVER = { answer: { kind: 'over' } } as const;

/** A service's conversation has no system message and no references: every content is a text. */
function plain(messages: readonly Message[]): TurnRequest['conversation'] {
  return messages as TurnRequest['conversation'];
}
