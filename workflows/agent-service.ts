/**
 * An agent that is a service, as the episode has it. A request is the activity `agentTurn`; what the agent calls while it
 * works arrives as updates through the gateway of the worker that asks it, and is answered here: tools by the
 * environment, models by their provider, and both from the request's log where an attempt before has completed them.
 */

import { ApplicationFailure, CancellationScope, setHandler, uuid4 } from '@temporalio/workflow';
import {
  AgentError,
  serviceOptions,
  toolAction,
  type AgentAnswer,
  type ServicePort,
  type ServiceCalls,
  type ServiceRequest,
} from '../src/agents/index.ts';
import {
  RequestLog,
  type AgentTurnOutput,
  type CallResult,
  type ModelCallRequest,
  type Recorded,
  type Refused,
  type ToolCallRequest,
} from '../src/agent-service/pure.ts';
import type { Action } from '../src/benchmarks/index.ts';
import {
  AGENT_SERVICE,
  answeringModel,
  FailureType,
  servedModelOf,
  digestText,
  withAgentUrl,
} from '../src/evaluation/index.ts';
import { toActionWire, type EpisodePlace, type EpisodeSession, type AbandonedAttempt } from '../src/episode/index.ts';
import { holdableCall, sendTranscript } from './model-calls.ts';
import { failureTypeOf, isForModel } from './failures.ts';
import { ForwardedCalls, type ServiceContext } from './forwarded-calls.ts';
import { callResult, modelCall, toolCall } from './messages.ts';
import { proxyAgentTurn } from './activities.ts';

type Log = RequestLog<EpisodePlace, Recorded, Recorded, AgentAnswer>;

/** A request that the agent was sent. */
interface Sent extends ServiceRequest {
  /** Counts over the episode, from 1. */
  readonly number: number;
  /** Length of the conversation that it carried. */
  readonly messages: number;
  readonly log: Log;
  /** Attempts that are known of: those of an activity that has failed count as one, or as many as have called. */
  attempts: number;
  /** The walk in which it was sent last. */
  walk?: number;
}

/** The request under way. */
interface Open extends Sent {
  readonly calls: ServiceCalls;
  readonly scope: CancellationScope;
  /** True once a call has ended the episode, or has found no steps left. */
  isOver: boolean;
  /** Ends the request with an error that a call has met. */
  fail(error: unknown): void;
}

/** Times that an agent which keeps losing its episode is walked through it for one request. */
const MOST_WALKS = 3;

/** Must be made before the workflow's first await, so that no update comes too early. */
export class ServiceCaller {
  readonly #context: ServiceContext;
  readonly #forwarded: ForwardedCalls;
  /** Names the episode to the agent, and says nothing else of it. */
  #name = uuid4();
  #requests: Sent[] = [];
  /** Results of calls by name, for gateways that do not have them. */
  readonly #results = new Map<string, CallResult>();
  #open: Open | undefined;
  /** Place of the conversation at the agent. */
  #peer: string | undefined;
  /** Time of the agent's last answer in this episode. */
  #answeredAt: number | undefined;
  /** Times that the agent was walked through the episode. */
  #walks = 0;
  #session: EpisodeSession | undefined;
  /** The last tool call: they are carried out one after the other. */
  #lastCall: Promise<unknown> = Promise.resolve();

