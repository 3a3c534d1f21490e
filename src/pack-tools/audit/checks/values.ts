/** Checks that the user can be identified, and that values of writes come from the instruction or from records. */

import { isDict, lower, type PyDict, type PyValue } from '../../../benchmarks/python/index.ts';
import { isChoice } from './calls.ts';
import { hasWord, pathText, readableTexts, textLeaves, type TextLeaf, type PackRecord } from '../data.ts';
import type { ReplayedCall } from '../replay.ts';
import {
  finding,
  isWriteCall,
  placeText,
  type AuditedTask,
  type Finding,
  type FindingKind,
  type Identity,
  type PackContext,
  type Severity,
} from '../task.ts';

/** Reports values of writes without a source. Numbers are skipped: the tools check amounts. */
export function checkValues(audited: AuditedTask, context: PackContext): Finding[] {
  const { instruction, userId } = audited.task;
  const said = new Set<string>();
  const wording = lower(instruction);
  const found: UnsaidValue[] = [];
  let reach: readonly PackRecord[] | undefined;
  for (const call of audited.replay.calls) {
    for (const leaf of isWriteCall(call, context) && call.outcome === 'done' ? textLeaves(call.action.kwargs) : []) {
      if (!needsSource(call, leaf, context)) continue;
      const value = lower(leaf.text);
      if (said.has(value) || hasWord(wording, stripLeadingMarks(value)) || isContained(said, value)) continue;
      reach ??= context.records.reach(userId, listMentioned(audited));
      found.push({ call, leaf, origin: findOrigin(leaf.text, wording, context, reach) });
    }
    for (const text of readableTexts(call.said)) said.add(lower(text));
  }
  return (Object.keys(ORIGINS) as Origin[]).flatMap((origin) =>
    report(
      audited,
      origin,
      found.filter((value) => value.origin === origin),
    ),
  );
}

/** Findings by origin of a value that the instruction does not give; `them` is replaced by the values. */
const ORIGINS = {
  nowhere: ['ungrounded-value', 'wrong', 'neither the instruction nor any record has them'],
  rephrased: ['ungrounded-value', 'suspicious', 'neither the instruction nor any record has them in these words'],
  foreign: ['ungrounded-value', 'suspicious', 'only records of another user have them'],
  unread: ['unread-value', 'remark', 'the ground truth has not read them; the tools would say them'],
} as const satisfies Readonly<Record<string, readonly [FindingKind, Severity, string]>>;
type Origin = keyof typeof ORIGINS;

/**
 * Finds the origin of a value. The user simulator knows only the instruction: it cannot give an id, number or date from
 * elsewhere, but it can choose other words.
 */
function findOrigin(
  text: string,
  wording: string,
  { records, pack }: PackContext,
  reach: readonly PackRecord[],
): Origin {
  switch (records.findProvenance(text, reach)) {
    case 'reachable':
    case 'common':
      return 'unread';
    case 'somebody-else':
      return 'foreign';
    case 'nowhere':
      if (hasWord(lower(pack.policy), lower(stripLeadingMarks(text)))) return 'unread';
      return /\p{N}/u.test(text) && !hasNumbers(wording, text) ? 'nowhere' : 'rephrased';
  }
}

/** True if the text has all numbers of the value, such as those of a date, or names of months. */
function hasNumbers(wording: string, value: string): boolean {
  const numbers = (text: string) => (text.match(/\p{N}+/gu) ?? []).map((digits) => digits.replace(/^0+(?=.)/, ''));
  const there = new Set(numbers(wording));
  const [year, , day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value) === null ? [] : numbers(value);
  const needed = year !== undefined && day !== undefined ? [year, day] : numbers(value);
  return needed.every((digits) => there.has(digits));
}

interface UnsaidValue {
  readonly call: ReplayedCall;
  readonly leaf: TextLeaf;
  readonly origin: Origin;
}

