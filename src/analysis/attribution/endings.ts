/** Faults of how an episode ended: by an error, out of steps, handed over too early. */

import type { AnalyzedEpisode, Fault } from '../types.ts';
import type { ReplayedCalls } from './calls.ts';
import { makeFault } from './fault.ts';
import { count, short } from './show.ts';

/** Errors of the agent that are no unreadable action; names are the record's. */
const NO_ROOM: Readonly<Record<string, string>> = {
  context_overflow: 'the conversation no longer fitted into the model',
  reply_too_long: "the model's reply was too long to be used",
  observation_too_long: 'what an action showed was too long to be used',
  content_filter: "the provider's content filter refused the conversation",
};

/** Whether nothing can be said of the agent: it was cut off. */
export function wasCutOff({ outcome, steps, unreadable }: AnalyzedEpisode): boolean {
  // tau-bench writes an error without the trajectory, so nothing tells whose it was.
  return outcome === 'infrastructure_error' || (outcome === 'error' && steps.length === 0 && unreadable === null);
}

export function infrastructureFault({ error }: AnalyzedEpisode): Fault {
  const sentence = `Infrastructure ended the episode${error === null ? '' : `: ${plain(error.message)}`}.`;
  return makeFault({ kind: 'infrastructure', step: null, sentence });
}

/**
 * What ended the episode in error, if anything did.
 * @param raised the step that raised, in the replay
 */
export function errorFault(episode: AnalyzedEpisode, raised: ReplayedCalls['raised']): Fault | undefined {
  const { outcome, error, steps, unreadable } = episode;
  if (raised !== null) {
    const sentence = `Step ${String(raised.step)} is an action that the environment cannot take: ${plain(raised.message)}.`;
    return makeFault({
      kind: 'unreadable_call',
      step: raised.step,
      tool: steps[raised.step - 1]?.action.name ?? null,
      sentence,
    });
  }
  const step = steps.length + 1;
  const after = steps.length === 0 ? 'The first message' : `The message after step ${String(steps.length)}`;
  const limit = NO_ROOM[error?.kind ?? ''];
  if (limit !== undefined) {
    const sentence = `After step ${String(steps.length)} ${limit}: ${plain(error?.message ?? '')}.`;
    return makeFault({ kind: 'other', step, sentence });
  }
  if (unreadable !== null) {
    return makeFault({ kind: 'unreadable_call', step, sentence: `${after} is no action: ${plain(unreadable)}.` });
  }
  if (outcome === 'agent_error') {
    const sentence = `${after} could not be used: ${plain(error?.message ?? 'the record does not say why')}.`;
    return makeFault({ kind: 'unreadable_call', step, sentence });
  }
  if (outcome === 'error') return infrastructureFault(episode);
  return undefined;
}

/** @param isRight whether the data are right and everything was told */
export function outOfSteps({ steps }: AnalyzedEpisode, isRight: boolean): Fault {
  const though = isRight ? ', though the data are right and everything was told' : '';
  const sentence = `The episode ran out of steps after ${String(steps.length)}${though}.`;
  return makeFault({ kind: 'out_of_steps', step: lastStep(steps), sentence });
}

/** @param writes changes of the ground truth that were never carried out; @param outputs what was not told */
export function transferredEarly({ steps }: AnalyzedEpisode, writes: number, outputs: number): Fault {
  const left = [
    ...(writes > 0 ? [count(writes, 'change')] : []),
    ...(outputs > 0 ? [count(outputs, 'answer')] : []),
  ].join(' and ');
  return makeFault({
    kind: 'transferred_early',
    step: lastStep(steps),
    tool: steps.at(-1)?.action.name ?? null,
    sentence: `Step ${String(steps.length)} handed the customer over with ${left} outstanding.`,
  });
}

function lastStep(steps: readonly unknown[]): number | null {
  return steps.length === 0 ? null : steps.length;
}

function plain(message: string): string {
  return short(message.replace(/\s+/g, ' ').replace(/\.$/, ''));
}
