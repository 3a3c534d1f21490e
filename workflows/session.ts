/**
 * The agent's session of one episode, and the human user where there is one. Model calls and environment steps are
 * activities, `respond` asks the user.
 */

import { ApplicationFailure, setCurrentDetails, condition, setHandler } from '@temporalio/workflow';
import {
  AgentError,
  isUsersCall,
  observeSteps,
  type AgentService,
  type AgentSession,
  type Completion,
  type CompletionRequest,
  type Message,
  type StepEvent,
  type StepSettings,
  type TranscriptLine,
} from '../src/agents/index.ts';
import { strip, type PyValue } from '../src/benchmark/python/index.ts';
import { RESPOND, STOP_MARKER, isTau3, type Action, type StepResult } from '../src/benchmark/index.ts';
import { FIRST_AGENT_MESSAGE } from '../src/benchmark/tau3/index.ts';
import { LiveTranscript, asMarkdown, initialStepSummary, stepSummary, viewLink } from '../src/orchestration/index.ts';
import { UserReplyError, type UserSimulator } from '../src/users/index.ts';
import {
  FailureType,
  conversationBytes,
  notedIn,
  toActionWire,
  type AbandonedAttempt,
  type ActionWire,
  type EpisodeInput,
  type StepMetric,
  type StepOutput,
  episodeName,
  findAnswerProblem,
  type Answer,
  type Conversation,
  type OpenQuestion,
  type SpokenLine,
} from '../src/wire/index.ts';
import { environment } from './activities.ts';
import type { ReplayedPrefix } from './replayed-prefix.ts';
import { requireSpace, type ModelCall } from './model-calls.ts';
import { answer, conversation } from './messages.ts';
import type { Deadline } from './deadline.ts';
import { OutsideEnvironment } from './outside.ts';
import type { Tau3Turns } from './tau3-turns.ts';

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
  readonly #complete: ModelCall;
  readonly #user: UserSimulator | OutsideEnvironment;
  readonly #kept: ReplayedPrefix | undefined;
  readonly #environment: EpisodeEnvironment;
  /** The agent, where it is a service. */
  readonly service: AgentService | undefined;
  readonly #liveTranscript: LiveTranscript;
  /** Metrics of the step that was taken last. */
  #taken: Taken = { changed: false, durationMs: 0, thinkMs: 0 };
  /** End of the step before, in the workflow's time. */
  #idleSince: number;
  /** The order of turns of τ³-bench; absent in tau-bench. */
  readonly tau3: Tau3Turns | undefined;
  readonly takesAllCalls: true | undefined;

  /**
   * @param user the simulated user; or the outside harness, which then takes every step
   * @param kept of a fork
   * @param service absent unless the agent is a service
   * @param tau3 with the calls that the user has made before speaking; absent in an episode of tau-bench
   */
  constructor(
    input: EpisodeInput,
    complete: ModelCall,
    user: UserSimulator | OutsideEnvironment,
    firstMessage: string,
    kept?: ReplayedPrefix,
    service?: (session: EpisodeSession) => AgentService,
    tau3?: { readonly turns: Tau3Turns; readonly environment: EpisodeEnvironment },
  ) {
    this.#input = input;
    this.#complete = complete;
    this.#user = user;
    this.#kept = kept;
    this.service = service?.(this);
    this.#liveTranscript = new LiveTranscript(viewLink(input));
    this.env = input.config.env;
    this.firstMessage = firstMessage;
    this.#idleSince = Date.now();
    this.tau3 = tau3?.turns;
    this.takesAllCalls = tau3 && true;
    this.#environment = tau3?.environment ?? new EpisodeEnvironment(input);
    this.#addUserCalls();
    this.transcribe({ what: 'user', text: firstMessage });
  }

  /** The session as the strategy has it: every step is entered in {@link steps}, with what its model calls used. */
  watched(): AgentSession {
    return observeSteps(this, (event) => this.#enter(event));
  }

  stepsLeft(): number {
    return this.tau3?.left ?? this.#input.config.maxSteps - this.steps.length;
  }

  complete(request: CompletionRequest): Promise<Completion> {
    return this.#complete(this.tau3 === undefined ? request : { ...request, messages: this.#seen(request.messages) });
  }

  /** The conversation as τ³-bench's agent sees it: its first message before the user's, the user's calls left out. */
  #seen(messages: readonly Message[]): Message[] {
    const seen = messages.filter((message) => !isUsersCall(message));
    const first = seen.findIndex(({ role, content }) => role === 'user' && content === this.firstMessage);
    if (first < 0 || first > 1) return seen;
    return seen.toSpliced(first, 0, { role: 'assistant', content: FIRST_AGENT_MESSAGE });
  }

  /** Enters the calls that the user has made before speaking. */
  #addUserCalls(): void {
    this.trajectory.push(...(this.tau3?.taken.splice(0) ?? []));
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
    return { steps: this.steps.length, messages: this.trajectory.length, writes: this.#environment.writes.length };
  }

  /** Takes back all that came after a point, as if it had never been: the environment is a fold over its writes. */
  goBack({ steps, messages, writes }: EpisodePlace): void {
    this.steps.length = steps;
    this.trajectory.length = messages;
    this.#environment.writes.length = writes;
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
    this.#kept?.check(this.steps.length + 1, action);
    // It is recorded in one payload.
    requireSpace(this.trajectory);
    const { changed, ...result } = this.#corrected(await this.#take(action, settings));
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
      ...(this.#kept?.timingOf(step) ?? timing),
      calls,
      promptTokens,
      completionTokens,
      costUsd,
      ...this.#kept?.usageOf(step),
    });
    this.#kept?.stepTaken();
  }

  /** A corrected reply of the user may end the conversation, or keep it from ending. */
  #corrected(taken: Answered): Answered {
    const correction = this.#kept?.correctionOf(this.steps.length + 1);
    if (correction === undefined) return taken;
    if (taken.source !== USER || this.#user instanceof OutsideEnvironment) return { ...taken, observation: correction };
    correctedUser(this.#user, correction);
    return { ...taken, observation: correction, done: isLastWord(correction) };
  }

  async #take(action: Action, settings: StepSettings): Promise<Answered> {
    const isReply = action.name === RESPOND;
    if (this.tau3 !== undefined && !isReply) return this.#call(this.tau3, action, settings);
    if (!(this.#user instanceof OutsideEnvironment)) {
      return isReply ? this.#respond(action, this.#user) : this.#apply(action, settings);
    }
    if (isReply) this.turns += 1;
    return { ...(await this.#user.step(action)), changed: false };
  }

  /** Takes a call in τ³-bench, where limits of steps and failed calls end the episode. */
  async #call(turns: Tau3Turns, action: Action, settings: StepSettings): Promise<Answered> {
    const continues = settings.continues === true;
    if (!continues) turns.said({ text: null, toolCalls: [action] });
    const taken = await this.#apply(action, settings);
    return { ...taken, done: turns.answered(taken.failed === true, continues) };
  }

  async #respond(action: Action, user: UserSimulator): Promise<Answered> {
    this.turns += 1;
    const content = action.kwargs.get('content');
    if (content === undefined) throw new AgentError('missing_content', "'content'");
    const text = spokenText(content);
    const { tau3 } = this;
    if (tau3 === undefined) {
      const observation = await user.reply(text);
      return { observation, source: USER, done: isLastWord(observation), changed: false };
    }
    if (text === null || strip(text) === '') throw new AgentError('missing_content', 'the agent said nothing');
    const ended = { observation: '', source: USER, done: true, changed: false };
    if (tau3.said({ text })) return ended;
    const observation = await user.reply(text);
    this.#addUserCalls();
    if (tau3.termination !== undefined) return ended;
    requireWords(observation);
    return { observation, source: USER, done: tau3.said({ text: observation }), changed: false };
  }

  /**
   * Takes an action; with `observe: 'initial'` a second time on the pack's own data, for the observation that the agent is
   * shown. The first time is the one that counts.
   */
  async #apply(action: Action, { observe }: StepSettings): Promise<Answered> {
    const index = this.steps.length + 1;
    const isKept = this.#kept?.isOpen === true;
    const environment = this.#environment;
    const isStale = observe === 'initial' && environment.writes.length > 0;
    const noted = notedIn(this.#input);
    const counted = await environment.take(stepSummary(index, action, isKept), action, isStale ? {} : noted);
    const shown = isStale ? await environment.take(initialStepSummary(index, action), action, noted, []) : counted;
    return { ...counted, observation: shown.observation };
  }
}

