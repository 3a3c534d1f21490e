/**
 * Calls that an agent makes during a request. They arrive as updates through the gateway of the worker that sends the
 * request. The environment answers tool calls, the provider answers model calls, and the request's log answers calls
 * that an earlier attempt has completed.
 */

import {
  AgentError,
  serviceOptions,
  toolAction,
  type AgentAnswer,
  type ServiceCalls,
  type ServiceRequest,
} from '../agents/index.ts';
import type {
  CallResult,
  ModelCallRequest,
  RecordedResult,
  RefusedCall,
  RequestLog,
  ToolCallRequest,
} from '../agent-service/pure.ts';
import type { Action } from '../benchmarks/index.ts';
import {
  AS_ASKED,
  FailureType,
  digestText,
  type EvaluationConfig,
  type ModelSettings,
  type TranscriptDelta,
} from '../evaluation/index.ts';
import type { EpisodeContext } from './context.ts';
import { toActionWire } from './environment.ts';
import { EpisodeError } from './failures.ts';
import { ForwardedCalls } from './forwarded-calls.ts';
import type { Scope } from './ports.ts';
import type { EpisodePlace, EpisodeSession } from './session.ts';

/** A request that was sent to the agent. */
export interface AgentRequest extends ServiceRequest {
  /** Number of the request within the episode, from 1. */
  readonly number: number;
  /** Length of the request's conversation. */
  readonly messages: number;
  readonly log: RequestLog<EpisodePlace, RecordedResult, RecordedResult, AgentAnswer>;
  /** Number of known attempts. A failed activity adds one attempt, or the number of its attempts with calls. */
  attempts: number;
  /** Number of the walk in which the request was last sent. */
  walk?: number;
}

interface OpenRequest extends AgentRequest {
  readonly session: EpisodeSession;
  readonly calls: ServiceCalls;
  readonly scope: Scope;
  /** True once a call has ended the episode, or no steps were left for it. */
  isOver: boolean;
  /** Ends the request with an error of a call. */
  fail(error: unknown): void;
}

export class AgentCalls {
  readonly #context: EpisodeContext;
  readonly #forwarded: ForwardedCalls;
  /** Results of calls by name, for gateways that lack them. */
  readonly #results = new Map<string, CallResult>();
  #open: OpenRequest | undefined;
  /** The last tool call; tool calls are carried out one after the other. */
  #lastCall: Promise<unknown> = Promise.resolve();

  constructor(context: EpisodeContext) {
    this.#context = context;
    this.#forwarded = new ForwardedCalls(context);
  }

  /** True if the agent has made model calls through the gateway. */
  get hasCalledModels(): boolean {
    return this.#forwarded.count > 0;
  }

  /** Accepts the agent's calls until the request has ended. */
  async whileOpen<T>(
    session: EpisodeSession,
    request: AgentRequest,
    calls: ServiceCalls,
    work: () => Promise<T>,
  ): Promise<T> {
    const scope = this.#context.ports.openScope();
    let fail: (error: unknown) => void = () => undefined;
    const failed = new Promise<never>((_, reject) => {
      fail = reject;
    });
    failed.catch(() => undefined);
    this.#open = { ...request, session, calls, scope, isOver: false, fail };
    const working = scope.run(work);
    try {
      return await Promise.race([working, failed]);
    } catch (error) {
      // The agent's further calls are ignored; its request is aborted first.
      scope.cancel();
      await working.catch(() => undefined);
      throw error;
    } finally {
      this.#open = undefined;
      await this.#lastCall;
    }
  }

  /** Takes a tool call after all earlier ones. */
  takeToolCall(call: ToolCallRequest): Promise<RecordedResult | RefusedCall> {
    const result = this.#lastCall.then(() => this.#withOpen(call, (open) => this.#toolCall(open, call)));
    this.#lastCall = result.catch(() => undefined);
    return result;
  }

  takeModelCall(call: ModelCallRequest): Promise<RecordedResult | RefusedCall> {
    return this.#withOpen(call, (open) => this.#modelCall(open, call));
  }

  /** Finds the result of a call by its name; null if there is none. */
  findResult(name: string): CallResult | null {
    return this.#results.get(name) ?? null;
  }

  /** Finds the whole conversation of an open model call; null if there is no such call. */
  findTranscript(call: string): TranscriptDelta | null {
    return this.#forwarded.findTranscript(call);
  }

