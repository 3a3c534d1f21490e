/**
 * One scripted episode with the agent under check. It does what an evaluation does: a request for each message of the
 * user, further ones for the results of tools that an answer calls, and another attempt where one was lost.
 */

import { randomUUID } from 'node:crypto';
import { AgentError, toolAction } from '../../agents/index.ts';
import type { Gateway, OpenTurn } from '../../gateway/index.ts';
import { ModelCallError } from '../../models/index.ts';
import { askAgent, type AgentService, type TurnAnswer, type TurnRequest } from '../../turn-protocol/index.ts';
import {
  EMPTY_CHAIN,
  FailureType,
  applyDelta,
  toActionWire,
  type ModelCallRequest,
  type ModelCallResult,
  type Refused,
  type ToolCallRequest,
  type ToolCallResult,
  type TranscriptChain,
} from '../../wire/index.ts';
import { POLICY, TOOLS, observe, type ScriptedTurn } from './script.ts';
import { scriptedReply } from './scripted-replies.ts';

export interface SeenCall {
  readonly kind: 'tool' | 'model';
  /** Equal for equal calls. */
  readonly identity: string;
  /** A tool's observation; everything that a model is sent. */
  readonly text: string;
}

/** One attempt of the agent at one request. */
export interface Attempt {
  readonly calls: readonly SeenCall[];
  readonly latencyMs: number;
  /** Absent where the attempt was broken off. */
  readonly heard?: TurnAnswer;
  readonly failure?: ModelCallError;
  /** Problem of a usage in the answer that cannot be read. */
  readonly unreadUsage?: string;
}

/** Requests that one message of the user has led to. */
export interface PlayedTurn {
  readonly attempts: readonly Attempt[];
  /** Tools that answers called. */
  readonly answered: readonly SeenCall[];
  /** True if an answer said that the agent does not know the episode. */
  readonly isForgotten: boolean;
  /** Last attempt. */
  readonly last: Attempt;
}

export interface CheckSettings {
  readonly service: AgentService;
  readonly gateway: Gateway;
  /** Time for a request. */
  readonly timeoutMs: number;
}

/** Requests that one message of the user may lead to. */
const MOST_REQUESTS = 12;
/** Times that the model calls the turn's tool before it gives up on an agent that does not carry it out. */
const MOST_CALL_REPLIES = 3;

type Sent = Pick<TurnRequest, 'turn' | 'request' | 'attempt' | 'messages' | 'conversation'>;

/** One attempt under way. */
interface Open extends Sent {
  readonly script: ScriptedTurn;
  readonly calls: SeenCall[];
  /** The attempt is broken off at its first tool call, or its answer is lost. */
  readonly isBroken: boolean;
  isOpen: boolean;
  callReplies: number;
  /** True once the turn's tool was carried out. */
  hasObserved: boolean;
  /** Runs before a tool call is carried out. */
  readonly beforeTool: () => Promise<void>;
}

type Message = TurnRequest['conversation'][number];

export class CheckedEpisode {
  readonly #settings: CheckSettings;
  readonly #name = randomUUID();
  readonly #turns: OpenTurn[] = [];
  readonly #chains = new Map<string, TranscriptChain>();
  #conversation: readonly Message[];
  #turn: number;
  #request: number;
  #lastSent: readonly [Sent, ScriptedTurn] | undefined;
  #lateCalls = 0;

  /** @param before an episode that this one goes on from, under a name that the agent has never heard */
  constructor(settings: CheckSettings, before?: CheckedEpisode) {
    this.#settings = settings;
    this.#conversation = before?.conversation ?? [];
    this.#turn = before?.turn ?? 0;
    this.#request = before?.request ?? 0;
  }

  get conversation(): readonly Message[] {
    return this.#conversation;
  }

  get turn(): number {
    return this.#turn;
  }

  get request(): number {
    return this.#request;
  }

  /** Calls at addresses of requests that the agent had answered before. */
  get lateCalls(): number {
    return this.#lateCalls;
  }

