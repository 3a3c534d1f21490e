/** Calls that the environment cannot take, or answers with an error. */

import { clip, textLeaves } from '../leaves.ts';
import { refusedArguments } from '../arguments.ts';
import type { Call } from '../replay.ts';
import { callText, finding, isWrite, type AuditedTask, type PackContext } from '../task.ts';
import type { Finding } from '../types.ts';

export function checkCalls(audited: AuditedTask, context: PackContext): Finding[] {
  return audited.replay.calls.flatMap((call) => checkCall(audited, context, call));
}

function checkCall(audited: AuditedTask, context: PackContext, call: Call): Finding[] {
  const { name, kwargs } = call.action;
  const evidence = [clip(callText(call)), ...(call.observation === '' ? [] : [clip(call.observation)])];
  if (call.kind === 'respond') return [];
  if (call.outcome === 'unknown-tool') {
    const text = `The environment has no tool ${name}.`;
    return [finding(audited, 'unknown-tool', 'wrong', text, evidence)];
  }
  const schema = context.parameters.get(name);
  const refused = schema === undefined ? [] : refusedArguments(schema, kwargs);
  if (refused.length > 0) {
    // A read that works all the same does no harm, and of a terminating tool nothing but its name counts.
    const severity =
      call.kind === 'tool' && (isWrite(call, context) || call.outcome !== 'done') ? 'wrong' : 'suspicious';
    const text = `The schema of ${name} refuses its arguments: ${refused.join('; ')}.`;
    return [finding(audited, 'refused-arguments', severity, text, evidence)];
  }
  if (call.outcome === 'raised') {
    const text = `A call of ${name} leaves the environment with an exception, which ends the episode ungraded.`;
    return [finding(audited, 'failing-call', 'wrong', text, evidence)];
  }
  return call.outcome === 'failed' ? [failing(audited, context, call, evidence)] : [];
}

/**
 * A read may fail by intention, as when a customer gives a wrong number first. So may a write that the ground truth
 * then does in another way, or hands over to a human. One that is simply not done says two things at once: the actions
 * want a change that the final data do not have.
 */
function failing(audited: AuditedTask, context: PackContext, call: Call, evidence: readonly string[]): Finding {
  const { name } = call.action;
  if (!isWrite(call, context)) {
    return finding(audited, 'failing-call', 'remark', `${name} finds nothing, or refuses, and is gone past.`, evidence);
  }
  const later = audited.replay.calls.slice(call.position + 1);
  const instead = later.find((other) => other.changes.length > 0 && isInstead(other, call));
  if (instead !== undefined) {
    const text = `${name} is refused, and ${instead.action.name} is done afterwards.`;
    return finding(audited, 'failing-call', 'remark', text, [...evidence, clip(callText(instead))]);
  }
  if (later.some(({ kind }) => kind === 'end')) {
    const text = `${name} is refused and the episode handed over, so it comes to nothing.`;
    return finding(audited, 'failing-call', 'suspicious', text, evidence);
  }
  const text = `${name} is refused and nothing comes in its place, so the final data lack the change that the actions ask for.`;
  return finding(audited, 'failing-call', 'wrong', text, evidence);
}

/** The same tool once more for the same record, or another tool with all the same values. */
function isInstead(other: Call, refused: Call): boolean {
  const texts = textsOf(refused);
  const others = textsOf(other);
  const shared = Array.from(others).filter((text) => texts.has(text)).length;
  return other.action.name === refused.action.name ? shared > 0 : shared === texts.size && shared === others.size;
}

function textsOf({ action }: Call): ReadonlySet<string> {
  return new Set(Array.from(textLeaves(action.kwargs), ({ text }) => text));
}