  async #toolCall(
    open: OpenRequest,
    { attempt, name, argumentsJson }: ToolCallRequest,
  ): Promise<RecordedResult | RefusedCall> {
    const { session, calls, log } = open;
    let action: Action;
    try {
      action = toolAction({ id: '', name, argumentsJson });
    } catch (error) {
      if (error instanceof AgentError) return { refused: 'invalid', message: error.message };
      throw error;
    }
    const call = `${name} ${toActionWire(action).kwargsJson}`;
    const verdict = log.toolCall(attempt, call);
    if (verdict.kind === 'stale') return STALE;
    if (verdict.kind === 'recorded') return verdict.result;
    if (verdict.kind === 'diverged') {
      const { before } = verdict;
      const then = before === undefined ? 'it had called no tool any more' : `it had called ${excerpt(before)}`;
      return failDiverged(open, `called ${excerpt(call)}`, then);
    }
    if (verdict.goBackTo !== undefined) {
      if (session.hasSpokenSince(verdict.goBackTo)) {
        return failDiverged(open, `called ${excerpt(call)}`, 'it had spoken to the user after another call');
      }
      takeBack(session, open, calls, verdict.goBackTo);
    }
    if (session.stepsLeft() === 0 || session.endedBy !== null) {
      open.isOver = true;
      return OVER;
    }
    const before = session.place();
    try {
      const { observation, done } = await calls.take(action);
      open.isOver ||= done;
      const recorded = digestText(observation);
      this.#results.set(recorded, { observation, done });
      log.toolTaken(call, before, { recorded });
      return { recorded };
    } catch (error) {
      // The strategy gets the error, which ends the episode.
      open.fail(error);
      return OVER;
    }
  }

  async #modelCall(open: OpenRequest, call: ModelCallRequest): Promise<RecordedResult | RefusedCall> {
    const { attempt, digest } = call;
    const { calls, log } = open;
    const transcript = this.#forwarded.enter(call);
    const known = log.modelCall(attempt, digest);
    if (known === 'stale') return STALE;
    if (known !== undefined) return await known;
    if (log.answer !== undefined) return failDiverged(open, `asked ${call.model}`, 'it had made no such model call');
    if (open.isOver) return OVER;
    const model = findServedModel(this.#context.input.config, call.model);
    if (model === null) return NO_PROVIDER;
    if (transcript === undefined) return UNKNOWN_TRANSCRIPT;
    const made = this.#forwarded.make(
      call,
      model,
      transcript,
      (completion) => calls.spend?.(completion),
      (name, reply) => this.#results.set(name, reply),
    );
    log.modelAsked(attempt, digest, made);
    try {
      const recorded = await made;
      const result = this.#results.get(recorded.recorded);
      if (result !== undefined && 'status' in result && result.status >= 400) log.modelRefused(made);
      return recorded;
    } catch (error) {
      open.fail(error);
      return OVER;
    }
  }

  /** Runs a call in the scope of its open request; refuses calls of other requests. */
  async #withOpen<T>({ request }: { readonly request: number }, work: (open: OpenRequest) => Promise<T | RefusedCall>) {
    const open = this.#open;
    if (open?.number !== request) return STALE;
    return await open.scope.run(() => work(open));
  }
}

/** Undoes the steps of the previous attempt after a point. */
export function takeBack(
  session: EpisodeSession,
  { number, log }: AgentRequest,
  { wentBack }: ServiceCalls,
  place: EpisodePlace,
): void {
  session.abandonFrom(place, { request: number, attempt: log.attempt - 1 });
  wentBack?.(place.steps);
}

function failDiverged(open: OpenRequest, now: string, then: string): RefusedCall {
  const error = agentDiverged(open.number, now, then);
  open.fail(error);
  return { refused: 'diverged', message: error.message };
}

/**
 * Creates the error of an agent that got a request again and acted differently, after the user has seen its first
 * actions.
 */
export function agentDiverged(request: number, now: string, then: string): EpisodeError {
  return new EpisodeError(
    `the agent has lost the episode, and when it was asked request ${request} again it ${now}, where ${then} before; ` +
      'let it keep its episodes, make it repeat itself (temperature 0, no times in prompts), or use --agent-diverged restart',
    FailureType.AgentDiverged,
  );
}

/** Most characters of a call or an answer in a failure's message. */
const EXCERPT_CHARS = 200;

export function excerpt(text = ''): string {
  return text.length <= EXCERPT_CHARS ? text : `${text.slice(0, EXCERPT_CHARS)}…`;
}

const STALE: RefusedCall = { refused: 'stale', message: 'another attempt, or no request at all, is under way' };
const OVER: RefusedCall = { refused: 'over', message: 'the episode has ended, or has no steps left' };
const NO_PROVIDER: RefusedCall = {
  refused: 'invalid',
  message:
    'the agent calls a model at model_url, and the run has none for it; start one with --model and --model-provider',
};
const UNKNOWN_TRANSCRIPT: RefusedCall = { refused: 'transcript', message: 'send the whole conversation' };

/** Provider that plays agents from the tasks' ground truth, with any model name. */
const SCRIPTED_PROVIDER = 'scripted';

/**
 * Returns the model for an agent's call: by the run's mapping, otherwise the run's model, otherwise the requested one.
 * @returns null if the run has no provider for it
 */
function findServedModel(
  { agentModel, strategyOptions }: Pick<EvaluationConfig, 'agentModel' | 'strategyOptions'>,
  asked: string,
): ModelSettings | null {
  if (agentModel === null) return null;
  const { agentModel: mapped } = serviceOptions(strategyOptions);
  if (agentModel.provider === SCRIPTED_PROVIDER) return agentModel;
  const usual = agentModel.model === AS_ASKED ? asked : agentModel.model;
  return { ...agentModel, model: Object.hasOwn(mapped, asked) ? (mapped[asked] ?? usual) : usual };
}