/** The environment's state, as a fold over the calls of agent and user that have changed it. */
export class EpisodeEnvironment {
  readonly writes: ActionWire[] = [];
  readonly #input: EpisodeInput;

  constructor(input: EpisodeInput) {
    this.#input = input;
  }

  /**
   * Takes an action.
   * @param writes those that come before it; others than the episode's own leave its state as it is
   */
  async take(
    summary: string,
    action: Action,
    noted: { readonly logDir?: string },
    writes: readonly ActionWire[] = this.writes,
  ): Promise<StepOutput> {
    const { config, episode } = this.#input;
    const wire = toActionWire(action);
    this.#requireSpaceFor(wire);
    const task = isTau3(config.env) ? { task: { split: config.split, taskId: episode.taskId } } : {};
    const input = { pack: config.pack, writes, action: wire, ...task, ...noted };
    const output = await environment.step.executeWithOptions({ summary }, [input]);
    if (output.changed && writes === this.writes) this.writes.push(wire);
    return output;
  }

  #requireSpaceFor(action: ActionWire): void {
    const chars = [...this.writes, action].reduce((sum, { kwargsJson }) => sum + kwargsJson.length, 0);
    if (chars <= MAX_ARGUMENT_CHARS) return;
    const message = `the arguments of the episode's writes have ${chars} characters; it can carry ${MAX_ARGUMENT_CHARS}`;
    throw new AgentError('reply_too_long', message);
  }
}

