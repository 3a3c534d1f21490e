/** Checks the end of tasks: early ends, the step limit, tasks solved by doing nothing, and duplicate tasks. */

import { getContent } from '../../../benchmarks/contents.ts';
import { clipText } from '../data.ts';
import {
  actionText,
  callText,
  finding,
  isWriteCall,
  type AuditedTask,
  type Finding,
  type PackContext,
} from '../task.ts';

/** Reports calls after a terminating tool. The grader skips that tool and continues, but an agent's episode ends. */
export function checkEarlyEnd(audited: AuditedTask, context: PackContext): Finding[] {
  const { calls } = audited.replay;
  const end = calls.find(({ kind }) => kind === 'end');
  if (end === undefined || end.position === calls.length - 1) return [];
  const later = calls.slice(end.position + 1);
  const lost = later.filter((call) => isWriteCall(call, context) && call.changes.length > 0);
  const evidence = [
    clipText(callText(end)),
    ...(lost.length > 0 ? lost : later.slice(0, 1)).map((call) => clipText(callText(call))),
  ];
  const counted = later.length === 1 ? 'one call' : `${String(later.length)} calls`;
  return lost.length > 0
    ? [
        finding(
          audited,
          'early-end',
          'wrong',
          `${end.action.name} ends the episode before ${counted} that the grader counts.`,
          evidence,
        ),
      ]
    : [finding(audited, 'early-end', 'suspicious', `${end.action.name} ends the episode before ${counted}.`, evidence)];
}

/**
 * Reports tasks with too many steps. An agent needs a step for a message unless it transfers, and can omit only reads.
 */
export function checkSteps(audited: AuditedTask, { pack }: PackContext): Finding[] {
  const { maxSteps } = getContent(pack.domain).defaults;
  const { calls } = audited.replay;
  const speaks = calls.some(({ kind }) => kind !== 'tool') ? 0 : 1;
  const steps = calls.length + speaks;
  if (steps <= maxSteps) return [];
  const changing = calls.filter(({ changes }) => changes.length > 0).length;
  const counted = `The ground truth takes ${String(steps)} steps with a word to the user, of ${String(maxSteps)}`;
  return changing + 1 > maxSteps
    ? [
        finding(
          audited,
          'too-many-steps',
          'wrong',
          `${counted}; ${String(changing)} of them change data and cannot be saved.`,
        ),
      ]
    : [finding(audited, 'too-many-steps', 'suspicious', `${counted}; ${String(changing)} of them change data.`)];
}

export function isUnchanged({ replay }: AuditedTask): boolean {
  return replay.outcome.length === 0;
}

/** True if an agent without any action or message is rewarded. */
export function isDoNothing(audited: AuditedTask): boolean {
  return isUnchanged(audited) && audited.task.outputs.length === 0;
}

export function checkNothing(audited: AuditedTask, context: PackContext): Finding[] {
  if (!isUnchanged(audited)) return [];
  const { calls } = audited.replay;
  const writes = calls.filter((call) => isWriteCall(call, context)).length;
  const why =
    calls.length === 0
      ? 'The ground truth has no actions'
      : writes === 0
        ? 'The ground truth writes nothing'
        : writes === 1
          ? "The ground truth's one write comes to nothing"
          : "The ground truth's writes come to nothing";
  if (isDoNothing(audited)) {
    return [
      finding(audited, 'do-nothing', 'remark', `${why} and no output is required, so an idle agent gets the reward.`),
    ];
  }
  const { outputs } = audited.task;
  const evidence = outputs.map((output) => JSON.stringify(output));
  return [finding(audited, 'words-only', 'remark', `${why}, so only the outputs decide.`, evidence)];
}

/** Reports the later of two equal tasks, naming the first one. */
export function checkDuplicates(tasks: readonly AuditedTask[], context: PackContext): Finding[] {
  const byWords = new Map<string, AuditedTask>();
  const byActions = new Map<string, AuditedTask>();
  return tasks.flatMap((audited) => {
    const words = audited.task.instruction.toLowerCase().replace(/\s+/g, ' ').trim();
    const earlier = byWords.get(words);
    const actions = audited.task.actions.map(actionText).join('\n');
    const alike = byActions.get(actions);
    if (earlier === undefined) byWords.set(words, audited);
    if (alike === undefined && audited.replay.calls.some((call) => isWriteCall(call, context))) {
      byActions.set(actions, audited);
    }
    if (earlier !== undefined) return [sameWords(audited, earlier)];
    if (alike === undefined) return [];
    const text = `The actions are those of ${formatTask(alike, audited)} in other words.`;
    return [finding(audited, 'duplicate-task', 'remark', text)];
  });
}

/**
 * Reports tasks with equal instructions. The user simulator knows only the instruction, so their conversations are
 * equal.
 */
function sameWords(audited: AuditedTask, earlier: AuditedTask): Finding {
  const name = formatTask(earlier, audited);
  const sameData = audited.replay.outcome.join('\n') === earlier.replay.outcome.join('\n');
  if (!sameData) {
    const text = `The instruction is that of ${name}, and the final data are others: one of the two cannot be solved.`;
    const evidence = [`final data differ in ${compareOutcomes(audited, earlier).join(', ')}`];
    return finding(audited, 'contradicting-tasks', 'wrong', text, evidence);
  }
  const outputs = (task: AuditedTask) => Array.from(new Set(task.task.outputs)).sort().join('\n');
  const difference = outputs(audited) === outputs(earlier) ? '' : ', but with other outputs';
  return finding(audited, 'duplicate-task', 'suspicious', `The task is ${name} once more${difference}.`);
}

function compareOutcomes(a: AuditedTask, b: AuditedTask): string[] {
  const [left, right] = [new Set(a.replay.outcome), new Set(b.replay.outcome)];
  const changed = [
    ...a.replay.outcome.filter((text) => !right.has(text)),
    ...b.replay.outcome.filter((text) => !left.has(text)),
  ];
  return Array.from(new Set(changed.map((text) => text.split(' ', 1).join(''))));
}

function formatTask(earlier: AuditedTask, from: AuditedTask): string {
  const name = `task ${String(earlier.id)}`;
  return earlier.split === from.split ? name : `${name} of the split ${earlier.split}`;
}
