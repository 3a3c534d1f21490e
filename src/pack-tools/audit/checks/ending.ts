/** What an agent that follows the ground truth would run into: an early end, or the limit of steps. */

import { clip } from '../leaves.ts';
import { callText, finding, isWrite, type AuditedTask, type PackContext } from '../task.ts';
import type { Finding } from '../types.ts';

/** tau-bench's limit, and the default of `--max-steps`. */
export const DEFAULT_STEPS = 30;

/** The grader leaves a terminating tool out and goes on; an agent that calls it is finished. */
export function checkEarlyEnd(audited: AuditedTask, context: PackContext): Finding[] {
  const { calls } = audited.replay;
  const end = calls.find(({ kind }) => kind === 'end');
  if (end === undefined || end.position === calls.length - 1) return [];
  const later = calls.slice(end.position + 1);
  const lost = later.filter((call) => isWrite(call, context) && call.changes.length > 0);
  const evidence = [
    clip(callText(end)),
    ...(lost.length > 0 ? lost : later.slice(0, 1)).map((call) => clip(callText(call))),
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

/** An agent says at least one thing, unless it hands over; reads can be saved, changes cannot. */
export function checkSteps(audited: AuditedTask): Finding[] {
  const { calls } = audited.replay;
  const speaks = calls.some(({ kind }) => kind !== 'tool') ? 0 : 1;
  const steps = calls.length + speaks;
  if (steps <= DEFAULT_STEPS) return [];
  const changing = calls.filter(({ changes }) => changes.length > 0).length;
  const counted = `The ground truth takes ${String(steps)} steps with a word to the user, of ${String(DEFAULT_STEPS)}`;
  return changing + 1 > DEFAULT_STEPS
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
