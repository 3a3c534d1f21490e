/**
 * Requests of an episode to its agent service. Each is the activity `agentTurn`. An agent that has lost the episode
 * gets the earlier requests again (a _walk_), and must answer them as before.
 */

import type { AgentAnswer, ServiceCalls, ServicePort, ServiceRequest } from '../agents/index.ts';
import { RequestLog, type AgentTurnOutput } from '../agent-service/pure.ts';
import {
  AGENT_SERVICE,
  AS_ASKED,
  FailureType,
  conditionOf,
  withAgentUrl,
  type ModelSettings,
} from '../evaluation/index.ts';
import type { AgentCalls } from './agent-calls.ts';
import { agentDiverged, excerpt, takeBack, type AgentRequest } from './agent-calls.ts';
import type { EpisodeContext } from './context.ts';
import { isForModel } from './failures.ts';
import { holdableCall, sendTranscript } from './model-calls.ts';
import type { AbandonedAttempt } from './record.ts';
import type { EpisodeSession } from './session.ts';

/** Most walks for one request to an agent that keeps losing its episode. */
const MOST_WALKS = 3;

export class AgentRequests {
  readonly #context: EpisodeContext;
  readonly #calls: AgentCalls;
  /** Name of the episode for the agent, which reveals nothing about it. */
  #name: string;
  #requests: AgentRequest[] = [];
  /** The agent's own name of the conversation. */
  #peer: string | undefined;
  /** Time of the agent's last answer in this episode. */
  #answeredAt: number | undefined;
  /** Number of walks so far. */
  #walks = 0;

  constructor(context: EpisodeContext, calls: AgentCalls) {
    this.#context = context;
    this.#calls = calls;
    this.#name = context.ports.uuid();
  }

  /** Forgets the conversation, and gives the episode a new name for the agent. @returns the last request */
  startAnew(): Pick<AbandonedAttempt, 'request' | 'attempt'> {
    const last = this.#requests.at(-1);
    this.#name = this.#context.ports.uuid();
    this.#requests = [];
    return { request: last?.number ?? 0, attempt: last?.attempts ?? 0 };
  }

  /** Returns the service's port for the session's strategy. */
  createPort(session: EpisodeSession): ServicePort {
    return { ask: (request, calls) => this.#ask(session, request, calls) };
  }

  async #ask(session: EpisodeSession, request: ServiceRequest, calls: ServiceCalls): Promise<AgentAnswer> {
    const sent: AgentRequest = {
      ...request,
      number: this.#requests.length + 1,
      messages: session.place().messages,
      log: new RequestLog(),
      attempts: 0,
    };
    this.#requests.push(sent);
    for (let walks = 0; ; walks++) {
      try {
        return await this.#send(session, sent, calls);
      } catch (error) {
        if (!this.#hasForgotten(error) || sent.number === 1 || walks === MOST_WALKS) throw error;
        walks = await this.#walk(session, calls, walks);
      }
    }
  }

  /**
   * Sends the earlier requests again.
   * @returns the earlier walks of this request
   */
  async #walk(session: EpisodeSession, calls: ServiceCalls, walks: number): Promise<number> {
    session.count('agent_walks');
    this.#walks += 1;
    for (const earlier of this.#requests.slice(0, -1)) {
      try {
        await this.#send(session, earlier, calls);
      } catch (error) {
        // If a conversation breaks off again, its end is unknown, so it begins once more.
        const isLost = this.#hasForgotten(error) && this.#peer !== undefined;
        if (!isLost || earlier.number === 1 || walks + 1 >= MOST_WALKS) throw error;
        return await this.#walk(session, calls, walks + 1);
      }
    }
    return walks;
  }

  /** Sends a request, for the first time or again. */
  async #send(session: EpisodeSession, sent: AgentRequest, calls: ServiceCalls): Promise<AgentAnswer> {
    const before = sent.log.answer;
    const turn = () => this.#turn(session, sent);
    const output = await this.#calls.whileOpen(session, sent, calls, turn).catch((error: unknown) => {
      if (!this.#hasForgotten(error)) this.#enterUsage({});
      throw error;
    });
    sent.attempts = output.attempt;
    this.#answeredAt = this.#context.ports.display.now();
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
      if (session.hasSpokenSince(place))
        throw agentDiverged(sent.number, 'ended before it spoke to the user', 'it had spoken');
      takeBack(session, sent, calls, place);
    }
    if (attempt > 1) session.count('repeated_turns');
    return answer;
  }

  #turn(session: EpisodeSession, sent: AgentRequest): Promise<AgentTurnOutput> {
    const { number, turn, fresh, messages, log } = sent;
    const { input, ports, sender, holder } = this.#context;
    const { config } = input;
    const delta = sender.next('agent-service', session.trajectory.slice(0, messages));
    const isReplay = log.answer !== undefined || undefined;
    const summary = `turn ${turn}${number > turn ? `, request ${number}` : ''}${isReplay ? ', again' : ''}`;
    const place = { call: `request ${number}`, provider: AGENT_SERVICE, answeredAt: this.#answeredAt };
    const peer = number === 1 ? undefined : this.#peer;
    return holdableCall(this.#context, place, (held) => {
      const isRepeated = (peer !== undefined && sent.walk === this.#walks) || undefined;
      sent.walk = this.#walks;
      return sendTranscript(this.#context, delta, (conversation) => {
        // Another activity for the same request; also if only its worker lacked the conversation.
        const known = Math.max(sent.attempts, held?.apiFailures ?? 0);
        const earlierAttempts = known === 0 ? 0 : Math.max(known, log.attempt);
        sent.attempts = earlierAttempts + 1;
        return ports.activities.agentTurn(summary, {
          pack: config.pack,
          task: config.pack.environment && { split: config.split, taskId: input.episode.taskId },
          condition: conditionOf(config, input.episode),
          strategyOptions: withAgentUrl(config, holder?.agentUrl).strategyOptions,
          session: this.#name,
          turn,
          request: number,
          conversation,
          fresh,
          ...{ isReplay, earlierAttempts, peer, isRepeated },
          model: config.agentModel === null ? undefined : answeringModel(config.agentModel),
          maxRetries: held === undefined ? config.maxRetries : 0,
        });
      }).catch((error: unknown) => {
        // The refusal may have been fixed during the hold, so the call is made again.
        if (isForModel(ports.readFailure(error))) log.forgetRefused();
        throw error;
      });
    });
  }

  #hasForgotten(error: unknown): boolean {
    return this.#context.ports.readFailure(error)?.type === FailureType.AgentForgot;
  }

  /** Adds the agent's report of its own model calls. Without a report, the cost is unknown. */
  #enterUsage({ usage }: Pick<AgentTurnOutput, 'usage'>): void {
    const { ledger } = this.#context;
    if (usage !== undefined) ledger.enterReported('agent', usage);
    else if (!this.#calls.hasCalledModels) ledger.enterUnknown('agent');
  }
}

/** Returns the provider and the model for the agent's calls; a null model means the requested one. */
function answeringModel({ provider, model }: ModelSettings) {
  return { provider, model: model === AS_ASKED ? null : model };
}
