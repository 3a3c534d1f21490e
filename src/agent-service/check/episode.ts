/**
 * Plays one scripted episode as an evaluation does: a request for each message of the user, more for results of tools
 * that an answer calls, and another attempt after a lost one.
 */

import { randomUUID } from 'node:crypto';
import type { Gateway, OpenTurn } from '../gateway/binding.ts';
import { ModelCallError } from '../../models/index.ts';
import { SCRIPTED } from '../../models/providers.ts';
import { askAgent } from '../turn-protocol/ask.ts';
import type { AgentService } from '../turn-protocol/http.ts';
import type { TurnAnswer } from '../turn-protocol/answer.ts';
import type { TurnRequest } from '../turn-protocol/protocol.schema.ts';
import { FailureType, type TranscriptChain } from '../../evaluation/index.ts';
import { OpenAttempt, readCall, toolSeen, type CalledTool, type SeenCall } from './attempt.ts';
import type { EarlierResponses } from './model.ts';
import { POLICY, TOOLS, WRITES, type ScriptedTurn } from './script.ts';

/** One attempt of the agent at one request. */
export interface Attempt {
  readonly calls: readonly SeenCall[];
  readonly latencyMs: number;
  /** The agent's answer; absent if the attempt was interrupted. */
  readonly heard?: TurnAnswer;
  readonly failure?: ModelCallError;
  /** Number of messages that the agent has sent to the user by its tool. @default none */
  readonly spoken?: number;
  /** Problem of an unreadable usage in the answer. */
  readonly unreadUsage?: string;
}

/** True if the agent answered that it does not know the episode. */
export function isForgotten({ failure }: Pick<Attempt, 'failure'>): boolean {
  return failure?.failure.type === FailureType.AgentForgot;
}

/** Requests that one message of the user caused. */
export interface PlayedTurn {
  readonly attempts: readonly Attempt[];
  /** Tools that answers called. */
  readonly answered: readonly SeenCall[];
  /** True if an answer said that the agent does not know the episode. */
  readonly isForgotten: boolean;
  readonly last: Attempt;
}

export interface CheckSettings {
  readonly service: AgentService;
  readonly gateway: Gateway;
  /** Time limit of a request, in milliseconds. */
  readonly timeoutMs: number;
}

/** Most requests for one message of the user. */
const MOST_REQUESTS = 12;
type SentRequest = Pick<TurnRequest, 'turn' | 'request' | 'attempt' | 'messages' | 'conversation'>;

type RequestMessage = TurnRequest['conversation'][number];

export class CheckedEpisode {
  readonly #settings: CheckSettings;
  readonly #name = randomUUID();
  readonly #turns: OpenTurn[] = [];
  readonly #attempts: OpenAttempt[] = [];
  readonly #chains = new Map<string, TranscriptChain>();
  readonly #responses: EarlierResponses = new Map();
  #conversation: readonly RequestMessage[] = [];
  #turn = 0;
  #request = 0;
  #lastSent: readonly [SentRequest, ScriptedTurn] | undefined;
  /** The A2A client's state of the conversation. */
  #peer: string | undefined;

  /** @param before an episode that this one continues under another name */
  constructor(settings: CheckSettings, before?: CheckedEpisode) {
    this.#settings = settings;
    if (before === undefined) return;
    this.#conversation = before.#conversation;
    this.#turn = before.#turn;
    this.#request = before.#request;
  }

  /** Number of calls that arrived after their request had been answered. */
  get lateCalls(): number {
    return this.#attempts.reduce((sum, { lateCalls }) => sum + lateCalls, 0);
  }

