/**
 * tau-bench's replays: each action's observation, and the data's hash at the end. An exception that leaves the step
 * ends the line.
 */

import { replay, type StepOutcome } from '../environment.ts';
import type { EnvData } from '../overlay.ts';
import type { Replayer } from '../replay.ts';
import { StateHasher, type Hashing } from '../state-hasher.ts';

export function openTauBenchReplayer(data: EnvData, hashing: Hashing | null): Replayer {
  const hasher = hashing === null ? undefined : new StateHasher(data, hashing);
  return {
    startsInTasks: false,
    line(start, { name, steps, userReplies }) {
      const actions = steps.map(({ action }) => action);
      const { steps: outcomes, state } = replay(start, actions, userReplies);
      return {
        name,
        steps: outcomes.map((outcome, at) => ({ ...steps[at]?.given, ...toReplayFields(outcome) })),
        data_hash: hasher?.hash(state),
      };
    },
  };
}

function toReplayFields(step: StepOutcome) {
  if (step.kind === 'observed') return { observation: step.observation };
  return { observation: null, raised: { type: step.type, message: step.message, where: 'Env.step' } };
}
