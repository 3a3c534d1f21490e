/** The agent's session of one episode: its model calls, and its steps with their metrics. */

import {
  observeSteps,
  type AgentSession,
  type Completion,
  type CompletionRequest,
  type Message,
  type ServicePort,
  type SolveEnd,
  type StepEvent,
  type StepSettings,
  type TranscriptLine,
} from '../agents/index.ts';
import { RESPOND, type Action, type EpisodeRules } from '../benchmarks/pure.ts';
import { conversationBytes, type Outcome } from '../evaluation/index.ts';
import { requireSpace } from './completion.ts';
import { viewLink } from './display.ts';
import type { ActionWire, StepMetric } from './environment.ts';
import type { EpisodeInput } from './input.ts';
import { LiveTranscript } from './live-transcript.ts';
import type { Display, ModelCall } from './ports.ts';
import type { AbandonedAttempt } from './record.ts';
import type { ReplayedPrefix } from './replayed-prefix.ts';
import type { StepTakers, TakenStep } from './takers.ts';

/** Most abandoned attempts in the record, with enough messages to see a repeated error. */
const MOST_ABANDONED = 10;
const MOST_ABANDONED_BYTES = 300_000;

/** A point of an episode: its numbers of steps, messages and writes. */
export interface EpisodePlace {
  readonly steps: number;
  readonly messages: number;
  readonly writes: number;
}

/** A step with the metrics that are known after its end. */
interface TimedStep extends TakenStep, Pick<StepMetric, 'durationMs' | 'thinkMs'> {}

/** Parts of an episode's session, chosen when the episode opens. */
interface SessionParts {
  readonly rules: EpisodeRules;
  readonly complete: ModelCall;
  readonly takers: StepTakers;
  /** The conversation so far, which may begin with calls of a user before its first message. */
  readonly trajectory: Message[];
  /** The calls that have changed the environment's state. */
  readonly writes: ActionWire[];
  /** Life of an environment service whose calls cannot be repeated. */
  readonly life?: string | undefined;
  readonly display: Display;
  /** The replayed prefix; present in a fork. */
  readonly prefix?: ReplayedPrefix | undefined;
  /** Creates the port of an agent service; absent for other agents. */
  readonly service?: ((session: EpisodeSession) => ServicePort) | undefined;
}

export class EpisodeSession implements AgentSession {
  readonly trajectory: Message[];
  readonly steps: StepMetric[] = [];
  /** Number of the agent's messages to the user. */
  turns = 0;
  /** The source of the step that ended the episode. */
  endedBy: string | null = null;

  readonly env: string;
  readonly firstMessage: string;
  readonly counts = new Map<string, number>();
  /** The first few undone attempts of an agent service. */
  readonly abandoned: AbandonedAttempt[] = [];
  readonly #parts: SessionParts;
  /** Port of the agent service; undefined for other agents. */
  readonly service: ServicePort | undefined;
  readonly #liveTranscript: LiveTranscript;
  /** End of the previous step, in the workflow's time. */
  #idleSince: number;
  readonly takesAllCalls: true | undefined;

  /** @param firstMessage first message of the user */
  constructor(input: EpisodeInput, parts: SessionParts, firstMessage: string) {
    this.#parts = parts;
    this.trajectory = parts.trajectory;
    this.service = parts.service?.(this);
    this.#liveTranscript = new LiveTranscript(viewLink(input));
    this.env = input.config.env;
    this.firstMessage = firstMessage;
    this.#idleSince = parts.display.now();
    this.takesAllCalls = parts.rules.takesAllCalls || undefined;
    this.transcribe({ what: 'user', text: firstMessage });
  }

  get writes(): readonly ActionWire[] {
    return this.#parts.writes;
  }

  get life(): string | undefined {
    return this.#parts.life;
  }

