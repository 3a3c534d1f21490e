/** Whether the instruction tells the user simulator enough for the agent to find the customer. */

import { isDict, lower, type PyDict, type PyValue } from '../../../benchmark/python/index.ts';
import type { Identity } from '../domains.ts';
import { finding, isWrite, type AuditedTask, type PackContext } from '../task.ts';
import { hasWord } from '../words.ts';
import type { Finding } from '../types.ts';

export function checkIdentity(audited: AuditedTask, context: PackContext): Finding[] {
  const { userId } = audited.task;
  const instruction = lower(audited.task.instruction);
  const people = dictOf(context.pack.tables.get(context.domain.people));
  const { identities } = context.domain;
  const tells = (id: string): boolean => identities.some((identity) => isTold(instruction, id, people, identity));
  if (tells(userId)) return [];
  const other = Array.from(people.keys()).find(tells);
  if (other !== undefined) {
    const text = `The task is ${userId}'s, and the instruction speaks as ${other}; the grader does not look at whose task it is.`;
    return [finding(audited, 'other-identity', 'remark', text)];
  }
  const ways = identities.map((identity) => identity.join(' + ')).join(', or ');
  const needed = audited.replay.calls.some((call) => isWrite(call, context)) || audited.task.outputs.length > 0;
  const text = `The instruction gives the customer's ${told(instruction, userId, people, identities)}; an agent needs ${ways}.`;
  return [finding(audited, 'missing-identity', needed ? 'suspicious' : 'remark', text)];
}

function isTold(instruction: string, id: string, people: PyDict, identity: Identity): boolean {
  return identity.every((path) => {
    const value = lower(valueAt(id, people, path));
    return value !== '' && hasWord(instruction, value);
  });
}

/** The parts of identities that are there. */
function told(instruction: string, id: string, people: PyDict, identities: readonly Identity[]): string {
  const parts = Array.from(new Set(identities.flat())).filter((path) => isTold(instruction, id, people, [path]));
  return parts.length === 0 ? 'nothing that they could be found by' : `${parts.join(' and ')} only`;
}

function valueAt(id: string, people: PyDict, path: string): string {
  if (path === 'id') return id;
  let value: PyValue | undefined = people.get(id);
  for (const step of path.split('.')) value = isDict(value) ? value.get(step) : undefined;
  return typeof value === 'string' ? value : '';
}

function dictOf(value: PyValue | undefined): PyDict {
  return isDict(value) ? value : new Map();
}
