/**
 * Step events for watchers, for any strategy: each step with its result and the usage of the model calls before it, and
 * its lines in the live transcript. The episode's own step metrics use these events, too.
 */

import { type Action, type StepResult, RESPOND } from '../benchmarks/pure.ts';
import { addUsage } from './messages.ts';
import type { AgentSession, Completion, Usage } from './port.ts';
import { dumpJson } from '../benchmarks/python/index.ts';

/** Usage of the agent's model calls since the previous step, or since the episode's start. */
interface StepUsage extends Usage {
  readonly calls: number;
}

export interface StepEvent {
  readonly action: Action;
  /** Text that the agent sees. */
  readonly observation: string;
  /**
   * Reward: 0 while the episode is open, as in the reference's environment; null at its end, because it is graded
   * later.
   */
  readonly reward: 0 | null;
  /** True if the episode has ended with this step. */
  readonly done: boolean;
  /**
   * Source of the observation: `user`, or the tool's name. The reference's `info` also has the task, which no watcher
   * needs.
   */
  readonly info: { readonly source: string };
  /** Number of the step, from 1. */
  readonly step: number;
  readonly usage: StepUsage;
  /** Cost of these calls in USD; 0 without a call, null if the price of one is unknown. */
  readonly costUsd: number | null;
}

/**
 * Called once for every taken step, in order, before the strategy gets the step's result; not for a step that failed.
 * Its result is not awaited.
 */
export type OnStep = (event: StepEvent) => void;

/** Error of a watcher. The step has been taken, but the watcher may have missed it, so the episode ends. */
export class StepWatchError extends Error {
  readonly step: number;

  constructor({ step, action }: StepEvent, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`the callback for step ${step} (${action.name}) failed: ${reason}; the step was taken, fix the callback`, {
      cause,
    });
    this.name = 'StepWatchError';
    this.step = step;
  }
}

/**
 * Wraps a session and reports each step.
 * @returns a session whose `step` rejects with {@link StepWatchError} if the callback throws; a strategy does not catch
 *   this error
 */
export function observeSteps<Step extends StepResult>(
  session: Omit<AgentSession, 'step'> & { step(...args: Parameters<AgentSession['step']>): Promise<Step> },
  onStep: (event: StepEvent, taken: Step) => void,
): AgentSession {
  let steps = 0;
  let spent = NOTHING_SPENT;
  const { service } = session;
  return {
    env: session.env,
    firstMessage: session.firstMessage,
    trajectory: session.trajectory,
    takesAllCalls: session.takesAllCalls,
    stepsLeft: () => session.stepsLeft(),
    count: (name, by) => session.count(name, by),
    transcribe: (line) => session.transcribe(line),
    service: service && {
      ask: (request, calls) =>
        service.ask(request, {
          ...calls,
          spend: (completion) => {
            spent = addSpent(spent, completion);
          },
          wentBack: (left) => {
            steps = left;
          },
        }),
    },
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
      notify((event) => onStep(event, result), toEvent(action, result, steps, used));
      const { observation, source, done, failed } = result;
      return { observation, source, done, ...(failed === undefined ? {} : { failed }) };
    },
  };
}

type StepCost = Pick<StepEvent, 'usage' | 'costUsd'>;

const NOTHING_SPENT: StepCost = {
  usage: { calls: 0, promptTokens: 0, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 },
  costUsd: 0,
};

function addSpent({ usage, costUsd }: StepCost, completion: Pick<Completion, 'usage' | 'costUsd'>): StepCost {
  return {
    usage: { calls: usage.calls + 1, ...addUsage(usage, completion.usage) },
    costUsd: costUsd === null || completion.costUsd === null ? null : costUsd + completion.costUsd,
  };
}

function toEvent(action: Action, { observation, source, done }: StepResult, step: number, spent: StepCost): StepEvent {
  return { action, observation, reward: done ? null : 0, done, info: { source }, step, ...spent };
}

function notify(onStep: OnStep, event: StepEvent): void {
  try {
    onStep(event);
  } catch (error) {
    throw new StepWatchError(event, error);
  }
}

/** Adds a running step to the live transcript: a message to the user as a reply, any other step with its arguments. */
export async function transcribeStep(
  session: Pick<AgentSession, 'transcribe'>,
  action: Action,
  take: () => Promise<StepResult>,
): Promise<StepResult> {
  const isReply = action.name === RESPOND;
  session.transcribe(
    isReply ? { what: 'reply', text: replyText(action) } : { what: 'step', text: formatAction(action) },
  );
  const result = await take();
  session.transcribe({ what: isReply ? 'user' : 'observation', text: result.observation });
  return result;
}

/** Formats an action: `get_order_details {"order_id": "#W1"}`. */
export function formatAction({ name, kwargs }: Action): string {
  return `${name} ${dumpJson(kwargs)}`;
}

/** Returns the content of a `respond` as text; the content may have any type. */
export function replyText({ kwargs }: Action): string {
  const content = kwargs.get('content') ?? '';
  return typeof content === 'string' ? content : dumpJson(content);
}
