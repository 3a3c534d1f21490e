/**
 * The audit of tasks of τ³-bench: whether their ground truth is graded as good, and which of them an agent solves that
 * does and says nothing. Sentences for a judge are left out, as nobody can say of them what is true.
 */

import type { Action, Task } from '../../benchmarks/index.ts';
import {
  callTool,
  gradeTau3,
  prepareTask,
  type EpisodeMessage,
  type PreparedTask,
  type Tau3Domain,
} from '../../benchmarks/tau3/index.ts';
import type { Pack } from '../../benchmarks/packs/index.ts';
import type { Finding } from './task.ts';

/** Result of the audit of one task. */
export interface AuditedTau3Task {
  /** An agent that does and says nothing gets its reward. */
  readonly isDoNothing: boolean;
  /** Its wanted databases are those of doing nothing. */
  readonly isUnchanged: boolean;
  readonly findings: readonly Finding[];
}

export function auditTau3Task(
  domain: Tau3Domain,
  pack: Pack,
  { split, id, task }: { readonly split: string; readonly id: number; readonly task: Task },
): AuditedTau3Task {
  const prepared = prepareTask(domain, pack, task.content ?? new Map());
  const nothing = gradeTau3(prepared, { messages: [], termination: 'user_stop' });
  const { messages, failed } = groundTruth(prepared, task);
  const truth = gradeTau3(prepared, { messages, termination: 'user_stop' });
  const place = { split, task: id };
  const findings: Finding[] = [];
  if (truth.reward === 0) {
    const text = `The ground truth is not graded as good${truth.raised === undefined ? '' : `: ${truth.raised}`}.`;
    findings.push({ ...place, kind: 'ungraded-truth', severity: 'wrong', text, evidence: [] });
  }
  for (const { name, observation } of failed) {
    const text = `Its call of ${name} is answered with an error.`;
    findings.push({ ...place, kind: 'failing-call', severity: 'suspicious', text, evidence: [observation] });
  }
  const isDoNothing = nothing.reward === 1;
  if (isDoNothing) {
    const text = 'An agent that does and says nothing gets its reward.';
    findings.push({ ...place, kind: 'do-nothing', severity: 'remark', text, evidence: [] });
  }
  return { isDoNothing, isUnchanged: nothing.checks?.db ?? true, findings };
}

/** The conversation in which agent and user make the calls of the ground truth, and the agent says what it has to. */
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
