/**
 * Watching an episode step by step, for any strategy: what a step did, and what the model calls on the way to it used.
 * The episode's own step metrics come from here too.
 */

import type { Action, StepResult } from '../benchmark/index.ts';
import type { AgentSession, Completion, Usage } from './port.ts';

/** Usage of the agent's model calls since the step before, or since the episode's start. */
interface StepUsage extends Usage {
  readonly calls: number;
}

export interface StepEvent {
  readonly action: Action;
  /** Text that the agent sees. */
  readonly observation: string;
  /** 0 while the episode goes on, as the reference's environment has it; null when it ends: the grade decides then. */
  readonly reward: 0 | null;
  /** True if the episode has ended with this step. */
  readonly done: boolean;
  /** `source`: `user`, or the tool's name. The reference's `info` holds the task too; no watcher needs it. */
  readonly info: { readonly source: string };
  /** 1-based. */
  readonly step: number;
  readonly usage: StepUsage;
  /** USD of these calls, 0 without any; null when one of them has no known price. */
  readonly costUsd: number | null;
}

/**
 * Called once for every step that was taken, in order, before the strategy learns of the step's result; not for a step
 * that failed. What it returns is not waited for.
 */
export type OnStep = (event: StepEvent) => void;

/**
 * A watcher failed. The step itself was taken and stays counted, so the events of later steps would be right; but
 * whoever watches has missed something, so the episode does not go on as if nothing had happened.
 */
export class StepWatchError extends Error {
  readonly step: number;

  constructor({ step, action }: StepEvent, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`the callback for step ${step} (${action.name}) failed: ${reason}; the step was taken, mend the callback`, {
      cause,
    });
    this.name = 'StepWatchError';
    this.step = step;
  }
}

/**
 * A session that does what the given one does, and tells of each step.
 * @returns a session whose `step` rejects with {@link StepWatchError} when the callback throws; a strategy does not
 *   catch that
 */
export function observeSteps(session: AgentSession, onStep: OnStep): AgentSession {
  let steps = 0;
  let spent = NOTHING_SPENT;
  return {
    env: session.env,
    firstMessage: session.firstMessage,
    trajectory: session.trajectory,
    stepsLeft: () => session.stepsLeft(),
    count: (name, by) => session.count(name, by),
    tell: (line) => session.tell(line),
    async complete(request) {
      const completion = await session.complete(request);
      spent = addSpent(spent, completion);
      return completion;
    },
    async step(action, settings) {
      const result = await session.step(action, settings);
      const used = spent;
      spent = NOTHING_SPENT;
      steps += 1;
      notify(onStep, toEvent(action, result, steps, used));
      return result;
    },
  };
}

type Spent = Pick<StepEvent, 'usage' | 'costUsd'>;

const NOTHING_SPENT: Spent = {
  usage: { calls: 0, promptTokens: 0, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 },
  costUsd: 0,
};

function addSpent({ usage, costUsd }: Spent, completion: Completion): Spent {
  return {
    usage: {
      calls: usage.calls + 1,
      promptTokens: usage.promptTokens + completion.usage.promptTokens,
      completionTokens: usage.completionTokens + completion.usage.completionTokens,
      cachedTokens: usage.cachedTokens + completion.usage.cachedTokens,
      reasoningTokens: usage.reasoningTokens + completion.usage.reasoningTokens,
    },
    costUsd: costUsd === null || completion.costUsd === null ? null : costUsd + completion.costUsd,
  };
}

function toEvent(action: Action, { observation, source, done }: StepResult, step: number, spent: Spent): StepEvent {
  return { action, observation, reward: done ? null : 0, done, info: { source }, step, ...spent };
}

function notify(onStep: OnStep, event: StepEvent): void {
  try {
    onStep(event);
  } catch (error) {
    throw new StepWatchError(event, error);
  }
}
