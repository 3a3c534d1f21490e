/**
 * The takers of the agent's steps: the environment takes tool calls, the user takes messages, an outside harness takes
 * both.
 */

import { AgentError, type StepSettings } from '../agents/index.ts';
import { UserReplyError, type UserSimulator } from '../agents/users/index.ts';
import type { Action, EpisodeRules, StepResult } from '../benchmarks/index.ts';
import type { EpisodeCondition, Interference } from '../conditions/index.ts';
import { strip, type PyValue } from '../benchmarks/python/index.ts';
import { FailureType } from '../evaluation/index.ts';
import { stepSummary } from './display.ts';
import type { EpisodeEnvironment } from './episode-environment.ts';
import { EpisodeError } from './failures.ts';
import type { ReplayedPrefix } from './replayed-prefix.ts';
import type { UserCalls } from './user-calls.ts';

/** A step's result, with true if it changed the environment's data. */
export interface TakenStep extends StepResult {
  readonly changed: boolean;
  /** See `StepMetric.interference`. */
  readonly interference?: Interference;
}

export interface StepTaker {
  /** @param step number of the step, from 1 */
  take(action: Action, step: number, settings: StepSettings): Promise<TakenStep>;
}

/** The takers of an episode's steps, chosen when the episode opens. */
export interface StepTakers {
  /** Takes the steps that are tool calls. */
  readonly calls: StepTaker;
  /** Takes the steps that are messages to the user. */
  readonly messages: StepTaker;
}

interface EnvironmentParts {
  readonly rules: EpisodeRules;
  readonly environment: EpisodeEnvironment;
  readonly prefix: ReplayedPrefix | undefined;
  /** Condition of the episode. @default `base` */
  readonly condition: EpisodeCondition | undefined;
  readonly wait: (ms: number) => Promise<void>;
}

/** Takes tool calls in the episode's environment. */
export class EnvironmentSteps implements StepTaker {
  readonly #parts: EnvironmentParts;

  constructor(parts: EnvironmentParts) {
    this.#parts = parts;
  }

  async take(action: Action, step: number, { continues }: StepSettings): Promise<TakenStep> {
    const { rules, environment, prefix, condition, wait } = this.#parts;
    const isContinued = continues === true;
    if (!isContinued) rules.said('agent', { text: null, toolCalls: [action] });
    const isKept = prefix?.isOpen === true;
    const execute = (call: Action) => environment.take(stepSummary(step, call, isKept), call);
    const taken =
      condition === undefined
        ? await execute(action)
        : { ...NOT_EXECUTED, source: action.name, ...(await condition.take(action, step, { execute, wait })) };
    const done = rules.answered(taken, isContinued);
    return { ...taken, done, observation: prefix?.findCorrection(step) ?? taken.observation };
  }
}

/** Result of a call that a condition has answered instead of the tool. */
const NOT_EXECUTED = { done: false, changed: false } as const;

/** The source of the user's replies. */
const USER = 'user';

interface UserParts {
  readonly rules: EpisodeRules;
  readonly user: UserSimulator;
  /** Calls of the user's own tools; absent: the user has none. */
  readonly calls: UserCalls | undefined;
  readonly prefix: ReplayedPrefix | undefined;
  /** True if a message without text ends the agent's episode under any benchmark's rules. */
  readonly refusesSilence: boolean;
}

/** Takes messages to the user, simulated or human. */
export class UserSteps implements StepTaker {
  readonly #parts: UserParts;

  constructor(parts: UserParts) {
    this.#parts = parts;
  }

  /**
   * @param given the user's opening message from the environment. @default the user's own message
   * @returns the user's opening message
   */
  async open(given?: string): Promise<string> {
    const { user, prefix, rules, calls } = this.#parts;
    const said = await user.open(given);
    prefix?.opened();
    const opening = this.#corrected(said, 0);
    openConversation(rules, opening);
    calls?.enter();
    return opening;
  }

  async take(action: Action, step: number): Promise<TakenStep> {
    const { rules, user, calls } = this.#parts;
    const content = action.kwargs.get('content');
    if (content === undefined) throw new AgentError('missing_content', "'content'");
    const text = spokenText(content);
    // tau-bench's reference sends an empty message to the user's model. OpenAI's API refuses it, and other APIs answer
    // unpredictably.
    const refusesSilence = rules.refusesSilence || this.#parts.refusesSilence;
    if (refusesSilence && isSilent(text)) throw new AgentError('missing_content', 'the agent said nothing');
    const ended = { observation: '', source: USER, done: true, changed: false };
    if (rules.said('agent', { text })) return ended;
    const said = await user.reply(text);
    calls?.enter();
    if (rules.isOver) return ended;
    requireWords(rules, said);
    // A corrected reply of the user may end the conversation, or keep it open.
    const observation = this.#corrected(said, step);
    return { observation, source: USER, done: rules.said('user', { text: observation }), changed: false };
  }

  /** Replaces the user's reply by a fork's correction, from which the user continues. */
  #corrected(said: string, step: number): string {
    const correction = this.#parts.prefix?.findCorrection(step);
    if (correction === undefined) return said;
    const { user } = this.#parts;
    if (user.correct === undefined)
      throw new EpisodeError('what this simulated user has said cannot be corrected', FailureType.BadRequest);
    user.correct(correction);
    return correction;
  }
}

/** Takes the agent's first message, which ends an episode without a user. */
export class LastWords implements StepTaker {
  readonly #rules: EpisodeRules;

  constructor(rules: EpisodeRules) {
    this.#rules = rules;
  }

  take({ kwargs }: Action): Promise<TakenStep> {
    const done = this.#rules.said('agent', { text: spokenText(kwargs.get('content') ?? null) });
    return Promise.resolve({ observation: '', source: USER, done, changed: false });
  }
}

/** Adds the user's opening message. */
export function openConversation(rules: EpisodeRules, opening: string): void {
  if (rules.isOver) return;
  requireWords(rules, opening);
  rules.said('user', { text: opening });
}

/** @throws UserReplyError for an empty reply of the user's model, if the benchmark's reference fails on it */
function requireWords(rules: EpisodeRules, said: string): void {
  if (rules.refusesSilence && isSilent(said)) throw new UserReplyError('the simulated user said nothing', said);
}

function isSilent(text: string | null): boolean {
  return text === null || strip(text) === '';
}

/** Returns the text for the user; models may give a number or null. */
function spokenText(content: PyValue): string | null {
  if (content === null || typeof content === 'string') return content;
  if (typeof content === 'bigint' || typeof content === 'boolean') return String(content);
  throw new AgentError('invalid_action', 'the content of respond is not a text');
}
