/**
 * The agent's session of one episode: model calls and environment steps are activities, `respond` asks the user.
 */

import { ApplicationFailure, setCurrentDetails } from '@temporalio/workflow';
import {
  AgentError,
  observeSteps,
  type ServicePort,
  type AgentSession,
  type Completion,
  type CompletionRequest,
  type Message,
  type SolveEnd,
  type StepEvent,
  type StepSettings,
  type TranscriptLine,
} from '../src/agents/index.ts';
import { strip, type PyValue } from '../src/benchmarks/python/index.ts';
import { RESPOND, type Action, type EpisodeRules, type StepResult } from '../src/benchmarks/index.ts';
import { LiveTranscript, initialStepSummary, stepSummary, viewLink } from '../src/orchestration/index.ts';
import { UserReplyError, type UserSimulator } from '../src/agents/users/index.ts';
import { FailureType, conversationBytes, type Outcome } from '../src/evaluation/index.ts';
import { notedIn, type AbandonedAttempt, type EpisodeInput, type StepMetric } from '../src/episode/index.ts';
import type { EpisodeEnvironment } from './episode-environment.ts';
import type { ReplayedPrefix } from './replayed-prefix.ts';
import { requireSpace, type ModelCall } from './model-calls.ts';
import { OutsideEnvironment } from './outside.ts';
import type { UserCalls } from './user-calls.ts';

/** A step's result, with whether it changed the environment's data. */
type Answered = StepResult & Pick<StepMetric, 'changed'>;
/** Metrics of a step, beside its result. */
type Taken = Pick<StepMetric, 'changed' | 'durationMs' | 'thinkMs'>;

/** Attempts that are kept, and the size of their messages: enough to see what goes wrong again and again. */
const MOST_ABANDONED = 10;
const MOST_ABANDONED_BYTES = 300_000;

/** A point of an episode, by what it had until then. */
export interface EpisodePlace {
  readonly steps: number;
  readonly messages: number;
  readonly writes: number;
}

/** Parts that an episode's session is made of, chosen when the episode opens. */
export interface SessionParts {
  readonly complete: ModelCall;
  readonly rules: EpisodeRules;
  readonly environment: EpisodeEnvironment;
  /** The simulated user; or the outside harness, which then takes every step. */
  readonly user: UserSimulator | OutsideEnvironment;
  /** Absent: the user has no tools. */
  readonly userCalls?: UserCalls | undefined;
  /** Present in a fork. */
  readonly kept?: ReplayedPrefix | undefined;
  /** Present if the agent is a service. */
  readonly service?: ((session: EpisodeSession) => ServicePort) | undefined;
}

export class EpisodeSession implements AgentSession {
  readonly trajectory: Message[] = [];
  readonly steps: StepMetric[] = [];
  /** Messages of the agent to the user. */
  turns = 0;
  /** The source of the step that ended the episode. */
  endedBy: string | null = null;

  readonly env: string;
  readonly firstMessage: string;
  readonly counts = new Map<string, number>();
  /** Attempts of an agent service that were taken back, the first few. */
  readonly abandoned: AbandonedAttempt[] = [];
  readonly #input: EpisodeInput;
  readonly #parts: SessionParts;
  /** The agent, where it is a service. */
  readonly service: ServicePort | undefined;
  readonly #liveTranscript: LiveTranscript;
  /** Metrics of the step that was taken last. */
  #taken: Taken = { changed: false, durationMs: 0, thinkMs: 0 };
  /** End of the step before, in the workflow's time. */
  #idleSince: number;
  readonly takesAllCalls: true | undefined;

  /** @param firstMessage the user's */
  constructor(input: EpisodeInput, parts: SessionParts, firstMessage: string) {
    this.#input = input;
    this.#parts = parts;
    this.service = parts.service?.(this);
    this.#liveTranscript = new LiveTranscript(viewLink(input));
    this.env = input.config.env;
    this.firstMessage = firstMessage;
    this.#idleSince = Date.now();
    this.takesAllCalls = parts.rules.takesAllCalls || undefined;
    this.#addUserCalls();
    this.transcribe({ what: 'user', text: firstMessage });
  }