function report(audited: AuditedTask, origin: Origin, values: readonly UnsaidValue[]): Finding[] {
  const distinct = Array.from(new Map(values.map((value) => [value.leaf.text, value])).values());
  if (distinct.length === 0) return [];
  const [kind, severity, why] = ORIGINS[origin];
  const one = distinct.length === 1;
  const text = `${one ? 'One value is' : `${String(distinct.length)} values are`} written, and ${one ? why.replaceAll('them', 'it') : why}.`;
  const evidence = distinct.map(
    ({ call, leaf }) => `${placeText(call.position)} ${pathText(leaf.path)} ${JSON.stringify(leaf.text)}`,
  );
  return [finding(audited, kind, severity, text, evidence)];
}

function needsSource({ action }: ReplayedCall, { path, text }: TextLeaf, context: PackContext): boolean {
  const schema = context.parameters.get(action.name);
  return stripLeadingMarks(text) !== '' && !(schema !== undefined && isChoice(schema, path));
}

/** Removes characters before the first letter or digit, because users omit the `#` of an order's number. */
function stripLeadingMarks(text: string): string {
  return text.replace(/^[^\p{L}\p{N}]+/u, '');
}

/** True if a longer observation contains the value as a word, for example an id in a sentence. */
function isContained(said: ReadonlySet<string>, value: string): boolean {
  for (const text of said) if (text.length > value.length && hasWord(text, value)) return true;
  return false;
}

/** Returns the keys of the user's own records among the ground truth's arguments. */
function listMentioned({ task, replay }: AuditedTask): string[] {
  const given = replay.calls.flatMap(({ action }) => textLeaves(action.kwargs).map(({ text }) => text));
  return [...given, ...(task.instruction.match(/#?[\p{L}\p{N}_]+/gu) ?? [])];
}

export function checkIdentity(audited: AuditedTask, context: PackContext): Finding[] {
  const { userId } = audited.task;
  const instruction = lower(audited.task.instruction);
  const people = toDict(context.pack.tables.get(context.domain.people));
  const { identities } = context.domain;
  const identifies = (id: string): boolean =>
    identities.some((identity) => isIdentified(instruction, id, people, identity));
  if (identifies(userId)) return [];
  const other = Array.from(people.keys()).find(identifies);
  if (other !== undefined) {
    const text = `The task is ${userId}'s, and the instruction speaks as ${other}; the grader does not look at whose task it is.`;
    return [finding(audited, 'other-identity', 'remark', text)];
  }
  const ways = identities.map((identity) => identity.join(' + ')).join(', or ');
  const needed = audited.replay.calls.some((call) => isWriteCall(call, context)) || audited.task.outputs.length > 0;
  const text = `The instruction gives the user's ${givenParts(instruction, userId, people, identities)}; an agent needs ${ways}.`;
  return [finding(audited, 'missing-identity', needed ? 'suspicious' : 'remark', text)];
}

function isIdentified(instruction: string, id: string, people: PyDict, identity: Identity): boolean {
  return identity.every((path) => {
    const value = lower(personValueAt(id, people, path));
    return value !== '' && hasWord(instruction, value);
  });
}

/** Returns the parts of identities that the instruction gives. */
function givenParts(instruction: string, id: string, people: PyDict, identities: readonly Identity[]): string {
  const parts = Array.from(new Set(identities.flat())).filter((path) => isIdentified(instruction, id, people, [path]));
  return parts.length === 0 ? 'nothing that they could be found by' : `${parts.join(' and ')} only`;
}

function personValueAt(id: string, people: PyDict, path: string): string {
  if (path === 'id') return id;
  let value: PyValue | undefined = people.get(id);
  for (const step of path.split('.')) value = isDict(value) ? value.get(step) : undefined;
  return typeof value === 'string' ? value : '';
}

function toDict(value: PyValue | undefined): PyDict {
  return isDict(value) ? value : new Map();
}
