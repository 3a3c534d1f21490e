/**
 * The replayed prefix of a fork. During the prefix, the origin's replies answer model calls in their order, and every
 * step is compared with the origin's. Environment steps are executed, because they cost little and restore the state.
 */

import {
  transcribeStep,
  replyText,
  type AgentSession,
  type Completion,
  type CompletionRequest,
  type Message,
} from '../agents/index.ts';
import { RESPOND, type Action } from '../benchmarks/pure.ts';
import { FailureType } from '../evaluation/index.ts';
import { fromActionWire, toActionWire, type ActionWire } from './environment.ts';
import { EpisodeError } from './failures.ts';
import { fitsRequest, toCompletion, type ForkInput, type ReplayedStep } from './fork.ts';
import type { ForkToRecord } from './record.ts';
import type { UsageLedger } from './usage.ts';

export class ReplayedPrefix {
  readonly #fork: ForkInput;
  #isOpened = false;
  #steps = 0;
  #replies = 0;

  constructor(fork: ForkInput) {
    this.#fork = fork;
  }

  /** True while the prefix lasts. The user's first message is always replayed. */
  get isOpen(): boolean {
    return !this.#isOpened || this.#steps < this.#fork.kept.length;
  }

  /** True if another strategy chose the first steps, so that the fork's own strategy has to take over. */
  get isTakenOver(): boolean {
    return this.#fork.takenOver > 0;
  }

  /**
   * Returns the origin's reply to this request.
   * @throws AgentError if the origin's strategy received one
   * @throws EpisodeError `ForkDiverged` if the origin made another request at this point
   */
  answer(request: CompletionRequest): Completion {
    const reply = this.#fork.replies[this.#replies];
    if (reply === undefined || !fitsRequest(reply, request)) {
      const made = reply === undefined ? 'none any more' : `one of ${reply.role} in ${reply.thread}`;
      throw this.#diverged(
        `call ${this.#replies + 1} is one of ${request.role} in ${request.thread}, where the origin made ${made}`,
      );
    }
    this.#replies += 1;
    return toCompletion(reply);
  }

  /** @throws EpisodeError `ForkDiverged` if the origin took another step at this point */
  check(step: number, action: Action): void {
    const kept = this.#fork.kept[step - 1];
    if (kept === undefined) return;
    const { name, kwargsJson } = toActionWire(action);
    if (name === kept.action.name && kwargsJson === kept.action.kwargsJson) return;
    throw this.#diverged(
      `step ${step} is ${name} ${kwargsJson}, where the origin took ${kept.action.name} ${kept.action.kwargsJson}`,
    );
  }

  /**
   * Returns the replacement for this step's observation; undefined: none.
   * @param step 0 is the user's first message
   */
  findCorrection(step: number): string | undefined {
    return this.#fork.corrections.find((correction) => correction.step === step)?.observation;
  }

  /** Returns the usage of the origin's calls before a replayed step; nothing for a new step. */
  findUsage(step: number): Partial<Omit<ReplayedStep, 'action' | 'timing'>> {
    const kept = this.#fork.kept[step - 1];
    if (kept === undefined) return {};
    const { calls, promptTokens, completionTokens, costUsd } = kept;
    return { calls, promptTokens, completionTokens, costUsd };
  }

  /** Returns the duration of a replayed step in the origin; undefined for a new step. */
  findTiming(step: number): ReplayedStep['timing'] | undefined {
    return this.#fork.kept[step - 1]?.timing;
  }

  /**
   * Checks the budget before a call.
   * @throws EpisodeError `BudgetSpent` if the earlier calls have used up the fork's budget
   */
  requireBudget(ledger: UsageLedger): void {
    const { maxCostUsd } = this.#fork;
    if (maxCostUsd === undefined) return;
    const spentUsd = ledger.knownCostUsd();
    if (spentUsd < maxCostUsd) return;
    throw new EpisodeError(
      `the fork's calls have cost ${spentUsd.toFixed(4)} USD of its budget of ${maxCostUsd} USD; ` +
        'fork again with a higher --max-cost',
      FailureType.BudgetSpent,
    );
  }

  opened(): void {
    this.#isOpened = true;
  }

  stepTaken(): void {
    this.#steps += 1;
  }

  /** Takes the steps that another strategy chose, so that the trajectory contains them in tau-bench's form. */
  async takeSteps(session: AgentSession): Promise<void> {
    const { trajectory } = session;
    trajectory.push({ role: 'user', content: session.firstMessage });
    let calls = 0;
    for (const { action: wire } of this.#fork.kept.slice(0, this.#fork.takenOver)) {
      const action = fromActionWire(wire);
      const id = `call_${calls}`;
      const isReply = action.name === RESPOND;
      if (!isReply) calls += 1;
      trajectory.push(isReply ? toReplyMessage(action) : toCallMessage(id, wire));
      const { observation } = await transcribeStep(session, action, () => session.step(action));
      trajectory.push(
        isReply
          ? { role: 'user', content: observation }
          : { role: 'tool', tool_call_id: id, name: action.name, content: observation },
      );
    }
  }

  facts(): ForkToRecord {
    const { name, origin, atStep, takenOver, corrections, changes } = this.#fork;
    return { name, origin, atStep, takenOver, corrections, changes, replayedCalls: this.#replies };
  }

  #diverged(what: string): EpisodeError {
    const { workflowId } = this.#fork.origin;
    return new EpisodeError(
      `the replayed prefix differs from the steps of ${workflowId}: ${what}; fork it with the version that ran it`,
      FailureType.ForkDiverged,
    );
  }
}

function toReplyMessage(action: Action): Message {
  return { role: 'assistant', content: action.kwargs.get('content') === null ? null : replyText(action) };
}

function toCallMessage(id: string, { name, kwargsJson }: ActionWire): Message {
  const call = { id, type: 'function', function: { name, arguments: kwargsJson } } as const;
  return { role: 'assistant', content: null, tool_calls: [call] };
}
