/** Grades a task's ground truth, and an agent that does nothing. */

import type { TruthCheck } from '../../content.ts';
import type { Pack } from '../../packs/types.ts';
import type { Action, Task } from '../../types.ts';
import { callTool } from '../call.ts';
import { tau3Domains } from '../domains.ts';
import type { EpisodeMessage } from '../episode.ts';
import { gradeTau3, prepareTask, type PreparedTask } from '../grade.ts';

export function checkTruth(pack: Pack, task: Task): TruthCheck {
  const domain = tau3Domains.get(pack.domain);
  if (domain === undefined) throw new Error(`this version has no domain ${pack.domain}`);
  const prepared = prepareTask(domain, pack, task.content ?? new Map());
  const nothing = gradeTau3(prepared, { messages: [], termination: 'user_stop' });
  const { messages, failed } = groundTruth(prepared, task);
  const truth = gradeTau3(prepared, { messages, termination: 'user_stop' });
  return {
    isGood: truth.reward !== 0,
    raised: truth.raised,
    failed,
    isDoNothing: nothing.reward === 1,
    isUnchanged: nothing.checks?.db ?? true,
  };
}

/** Returns a conversation with the calls of the ground truth and all outputs. */
function groundTruth({ domain, start }: PreparedTask, { actions, outputs }: Task) {
  const state = start.copy();
  const failed: { readonly name: string; readonly observation: string }[] = [];
  const messages = actions.flatMap(({ name, kwargs, requestor: side }: Action): EpisodeMessage[] => {
    const requestor: 'assistant' | 'user' = side ?? 'assistant';
    const call = { requestor, name, arguments: kwargs };
    const { observation, error } = callTool(domain, state, call);
    if (error) failed.push({ name, observation });
    return [
      { role: requestor, text: null, calls: [call] },
      { role: 'tool', text: observation },
    ];
  });
  const last: EpisodeMessage = { role: 'assistant', text: outputs.join('; ') };
  return { messages: [...messages, last], failed };
}