  constructor(context: ServiceContext) {
    this.#context = context;
    this.#forwarded = new ForwardedCalls(context);
    // A call of an attempt that was lost may be under way when the episode ends.
    const unfinishedPolicy = 'ABANDON';
    setHandler(toolCall, (call) => this.#inOrder(() => this.#withOpen(call, (open) => this.#toolCall(open, call))), {
      unfinishedPolicy,
    });
    setHandler(modelCall, (call) => this.#withOpen(call, (open) => this.#modelCall(open, call)), { unfinishedPolicy });
    setHandler(callResult, (name) => this.#results.get(name) ?? null);
  }

  /** Forgets the conversation: the agent gets a new episode. @returns the last request, with what was known of it */
  startAnew(): Pick<AbandonedAttempt, 'request' | 'attempt'> {
    const last = this.#requests.at(-1);
    this.#name = uuid4();
    this.#requests = [];
    return { request: last?.number ?? 0, attempt: last?.attempts ?? 0 };
  }

  /** The service as the session's strategy has it. */
  of(session: EpisodeSession): ServicePort {
    this.#session = session;
    return { ask: (request, calls) => this.#ask(request, calls) };
  }

  async #ask(request: ServiceRequest, calls: ServiceCalls): Promise<AgentAnswer> {
    const sent: Sent = {
      ...request,
      number: this.#requests.length + 1,
      messages: this.#place().messages,
      log: new RequestLog(),
      attempts: 0,
    };
    this.#requests.push(sent);
    for (let walks = 0; ; walks++) {
      try {
        return await this.#send(sent, calls);
      } catch (error) {
        if (failureTypeOf(error) !== FailureType.AgentForgot || sent.number === 1 || walks === MOST_WALKS) throw error;
        walks = await this.#walk(calls, walks);
      }
    }
  }

  /**
   * Leads the agent through the requests before again.
   * @returns the walks of this request so far, this one not counted
   */
  async #walk(calls: ServiceCalls, walks: number): Promise<number> {
    this.#sessionOf().count('agent_walks');
    this.#walks += 1;
    for (const earlier of this.#requests.slice(0, -1)) {
      try {
        await this.#send(earlier, calls);
      } catch (error) {
        // A conversation that breaks off again has no end that anybody knows: it begins once more.
        const isLost = failureTypeOf(error) === FailureType.AgentForgot && this.#peer !== undefined;
        if (!isLost || earlier.number === 1 || walks + 1 >= MOST_WALKS) throw error;
        return await this.#walk(calls, walks + 1);
      }
    }
    return walks;
  }

