/** One attempt of the agent at a request in progress, with its calls of tools and the model. */

import { AgentError, toolAction } from '../../agents/index.ts';
import { RESPOND, STOP_MARKER } from '../../benchmarks/index.ts';
import { dumpJson } from '../../benchmarks/python/index.ts';
import type { TurnRequest } from '../turn-protocol/protocol.schema.ts';
import { EMPTY_CHAIN, applyDelta, type TranscriptChain } from '../../evaluation/index.ts';
import type { ModelCallRequest, ModelCallResult, RefusedCall, ToolCallRequest, ToolCallResult } from '../payloads.ts';
import { readModelCall, type EarlierResponses } from './model.ts';
import { observe, type ScriptedTurn } from './script.ts';
import { attempt } from '../../errors/index.ts';

export interface SeenCall {
  readonly kind: 'tool' | 'model';
  /** Key by which equal calls are recognized. */
  readonly identity: string;
  /** A tool's observation, or the whole text that was sent to the model. */
  readonly text: string;
}

export type CalledTool = Pick<ToolCallRequest, 'name' | 'argumentsJson'>;

interface AttemptContext {
  /** Conversations with models, by thread. */
  readonly chains: Map<string, TranscriptChain>;
  readonly responses: EarlierResponses;
  /** Later turns, for an agent that leads the conversation by a tool that speaks to the user. */
  readonly following: readonly ScriptedTurn[];
  readonly beforeTool: () => Promise<void>;
  /** Closes the connection at the first tool call. @default the attempt is not interrupted */
  readonly breakOff?: () => void;
}

/** Most times that the model calls the turn's tool if the agent does not run it. */
const MOST_CALL_REPLIES = 3;
const STALE: RefusedCall = { refused: 'stale', message: 'a later request is under way' };

export class OpenAttempt {
  readonly calls: SeenCall[] = [];
  /** Number of user messages that the agent received by its tool, without the first of the conversation. */
  spoken = 0;
  #script: ScriptedTurn;
  #turn: number;
  #following: readonly ScriptedTurn[];
  readonly #context: AttemptContext;
  #isOpen = true;
  #lateCalls = 0;
  #callReplies = 0;
  /** True once the turn's tool was run. */
  #hasObserved: boolean;

  constructor(
    script: ScriptedTurn,
    { turn, messages }: Pick<TurnRequest, 'turn' | 'messages'>,
    context: AttemptContext,
  ) {
    this.#script = script;
    this.#turn = turn;
    this.#context = context;
    this.#following = context.following;
    this.#hasObserved = messages.some(({ role }) => role === 'tool');
  }

  /** Number of calls after the end of the attempt; an interrupted attempt may continue for a while. */
  get lateCalls(): number {
    return this.#context.breakOff === undefined ? this.#lateCalls : 0;
  }

  end(): void {
    this.#isOpen = false;
  }

  async toolCall(written: ToolCallRequest): Promise<ToolCallResult | RefusedCall> {
    if (!this.#isOpen) return this.#late();
    const call = readCall(written);
    if (typeof call === 'string') return { refused: 'invalid', message: call };
    const isSaid = call.name === RESPOND;
    const seen = isSaid ? userSeen(call, this.#following[0]) : toolSeen(this.#script, call);
    this.calls.push(seen);
    const { breakOff, beforeTool } = this.#context;
    if (breakOff !== undefined) {
      this.end();
      breakOff();
      return STALE;
    }
    await beforeTool();
    if (isSaid) return this.#hear(seen.text);
    this.#hasObserved ||= call.name === this.#script.tool;
    return { observation: seen.text, done: false };
  }

  /** Returns the next user message, or the end, to an agent that leads the conversation. */
  #hear(observation: string): ToolCallResult {
    this.spoken += 1;
    const [next, ...rest] = this.#following;
    if (next === undefined) return { observation, done: true };
    this.#script = next;
    this.#turn += 1;
    this.#following = rest;
    this.#hasObserved = false;
    this.#callReplies = 0;
    return { observation, done: false };
  }

  modelCall(call: ModelCallRequest): ModelCallResult | RefusedCall {
    if (!this.#isOpen) return this.#late();
    const { chains } = this.#context;
    const { thread } = call.transcript;
    const chain = applyDelta(chains.get(thread) ?? EMPTY_CHAIN, call.transcript);
    if (chain === undefined) {
      return { refused: 'transcript', message: 'the beginning of the conversation is not known' };
    }
    chains.set(thread, chain);
    const items = chain.items.map((item) =>
      'content' in item && typeof item.content === 'string' ? item.content : '',
    );
    const read = readModelCall({ call, items, earlier: this.#context.responses });
    const text = 'text' in read ? read.text : items.join('\n');
    this.calls.push({ kind: 'model', identity: call.digest, text });
    if (!('text' in read)) return read;
    const isCall = read.offersTools && !this.#hasObserved && this.#callReplies < MOST_CALL_REPLIES;
    if (isCall) this.#callReplies += 1;
    return read.reply(this.#script, this.#turn, isCall);
  }

  #late(): RefusedCall {
    this.#lateCalls += 1;
    return STALE;
  }
}

/** Reads a call as a run does. @returns a sentence for a call that a run refuses */
export function readCall(written: CalledTool): CalledTool | string {
  const read = () => {
    const { name, kwargs } = toolAction({ id: '', ...written });
    return { name, argumentsJson: dumpJson(kwargs) };
  };
  return attempt(read, ({ message }) => message, AgentError);
}

export function toolSeen(script: ScriptedTurn, call: CalledTool): SeenCall {
  return { kind: 'tool', identity: JSON.stringify(call), text: observe(script, call) };
}

function userSeen(call: CalledTool, next: ScriptedTurn | undefined): SeenCall {
  return { kind: 'tool', identity: JSON.stringify(call), text: next?.user ?? STOP_MARKER };
}
