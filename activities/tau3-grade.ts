/** The grade of an episode of τ³-bench, from its trajectory. */

import type { Message } from '../src/agents/index.ts';
import type { GradeOutput, Overlay, RewardInfo, Task } from '../src/benchmark/index.ts';
import {
  databaseText,
  episodeMessages,
  gradeTau3,
  prepareTask,
  tau3Domains,
  type PreparedTask,
} from '../src/benchmark/tau3/index.ts';
import type { Pack } from '../src/packs/index.ts';

const prepared = new WeakMap<Task, PreparedTask>();

/** The wanted state costs more than the comparison, and is the same for every trial. */
function preparedTask(pack: Pack, task: Task): PreparedTask {
  let known = prepared.get(task);
  if (known === undefined) {
    const domain = tau3Domains.get(pack.domain);
    if (domain === undefined) throw new Error(`this version has no domain ${pack.domain}`);
    prepared.set(task, (known = prepareTask(domain, pack, task.tau3 ?? new Map())));
  }
  return known;
}

/** The text that a pack's states are hashed from: of τ³-bench the agent's database. */
export function hasherText(pack: Pack): { text?: ReturnType<typeof databaseText> } {
  const domain = tau3Domains.get(pack.domain);
  return domain === undefined ? {} : { text: databaseText(domain.assistant) };
}

/**
 * Grades an episode as one that agent or user has ended; without a judge, NL assertions are left out.
 * @param hash of the agent's database
 */
export function gradeTau3Episode(
  pack: Pack,
  task: Task,
  messages: readonly Message[],
  hash: (state: Overlay) => string,
): GradeOutput {
  const known = preparedTask(pack, task);
  const { reward, checks, isJudgeMissing } = gradeTau3(known, {
    messages: episodeMessages(messages),
    termination: 'user_stop',
  });
  const areSaid = checks?.communicate.met ?? [];
  const allSaid = areSaid.every(Boolean);
  const dataMatches = checks?.db ?? true;
  const detail: RewardInfo['detail'] =
    task.outputs.length > 0
      ? {
          kind: 'outputs',
          rOutputs: allSaid,
          outputs: task.outputs.map((output, at) => [output, areSaid[at] ?? false] as const),
        }
      : { kind: 'actions', rActions: dataMatches, gtDataHash: hash(known.wanted) };
  const tau3 = { checks, ...(isJudgeMissing ? { unjudged: known.criteria?.nlAssertions ?? [] } : {}) };
  return {
    kind: 'graded',
    info: { reward, detail, dataMatches, numberSpellingOnly: false, strictOutputs: allSaid, tau3 },
  };
}
