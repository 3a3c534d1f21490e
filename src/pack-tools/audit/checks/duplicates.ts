/** Tasks that occur more than once, in a split or across splits. */

import { actionText, finding, isWrite, type AuditedTask, type PackContext } from '../task.ts';
import type { Finding } from '../types.ts';

/** Told at the later of two tasks, with the first that it repeats. */
export function checkDuplicates(tasks: readonly AuditedTask[], context: PackContext): Finding[] {
  const byWords = new Map<string, AuditedTask>();
  const byActions = new Map<string, AuditedTask>();
  return tasks.flatMap((audited) => {
    const words = audited.task.instruction.toLowerCase().replace(/\s+/g, ' ').trim();
    const earlier = byWords.get(words);
    const actions = audited.task.actions.map(actionText).join('\n');
    const alike = byActions.get(actions);
    if (earlier === undefined) byWords.set(words, audited);
    if (alike === undefined && audited.replay.calls.some((call) => isWrite(call, context))) {
      byActions.set(actions, audited);
    }
    if (earlier !== undefined) return [sameWords(audited, earlier)];
    if (alike === undefined) return [];
    const text = `The actions are those of ${nameOf(alike, audited)} in other words.`;
    return [finding(audited, 'duplicate-task', 'remark', text)];
  });
}

/** The user simulator knows nothing but the instruction: equal words are an equal conversation. */
function sameWords(audited: AuditedTask, earlier: AuditedTask): Finding {
  const name = nameOf(earlier, audited);
  const sameData = audited.replay.outcome.join('\n') === earlier.replay.outcome.join('\n');
  if (!sameData) {
    const text = `The instruction is that of ${name}, and the final data are others: one of the two cannot be solved.`;
    const evidence = [`final data differ in ${differing(audited, earlier).join(', ')}`];
    return finding(audited, 'contradicting-tasks', 'wrong', text, evidence);
  }
  const outputs = (task: AuditedTask) => Array.from(new Set(task.task.outputs)).sort().join('\n');
  const told = outputs(audited) === outputs(earlier) ? '' : ', though other words have to be told';
  return finding(audited, 'duplicate-task', 'suspicious', `The task is ${name} once more${told}.`);
}

function differing(a: AuditedTask, b: AuditedTask): string[] {
  const [left, right] = [new Set(a.replay.outcome), new Set(b.replay.outcome)];
  const changed = [
    ...a.replay.outcome.filter((text) => !right.has(text)),
    ...b.replay.outcome.filter((text) => !left.has(text)),
  ];
  return Array.from(new Set(changed.map((text) => text.split(' ', 1).join(''))));
}

function nameOf(earlier: AuditedTask, from: AuditedTask): string {
  const name = `task ${String(earlier.id)}`;
  return earlier.split === from.split ? name : `${name} of the split ${earlier.split}`;
}