  /** Sends a request, for the first time or again. */
  async #send(sent: Sent, calls: ServiceCalls): Promise<AgentAnswer> {
    const before = sent.log.answer;
    const output = await this.#whileOpen(sent, calls, () => this.#turn(sent)).catch((error: unknown) => {
      if (failureTypeOf(error) !== FailureType.AgentForgot) this.#enterUsage({});
      throw error;
    });
    sent.attempts = output.attempt;
    this.#answeredAt = Date.now();
    this.#peer = output.peer;
    const { answer, attempt } = output;
    if (before !== undefined) {
      const [now, then] = [answer, before].map((each) => JSON.stringify(each));
      if (now !== then)
        throw agentDiverged(sent.number, `answered ${excerpt(now)}`, `it had answered ${excerpt(then)}`);
      return answer;
    }
    this.#enterUsage(output);
    const place = sent.log.end(attempt, answer, output.answersAttempt);
    if (place !== undefined) {
      if (this.#hasSpokenSince(place))
        throw agentDiverged(sent.number, 'ended before it spoke to the user', 'it had spoken');
      this.#goBack(sent, calls, place);
    }
    if (attempt > 1) this.#sessionOf().count('repeated_turns');
    return answer;
  }

  /** Lets the agent's calls in until the request has ended. */
  async #whileOpen<T>(sent: Sent, calls: ServiceCalls, work: () => Promise<T>): Promise<T> {
    const scope = new CancellationScope();
    let fail: (error: unknown) => void = () => undefined;
    const failed = new Promise<never>((_, reject) => {
      fail = reject;
    });
    failed.catch(() => undefined);
    this.#open = { ...sent, calls, scope, isOver: false, fail };
    const working = scope.run(work);
    try {
      return await Promise.race([working, failed]);
    } catch (error) {
      // The agent is not heard any more; its request is aborted before anything else happens.
      scope.cancel();
      await working.catch(() => undefined);
      throw error;
    } finally {
      this.#open = undefined;
      await this.#lastCall;
    }
  }

  #turn(sent: Sent): Promise<AgentTurnOutput> {
    const { number, turn, fresh, messages, log } = sent;
    const { input, sender, holder } = this.#context;
    const { config, queues } = input;
    const delta = sender.next('agent-service', this.#sessionOf().trajectory.slice(0, messages));
    const activity = proxyAgentTurn(queues, serviceOptions(config.strategyOptions).requestTimeout * 1_000, config);
    const isReplay = log.answer !== undefined;
    const summary = `turn ${turn}${number > turn ? `, request ${number}` : ''}${isReplay ? ', again' : ''}`;
    const answered = this.#answeredAt === undefined ? {} : { answeredAt: this.#answeredAt };
    const place = { call: `request ${number}`, provider: AGENT_SERVICE, ...answered };
    const peer = number === 1 ? undefined : this.#peer;
    return holdableCall(holder, place, (held) => {
      const isRepeated = sent.walk === this.#walks;
      sent.walk = this.#walks;
      return sendTranscript(sender, delta, (conversation) => {
        // Another activity for the same request, also where only its worker did not know the conversation.
        const known = Math.max(sent.attempts, held?.apiFailures ?? 0);
        const earlierAttempts = known === 0 ? 0 : Math.max(known, log.attempt);
        sent.attempts = earlierAttempts + 1;
        return activity.executeWithOptions({ summary }, [
          {
            pack: config.pack,
            strategyOptions: withAgentUrl(config, holder?.agentUrl).strategyOptions,
            session: this.#name,
            turn,
            request: number,
            conversation,
            fresh,
            ...(isReplay ? { isReplay: true } : {}),
            earlierAttempts,
            ...(peer === undefined ? {} : { peer, ...(isRepeated ? { isRepeated } : {}) }),
            ...(config.agentModel === null ? {} : { model: answeringModel(config.agentModel) }),
            maxRetries: held === undefined ? config.maxRetries : 0,
          },
        ]);
      }).catch((error: unknown) => {
        // Held for the refusal, it is made again when that may have been put right.
        if (isForModel(error)) log.forgetRefused();
        throw error;
      });
    });
  }

  async #toolCall(open: Open, { attempt, name, argumentsJson }: ToolCallRequest): Promise<Recorded | Refused> {
    const session = this.#sessionOf();
    let action: Action;
    try {
      action = toolAction({ id: '', name, argumentsJson });
    } catch (error) {
      if (error instanceof AgentError) return { refused: 'invalid', message: error.message };
      throw error;
    }
    const call = `${name} ${toActionWire(action).kwargsJson}`;
    const verdict = open.log.toolCall(attempt, call);
    if (verdict.kind === 'stale') return STALE;
    if (verdict.kind === 'recorded') return verdict.result;
    if (verdict.kind === 'diverged') {
      const { before } = verdict;
      const then = before === undefined ? 'it had called no tool any more' : `it had called ${excerpt(before)}`;
      return this.#diverged(open, `called ${excerpt(call)}`, then);
    }
    if (verdict.goBackTo !== undefined) {
      if (this.#hasSpokenSince(verdict.goBackTo)) {
        return this.#diverged(open, `called ${excerpt(call)}`, 'it had spoken to the user after another call');
      }
      this.#goBack(open, open.calls, verdict.goBackTo);
    }
    if (session.stepsLeft() === 0 || session.endedBy !== null) {
      open.isOver = true;
      return OVER;
    }
    const before = session.place();
    try {
      const { observation, done } = await open.calls.take(action);
      open.isOver ||= done;
      const recorded = digestText(observation);
      this.#results.set(recorded, { observation, done });
      open.log.toolTaken(call, before, { recorded });
      return { recorded };
    } catch (error) {
      // It ends the episode, where the strategy meets it.
      open.fail(error);
      return OVER;
    }
  }

  async #modelCall(open: Open, call: ModelCallRequest): Promise<Recorded | Refused> {
    const { attempt, digest } = call;
    const transcript = this.#forwarded.enter(call);
    const known = open.log.modelCall(attempt, digest);
    if (known === 'stale') return STALE;
    if (known !== undefined) return await known;
    if (open.log.answer !== undefined)
      return this.#diverged(open, `asked ${call.model}`, 'it had made no such model call');
    if (open.isOver) return OVER;
    const model = servedModelOf(this.#context.input.config, call.model);
    if (model === null) return NO_PROVIDER;
    if (transcript === undefined) return UNKNOWN_TRANSCRIPT;
    const made = this.#forwarded.make(
      call,
      model,
      transcript,
      (completion) => open.calls.spend?.(completion),
      (name, reply) => this.#results.set(name, reply),
    );
    open.log.modelAsked(attempt, digest, made);
    try {
      const recorded = await made;
      const result = this.#results.get(recorded.recorded);
      if (result !== undefined && 'status' in result && result.status >= 400) open.log.modelRefused(made);
      return recorded;
    } catch (error) {
      open.fail(error);
      return OVER;
    }
  }

  /** Runs a call of the request under way in its scope; any other is refused. */
  async #withOpen<T>({ request }: { readonly request: number }, work: (open: Open) => Promise<T | Refused>) {
    const open = this.#open;
    if (open?.number !== request) return STALE;
    return await open.scope.run(() => work(open));
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lastCall.then(work);
    this.#lastCall = result.catch(() => undefined);
    return result;
  }

  #diverged(open: Open, now: string, then: string): Refused {
    const error = agentDiverged(open.number, now, then);
    open.fail(error);
    return { refused: 'diverged', message: error.message };
  }

  /** True if the user has heard something since, which cannot be taken back. */
  #hasSpokenSince({ messages }: EpisodePlace): boolean {
    return this.#sessionOf()
      .trajectory.slice(messages)
      .some(({ role }) => role === 'user');
  }

  #goBack({ number, log }: Sent, { wentBack }: ServiceCalls, place: EpisodePlace): void {
    const session = this.#sessionOf();
    const lost = session.trajectory.slice(place.messages);
    session.abandon({ request: number, attempt: log.attempt - 1, messages: lost });
    session.goBack(place);
    wentBack?.(place.steps);
    session.transcribe({
      what: 'note',
      text: `the agent was asked again and goes another way: back to step ${place.steps}`,
    });
  }

  /** Enters the agent's report of its own calls; where nothing is known of any call, its cost is not known. */
  #enterUsage({ usage }: Pick<AgentTurnOutput, 'usage'>): void {
    const { ledger } = this.#context;
    if (usage !== undefined) ledger.enterReported('agent', usage);
    else if (this.#forwarded.count === 0) ledger.enterUnknown('agent');
  }

  #place(): EpisodePlace {
    return this.#sessionOf().place();
  }

  #sessionOf(): EpisodeSession {
    if (this.#session === undefined) throw new Error('the agent is asked before its session is there');
    return this.#session;
  }
}

/** An agent that was asked again has done something else than before, which the user has heard of. */
function agentDiverged(request: number, now: string, then: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(
    `the agent has lost the episode, and when it was asked request ${request} again it ${now}, where ${then} before; ` +
      'let it keep its episodes, make it repeat itself (temperature 0, no times in prompts), or use --agent-diverged restart',
    FailureType.AgentDiverged,
  );
}

/** Characters of a call or an answer in a failure's message. */
const EXCERPT_CHARS = 200;

function excerpt(text = ''): string {
  return text.length <= EXCERPT_CHARS ? text : `${text.slice(0, EXCERPT_CHARS)}…`;
}

const STALE: Refused = { refused: 'stale', message: 'another attempt, or no request at all, is under way' };
const OVER: Refused = { refused: 'over', message: 'the episode has ended, or has no steps left' };
const NO_PROVIDER: Refused = {
  refused: 'invalid',
  message: "the run has no provider for the agent's model calls; start it with --model-provider",
};
const UNKNOWN_TRANSCRIPT: Refused = { refused: 'transcript', message: 'send the whole conversation' };