  /**
   * Sends a message of the user, and runs the agent's calls until it has answered.
   * @param options.isBroken true: the first attempt is interrupted at its first tool call, and repeated
   * @param options.following following turns, for an agent that leads the conversation by a tool
   * @param options.beforeTool runs before each tool call
   */
  async play(script: ScriptedTurn, options: PlayOptions = {}): Promise<PlayedTurn> {
    const { isBroken = false, ...calm } = options;
    this.#turn += 1;
    this.#conversation = [...this.#conversation, { role: 'user', content: script.user }];
    const attempts: Attempt[] = [];
    const answered: SeenCall[] = [];
    let fresh: TurnRequest['messages'] = [{ role: 'user', content: script.user }];
    for (let requests = 0; ; requests++) {
      this.#request += 1;
      const sent = { turn: this.#turn, request: this.#request, messages: fresh, conversation: this.#conversation };
      const breaking = isBroken && requests === 0;
      if (breaking) attempts.push(await this.#send({ ...sent, attempt: 1 }, script, { ...calm, isBroken: true }));
      this.#lastSent = [{ ...sent, attempt: breaking ? 2 : 1 }, script];
      const last = await this.#send(this.#lastSent[0], script, calm);
      attempts.push(last);
      this.#keepCalls(last.calls, sent.request);
      const answer = last.heard?.answer;
      if (answer?.kind === 'message') this.#keep({ role: 'assistant', content: answer.content });
      if (answer?.kind !== 'tool_calls' || requests === MOST_REQUESTS) {
        return { attempts, answered, last, isForgotten: isForgotten(last) };
      }
      const results: Extract<RequestMessage, { role: 'tool' }>[] = [];
      for (const { id, ...written } of answer.calls) {
        const call = readCall(written);
        if (typeof call === 'string') {
          const failure = new ModelCallError({ type: FailureType.MalformedReply, retryable: false, message: call });
          const failed = { calls: last.calls, latencyMs: last.latencyMs, failure };
          return { attempts: [...attempts.slice(0, -1), failed], answered, last: failed, isForgotten: false };
        }
        const seen = toolSeen(script, call);
        answered.push(seen);
        this.#keep(assistantCall(id, call));
        const result = { role: 'tool', tool_call_id: id, name: call.name, content: seen.text } as const;
        this.#keep(result);
        results.push(result);
      }
      fresh = results;
    }
  }

  /** Repeats the last request, as after a lost answer. */
  async repeat(): Promise<Attempt> {
    if (this.#lastSent === undefined) throw new Error('nothing was sent yet');
    const [sent, script] = this.#lastSent;
    return await this.#send({ ...sent, attempt: sent.attempt + 1 }, script, {});
  }

  /** Returns the number of requests at the model's addresses that were not model calls. */
  async close(): Promise<number> {
    const closed = await Promise.all(this.#turns.map((turn) => turn.close()));
    return closed.reduce((sum, { passedThrough }) => sum + passedThrough, 0);
  }

  #keep(message: RequestMessage): void {
    this.#conversation = [...this.#conversation, message];
  }

  /** Adds the calls that were run during the request to the conversation. */
  #keepCalls(calls: readonly SeenCall[], request: number): void {
    for (const [at, { kind, identity, text }] of calls.entries()) {
      if (kind !== 'tool') continue;
      const id = `call_${request}_${at + 1}`;
      const call = JSON.parse(identity) as CalledTool;
      this.#keep(assistantCall(id, call));
      this.#keep({ role: 'tool', tool_call_id: id, name: call.name, content: text });
    }
  }

  async #send(
    sent: SentRequest,
    script: ScriptedTurn,
    { isBroken = false, beforeTool = AT_ONCE, following = [] }: PlayOptions,
  ): Promise<Attempt> {
    const { service, gateway, timeoutMs } = this.#settings;
    const stop = new AbortController();
    const open = new OpenAttempt(script, sent, {
      chains: this.#chains,
      responses: this.#responses,
      following,
      beforeTool,
      breakOff: isBroken ? () => stop.abort(BROKEN) : undefined,
    });
    this.#attempts.push(open);
    const turn = gateway.open({
      episode: this.#name,
      request: sent.request,
      attempt: sent.attempt,
      model: { provider: SCRIPTED, model: null },
      offer: { policy: POLICY, tools: TOOLS, writes: WRITES },
      toolCall: (call) => open.toolCall(call),
      modelCall: (call) => Promise.resolve(open.modelCall(call)),
    });
    this.#turns.push(turn);
    const body: TurnRequest = {
      protocol: '1',
      episode: this.#name,
      ...sent,
      idempotency_key: `${this.#name}/${sent.request}`,
      policy: POLICY,
      tools: TOOLS,
      tools_url: turn.toolsUrl,
      model_url: turn.openaiUrl,
      anthropic_url: turn.anthropicUrl,
      mcp_url: turn.mcpUrl,
    };
    const startedAt = performance.now();
    const done = (result: Omit<Attempt, 'calls' | 'latencyMs'>): Attempt => ({
      calls: open.calls,
      latencyMs: Math.round(performance.now() - startedAt),
      spoken: open.spoken,
      ...result,
    });
    void turn.over.then(() => stop.abort(OVER));
    try {
      let unread: Pick<Attempt, 'unreadUsage'> = {};
      const onUnreadUsage = (unreadUsage: string) => (unread = { unreadUsage });
      const heard = await askAgent(service, body, {
        signal: stop.signal,
        timeoutMs,
        onUnreadUsage,
        peer: this.#peer,
        isRepeated: sent.attempt > 1,
      });
      this.#peer = heard.peer;
      // An answer is lost with its closed connection.
      return done(isBroken ? {} : { heard, ...unread });
    } catch (error) {
      if (error === BROKEN) return done({});
      if (error === OVER) return done({ heard: { answer: { kind: 'over' } } });
      if (error instanceof ModelCallError) return done({ failure: error });
      throw error;
    } finally {
      open.end();
    }
  }
}

interface PlayOptions {
  readonly isBroken?: boolean;
  readonly beforeTool?: () => Promise<void>;
  readonly following?: readonly ScriptedTurn[];
}

const AT_ONCE = () => Promise.resolve();
const BROKEN = new Error('broken off');
const OVER = new Error('the episode is over');

function assistantCall(id: string, { name, argumentsJson }: CalledTool): RequestMessage {
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: argumentsJson } }],
  };
}