  /**
   * Returns the session for the strategy, which records every step in {@link steps} with the usage of its model calls.
   */
  watched(): AgentSession {
    return observeSteps<TimedStep>(this, (event, taken) => this.#enter(event, taken));
  }

  stepsLeft(): number {
    return this.#parts.rules.stepsLeft(this.steps.length);
  }

  complete(request: CompletionRequest): Promise<Completion> {
    const messages = this.#parts.rules.agentView(request.messages, this.firstMessage);
    return this.#parts.complete({ ...request, messages });
  }

  /** Returns the outcome of the conversation after the strategy has ended. */
  outcome(end: SolveEnd): Outcome {
    const last = this.trajectory.at(-1);
    // Nobody answers the last message of an agent that works alone.
    if (!this.#parts.rules.hasUser && last?.role === 'user' && last.content === '') this.trajectory.pop();
    return this.#parts.rules.outcome(end, this.endedBy);
  }

  /** Stores an abandoned attempt for the record. */
  #abandon(attempt: AbandonedAttempt): void {
    const all = [...this.abandoned, attempt].flatMap(({ messages }) => messages);
    const hasSpace = conversationBytes(all) <= MOST_ABANDONED_BYTES;
    if (this.abandoned.length < MOST_ABANDONED) this.abandoned.push(hasSpace ? attempt : { ...attempt, messages: [] });
    this.count('abandoned_attempts');
  }

  /**
   * Stores the recorded part of the replaced session as an abandoned attempt.
   * @param reason the beginning of a sentence
   */
  succeed(before: EpisodeSession, abandoned: Omit<AbandonedAttempt, 'messages'>, reason: string): void {
    for (const [name, count] of before.counts) this.count(name, count);
    this.abandoned.push(...before.abandoned);
    // The prompt belongs to the conversation that counts.
    this.#abandon({ ...abandoned, messages: before.trajectory.filter(({ role }) => role !== 'system') });
    this.transcribe({ what: 'note', text: `${reason}: the episode has begun anew` });
  }

  /** Returns the current point of the episode. */
  place(): EpisodePlace {
    return { steps: this.steps.length, messages: this.trajectory.length, writes: this.#parts.writes.length };
  }

  /** True if the user has received a message since a point, which cannot be undone. */
  hasSpokenSince({ messages }: EpisodePlace): boolean {
    return this.trajectory.slice(messages).some(({ role }) => role === 'user');
  }

  /** Undoes everything after a point. This is possible because the environment is a fold over its writes. */
  abandonFrom({ steps, messages, writes }: EpisodePlace, attempt: Omit<AbandonedAttempt, 'messages'>): void {
    this.#abandon({ ...attempt, messages: this.trajectory.slice(messages) });
    this.steps.length = steps;
    this.trajectory.length = messages;
    this.#parts.writes.length = writes;
    this.endedBy = null;
    this.transcribe({ what: 'note', text: `the agent was asked again and goes another way: back to step ${steps}` });
  }

  count(name: string, by = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + by);
  }

  transcribe(line: TranscriptLine): void {
    if (line.text === '' && line.what === 'user' && !this.#parts.rules.hasUser) return;
    this.#liveTranscript.add(line, line.what === 'step' ? `step ${this.steps.length + 1}` : line.what);
    this.#parts.display.show(this.#liveTranscript.toMarkdown());
  }

  async step(action: Action, settings: StepSettings = {}): Promise<TimedStep> {
    const { takers, display, prefix } = this.#parts;
    const startedAt = display.now();
    const number = this.steps.length + 1;
    prefix?.check(number, action);
    // The record has to fit into one payload.
    requireSpace(this.trajectory);
    const isMessage = action.name === RESPOND;
    if (isMessage) this.turns += 1;
    const taken = await (isMessage ? takers.messages : takers.calls).take(action, number, settings);
    const endedAt = display.now();
    const thinkMs = startedAt - this.#idleSince;
    this.#idleSince = endedAt;
    if (taken.done) this.endedBy = taken.source;
    return { ...taken, durationMs: endedAt - startedAt, thinkMs };
  }

  #enter({ step, action, usage, costUsd }: StepEvent, taken: TimedStep): void {
    const { prefix } = this.#parts;
    const { source, changed, interference, durationMs, thinkMs } = taken;
    const { calls, promptTokens, completionTokens } = usage;
    this.steps.push({
      index: step,
      name: action.name === RESPOND ? RESPOND : source,
      changed,
      interference,
      ...(prefix?.findTiming(step) ?? { durationMs, thinkMs }),
      calls,
      promptTokens,
      completionTokens,
      costUsd,
      ...prefix?.findUsage(step),
    });
    prefix?.stepTaken();
  }
}