  /** The session as the strategy has it: every step is entered in {@link steps}, with what its model calls used. */
  watched(): AgentSession {
    return observeSteps(this, (event) => this.#enter(event));
  }

  stepsLeft(): number {
    return this.#parts.rules.stepsLeft(this.steps.length);
  }

  complete(request: CompletionRequest): Promise<Completion> {
    const messages = this.#parts.rules.agentView(request.messages, this.firstMessage);
    return this.#parts.complete({ ...request, messages });
  }

  /** The outcome of the conversation, whose strategy has ended. */
  outcome(end: SolveEnd): Outcome {
    return this.#parts.rules.outcome(end, this.endedBy);
  }

  /** Enters the calls that the user has made before speaking. */
  #addUserCalls(): void {
    this.trajectory.push(...(this.#parts.userCalls?.removeTaken() ?? []));
  }

  /** Keeps what an attempt did that does not count, for the record. */
  abandon(attempt: AbandonedAttempt): void {
    const all = [...this.abandoned, attempt].flatMap(({ messages }) => messages);
    const hasSpace = conversationBytes(all) <= MOST_ABANDONED_BYTES;
    if (this.abandoned.length < MOST_ABANDONED) this.abandoned.push(hasSpace ? attempt : { ...attempt, messages: [] });
    this.count('abandoned_attempts');
  }

  /** Keeps what the record has of the session that this one begins anew, as an abandoned attempt. */
  succeed(before: EpisodeSession, abandoned: Omit<AbandonedAttempt, 'messages'>): void {
    for (const [name, count] of before.counts) this.count(name, count);
    this.abandoned.push(...before.abandoned);
    this.abandon({ ...abandoned, messages: before.trajectory });
    this.transcribe({ what: 'note', text: 'the agent did otherwise than before: the episode has begun anew' });
  }

  /** The point that the episode is at. */
  place(): EpisodePlace {
    return {
      steps: this.steps.length,
      messages: this.trajectory.length,
      writes: this.#parts.environment.writes.length,
    };
  }

  /** Takes back all that came after a point, as if it had never been: the environment is a fold over its writes. */
  goBack({ steps, messages, writes }: EpisodePlace): void {
    this.steps.length = steps;
    this.trajectory.length = messages;
    this.#parts.environment.writes.length = writes;
    this.endedBy = null;
  }

  count(name: string, by = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + by);
  }

  transcribe(line: TranscriptLine): void {
    this.#liveTranscript.add(line, line.what === 'step' ? `step ${this.steps.length + 1}` : line.what);
    setCurrentDetails(this.#liveTranscript.toMarkdown());
  }

  async step(action: Action, settings: StepSettings = {}): Promise<StepResult> {
    const startedAt = Date.now();
    this.#parts.kept?.check(this.steps.length + 1, action);
    // It is recorded in one payload.
    requireSpace(this.trajectory);
    const { changed, ...result } = await this.#take(action, settings);
    const endedAt = Date.now();
    this.#taken = { changed, durationMs: endedAt - startedAt, thinkMs: startedAt - this.#idleSince };
    this.#idleSince = endedAt;
    if (result.done) this.endedBy = result.source;
    return result;
  }

  #enter({ step, action, usage, costUsd }: StepEvent): void {
    const { calls, promptTokens, completionTokens } = usage;
    const { changed, ...timing } = this.#taken;
    this.steps.push({
      index: step,
      name: action.name,
      changed,
      ...(this.#parts.kept?.timingOf(step) ?? timing),
      calls,
      promptTokens,
      completionTokens,
      costUsd,
      ...this.#parts.kept?.usageOf(step),
    });
    this.#parts.kept?.stepTaken();
  }

  async #take(action: Action, settings: StepSettings): Promise<Answered> {
    const { user } = this.#parts;
    if (action.name === RESPOND && !(user instanceof OutsideEnvironment)) return this.#respond(action, user);
    const isOutside = user instanceof OutsideEnvironment;
    const taken = await (isOutside ? this.#observe(action, user) : this.#call(action, settings));
    return { ...taken, observation: this.#correction() ?? taken.observation };
  }

  /** Words that a fork has in the place of this step's observation. */
  #correction(): string | undefined {
    return this.#parts.kept?.correctionOf(this.steps.length + 1);
  }

  async #observe(action: Action, user: OutsideEnvironment): Promise<Answered> {
    if (action.name === RESPOND) this.turns += 1;
    return { ...(await user.step(action)), changed: false };
  }

  async #call(action: Action, settings: StepSettings): Promise<Answered> {
    const { rules } = this.#parts;
    const continues = settings.continues === true;
    if (!continues) rules.said('agent', { text: null, toolCalls: [action] });
    const taken = await this.#apply(action, settings);
    return { ...taken, done: rules.answered(taken, continues) };
  }