/** @throws UserReplyError where the user's model has said nothing, on which the reference fails */
export function requireWords(said: string): void {
  if (strip(said) === '') throw new UserReplyError('the simulated user said nothing', said);
}

/** Each step carries the arguments of all earlier writes. */
const MAX_ARGUMENT_CHARS = 600_000;

/** The source of the user's replies. */
const USER = 'user';

function isLastWord(said: string): boolean {
  return said.includes(STOP_MARKER);
}

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

/**
 * The human user in the place of the simulated one. A question waits without a timer and without a worker: its answer is
 * an update, and the conversation before it is replayed from the history.
 */
export class HumanUser {
  readonly #input: EpisodeInput;
  readonly #deadline: Deadline;
  readonly #lines: SpokenLine[] = [];
  #question: OpenQuestion | null = null;
  #asked = 0;

  /** Must be called before the workflow's first await, so that no message comes too early. */
  constructor(input: EpisodeInput, deadline: Deadline) {
    this.#input = input;
    this.#deadline = deadline;
    setHandler(conversation, (): Conversation => ({ lines: this.#lines, question: this.#question }));
    setHandler(
      answer,
      ({ text }) => {
        this.#lines.push({ who: 'user', text });
        this.#question = null;
      },
      {
        validator: (given: Answer) => {
          const problem = findAnswerProblem(given, this.#question);
          if (problem !== null) throw ApplicationFailure.nonRetryable(problem, FailureType.BadRequest);
        },
      },
    );
  }

  /** @param said the agent's words; null: the person opens the conversation */
  async ask(said: string | null): Promise<string> {
    if (said !== null) this.#lines.push({ who: 'agent', text: said });
    this.#asked += 1;
    const number = this.#asked;
    this.#question = { number, askedAt: new Date().toISOString() };
    setCurrentDetails(this.#details(said));
    try {
      await this.#deadline.uncounted(() => condition(() => this.#question === null));
    } finally {
      // Of an episode that is cancelled, nothing is asked any more.
      this.#question = null;
    }
    return this.#lines.at(-1)?.text ?? '';
  }

  #details(said: string | null): string {
    const { run, episode } = this.#input;
    const what = said === null ? 'open the conversation' : 'answer';
    const command = `npx tauflow chat ${run.runId} ${episodeName(episode)}`;
    return [
      `**waits for a person** to ${what}: \`${command}\``,
      ...(said === null ? [] : [`**agent**: ${asMarkdown(said.slice(0, DETAILS_CHARS))}`]),
    ].join('\n\n');
  }
}

/** Temporal keeps 20 kB of details, and a character has up to four bytes. */
const DETAILS_CHARS = 4_000;