  /**
   * Sends a message of the user, and carries out what the agent calls until it has answered.
   * @param isBroken true: the first attempt is broken off at its first tool call, and made again
   * @param beforeTool runs before a tool call is carried out
   */
  async play(script: ScriptedTurn, { isBroken = false, beforeTool = AT_ONCE }: PlayOptions = {}): Promise<PlayedTurn> {
    this.#turn += 1;
    this.#conversation = [...this.#conversation, { role: 'user', content: script.user }];
    const attempts: Attempt[] = [];
    const answered: SeenCall[] = [];
    let fresh: TurnRequest['messages'] = [{ role: 'user', content: script.user }];
    for (let requests = 0; ; requests++) {
      this.#request += 1;
      const sent = { turn: this.#turn, request: this.#request, messages: fresh, conversation: this.#conversation };
      const breaking = isBroken && requests === 0;
      if (breaking) attempts.push(await this.#send({ ...sent, attempt: 1 }, script, { isBroken: true, beforeTool }));
      this.#lastSent = [{ ...sent, attempt: breaking ? 2 : 1 }, script];
      const last = await this.#send(this.#lastSent[0], script, { beforeTool });
      attempts.push(last);
      this.#keepCalls(last.calls, sent.request);
      const answer = last.heard?.answer;
      if (answer?.kind === 'message') this.#keep({ role: 'assistant', content: answer.content });
      if (answer?.kind !== 'tool_calls' || requests === MOST_REQUESTS) {
        return { attempts, answered, last, isForgotten: last.failure?.failure.type === FailureType.AgentForgot };
      }
      const results: Extract<Message, { role: 'tool' }>[] = [];
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

  /** Sends the last request once more, as after an answer that was lost. */
  async repeat(): Promise<Attempt> {
    if (this.#lastSent === undefined) throw new Error('nothing was sent yet');
    const [sent, script] = this.#lastSent;
    return await this.#send({ ...sent, attempt: sent.attempt + 1 }, script, {});
  }

  async close(): Promise<void> {
    await Promise.all(this.#turns.map((turn) => turn.close()));
  }

  #keep(message: Message): void {
    this.#conversation = [...this.#conversation, message];
  }

  /** Calls that were carried out while the agent worked, as its conversation has them. */
  #keepCalls(calls: readonly SeenCall[], request: number): void {
    for (const [at, { kind, identity, text }] of calls.entries()) {
      if (kind !== 'tool') continue;
      const id = `call_${request}_${at + 1}`;
      const call = JSON.parse(identity) as Called;
      this.#keep(assistantCall(id, call));
      this.#keep({ role: 'tool', tool_call_id: id, name: call.name, content: text });
    }
  }

  async #send(
    sent: Sent,
    script: ScriptedTurn,
    { isBroken = false, beforeTool = AT_ONCE }: PlayOptions,
  ): Promise<Attempt> {
    const { service, gateway, timeoutMs } = this.#settings;
    const stop = new AbortController();
    const open: Open = {
      ...sent,
      script,
      calls: [],
      isBroken,
      isOpen: true,
      callReplies: 0,
      hasObserved: sent.messages.some(({ role }) => role === 'tool'),
      beforeTool: isBroken
        ? () => {
            open.isOpen = false;
            stop.abort(BROKEN);
            return Promise.resolve();
          }
        : beforeTool,
    };
    const turn = gateway.open({
      episode: this.#name,
      request: sent.request,
      attempt: sent.attempt,
      toolCall: (call) => this.#toolCall(open, call),
      modelCall: (call) => Promise.resolve(this.#modelCall(open, call)),
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
    };
    const startedAt = performance.now();
    const done = (result: Omit<Attempt, 'calls' | 'latencyMs'>): Attempt => ({
      calls: open.calls,
      latencyMs: Math.round(performance.now() - startedAt),
      ...result,
    });
    try {
      let unread: Pick<Attempt, 'unreadUsage'> = {};
      const onUnreadUsage = (unreadUsage: string) => (unread = { unreadUsage });
      const heard = await askAgent(service, body, { signal: stop.signal, timeoutMs, onUnreadUsage });
      // An answer that was under way when the connection was closed is lost as well.
      return done(isBroken ? {} : { heard, ...unread });
    } catch (error) {
      if (error === BROKEN) return done({});
      if (error instanceof ModelCallError) return done({ failure: error });
      throw error;
    } finally {
      open.isOpen = false;
    }
  }

  async #toolCall(open: Open, written: ToolCallRequest): Promise<ToolCallResult | Refused> {
    if (!open.isOpen) return this.#late(open);
    const call = readCall(written);
    if (typeof call === 'string') return { refused: 'invalid', message: call };
    const seen = toolSeen(open.script, call);
    open.calls.push(seen);
    await open.beforeTool();
    if (open.isBroken) return STALE;
    open.hasObserved ||= call.name === open.script.tool;
    return { observation: seen.text, done: false };
  }

  #modelCall(open: Open, call: ModelCallRequest): ModelCallResult | Refused {
    if (!open.isOpen) return this.#late(open);
    const { thread } = call.transcript;
    const chain = applyDelta(this.#chains.get(thread) ?? EMPTY_CHAIN, call.transcript);
    if (chain === undefined) {
      return { refused: 'transcript', message: 'the beginning of the conversation is not known' };
    }
    this.#chains.set(thread, chain);
    const items = chain.items.map((item) =>
      'content' in item && typeof item.content === 'string' ? item.content : '',
    );
    open.calls.push({ kind: 'model', identity: call.digest, text: items.join('\n') });
    const offersTools = /"tools"\s*:\s*\[\s*\{/.test(items[0] ?? '');
    const isCall = offersTools && !open.hasObserved && open.callReplies < MOST_CALL_REPLIES;
    if (isCall) open.callReplies += 1;
    const reply = { model: call.model, turn: open.turn, script: open.script };
    return { status: 200, body: scriptedReply(call.wire, isCall ? 'call' : 'text', reply) };
  }

  /** An attempt that was broken off may go on for a while, and nothing is wrong with that. */
  #late({ isBroken }: Open): Refused {
    if (!isBroken) this.#lateCalls += 1;
    return STALE;
  }
}

export interface PlayOptions {
  readonly isBroken?: boolean;
  readonly beforeTool?: () => Promise<void>;
}

const AT_ONCE = () => Promise.resolve();
const BROKEN = new Error('broken off');
const STALE: Refused = { refused: 'stale', message: 'a later request is under way' };

type Called = Pick<ToolCallRequest, 'name' | 'argumentsJson'>;

/** Reads a call as a run does. @returns a sentence for one that a run refuses */
function readCall(written: Called): Called | string {
  try {
    const { name, kwargsJson } = toActionWire(toolAction({ id: '', ...written }));
    return { name, argumentsJson: kwargsJson };
  } catch (error) {
    if (error instanceof AgentError) return error.message;
    throw error;
  }
}

function toolSeen(script: ScriptedTurn, call: Called): SeenCall {
  return { kind: 'tool', identity: JSON.stringify(call), text: observe(script, call) };
}

function assistantCall(id: string, { name, argumentsJson }: Called): Message {
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: argumentsJson } }],
  };
}