  async #respond(action: Action, user: UserSimulator): Promise<Answered> {
    const { rules } = this.#parts;
    this.turns += 1;
    const content = action.kwargs.get('content');
    if (content === undefined) throw new AgentError('missing_content', "'content'");
    const text = spokenText(content);
    // tau-bench's reference sends nothing on to the user's model, which OpenAI's API refuses, and others answer somehow.
    const refusesSilence = rules.refusesSilence || (this.#input.version ?? 1) >= 3;
    if (refusesSilence && isSilent(text)) throw new AgentError('missing_content', 'the agent said nothing');
    const ended = { observation: '', source: USER, done: true, changed: false };
    if (rules.said('agent', { text })) return ended;
    const said = await user.reply(text);
    this.#addUserCalls();
    if (rules.isOver) return ended;
    requireWords(rules, said);
    const observation = this.#corrected(user, said);
    return { observation, source: USER, done: rules.said('user', { text: observation }), changed: false };
  }

  /** A corrected reply of the user may end the conversation, or keep it from ending. */
  #corrected(user: UserSimulator, said: string): string {
    const correction = this.#correction();
    return correction === undefined ? said : correctedUser(user, correction);
  }

  /**
   * Takes an action; with `observe: 'initial'` a second time on the pack's own data, for the observation that the agent is
   * shown. The first time is the one that counts.
   */
  async #apply(action: Action, { observe }: StepSettings): Promise<Answered> {
    const index = this.steps.length + 1;
    const isKept = this.#parts.kept?.isOpen === true;
    const environment = this.#parts.environment;
    const isStale = observe === 'initial' && environment.writes.length > 0;
    const noted = notedIn(this.#input);
    const counted = await environment.take(stepSummary(index, action, isKept), action, isStale ? {} : noted);
    const shown = isStale ? await environment.take(initialStepSummary(index, action), action, noted, []) : counted;
    return { ...counted, observation: shown.observation };
  }
}

/** @throws UserReplyError where the user's model has said nothing, and the benchmark's reference fails on that */
export function requireWords(rules: EpisodeRules, said: string): void {
  if (rules.refusesSilence && isSilent(said)) throw new UserReplyError('the simulated user said nothing', said);
}

function isSilent(text: string | null): boolean {
  return text === null || strip(text) === '';
}

/** The source of the user's replies. */
const USER = 'user';

/**
 * Lets the user continue as if it had said other words.
 * @throws ApplicationFailure where this user strategy cannot
 */
export function correctedUser(user: UserSimulator, said: string): string {
  if (user.correct === undefined) {
    throw ApplicationFailure.nonRetryable(
      'what this simulated user has said cannot be corrected',
      FailureType.BadRequest,
    );
  }
  user.correct(said);
  return said;
}

/** Text that the user gets: models may put a number or null in its place. */
function spokenText(content: PyValue): string | null {
  if (content === null || typeof content === 'string') return content;
  if (typeof content === 'bigint' || typeof content === 'boolean') return String(content);
  throw new AgentError('invalid_action', 'the content of respond is not a text');
}
