/** Writes without an effect, writes that are taken back, and reads that read what was read. */

import { clip } from '../leaves.ts';
import { callText, finding, isWrite, placeText, actionText, type AuditedTask, type PackContext } from '../task.ts';
import type { Finding } from '../types.ts';

/** A write call that the tool accepted and that left every record as it was. */
export function checkNoOps(audited: AuditedTask, context: PackContext): Finding[] {
  return audited.replay.calls
    .filter((call) => isWrite(call, context) && call.outcome === 'done' && call.changes.length === 0)
    .map((call) => {
      const text = `${call.action.name} is accepted and changes nothing, so nobody can tell whether an agent did it.`;
      return finding(audited, 'no-op-write', 'suspicious', text, [clip(callText(call))]);
    });
}

/** A record that a later call puts back as an earlier one had found it. */
export function checkUndone(audited: AuditedTask): Finding[] {
  const { calls } = audited.replay;
  return calls.flatMap((call, at) =>
    call.changes.flatMap(({ record, before }) => {
      const undoing = calls
        .slice(at + 1)
        .find(({ changes }) => changes.some((change) => change.record === record && change.after === before));
      if (undoing === undefined) return [];
      const text = `${undoing.action.name} puts ${record} back as ${call.action.name} had found it.`;
      return [finding(audited, 'undone-write', 'suspicious', text, [clip(callText(call)), clip(callText(undoing))])];
    }),
  );
}

/** The same call with the same answer; each is told once. */
export function checkRepeatedReads(audited: AuditedTask, context: PackContext): Finding[] {
  const first = new Map<string, number>();
  return audited.replay.calls.flatMap((call) => {
    if (call.kind !== 'tool' || isWrite(call, context)) return [];
    const key = `${actionText(call.action)}\n${call.observation}`;
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, call.position);
      return [];
    }
    const text = `${call.action.name} is called again and says the same as in ${placeText(earlier)}.`;
    return [finding(audited, 'repeated-read', 'remark', text, [clip(callText(call))])];
  });
}
