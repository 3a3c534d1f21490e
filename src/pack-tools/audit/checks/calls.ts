/** Checks calls: unknown tools, arguments outside the schema, errors, writes without effect, repeated reads. */

import { clipText, pathText, textLeaves, type Path } from '../data.ts';
import type { ReplayedCall } from '../replay.ts';
import {
  actionText,
  callText,
  finding,
  isWriteCall,
  placeText,
  type AuditedTask,
  type Finding,
  type PackContext,
} from '../task.ts';
import {
  PyFloat,
  dumpJson,
  isDict,
  isList,
  typeName,
  type PyDict,
  type PyValue,
} from '../../../benchmarks/python/index.ts';
import { listWords } from '../../../benchmarks/packs/index.ts';

export function checkCalls(audited: AuditedTask, context: PackContext): Finding[] {
  return audited.replay.calls.flatMap((call) => checkCall(audited, context, call));
}

function checkCall(audited: AuditedTask, context: PackContext, call: ReplayedCall): Finding[] {
  const { name, kwargs } = call.action;
  const evidence = [clipText(callText(call)), ...(call.observation === '' ? [] : [clipText(call.observation)])];
  if (call.kind === 'respond') return [];
  if (call.outcome === 'unknown-tool') {
    const text = `The environment has no tool ${name}.`;
    return [finding(audited, 'unknown-tool', 'wrong', text, evidence)];
  }
  const schema = context.parameters.get(name);
  const refused = schema === undefined ? [] : refusedArguments(schema, kwargs);
  if (refused.length > 0) {
    // An unusual read that works does no harm, and only the name of a terminating tool counts.
    const severity =
      call.kind === 'tool' && (isWriteCall(call, context) || call.outcome !== 'done') ? 'wrong' : 'suspicious';
    const text = `The schema of ${name} refuses its arguments: ${refused.join('; ')}.`;
    return [finding(audited, 'refused-arguments', severity, text, evidence)];
  }
  if (call.outcome === 'raised') {
    const text = `A call of ${name} leaves the environment with an exception, which ends the episode ungraded.`;
    return [finding(audited, 'failing-call', 'wrong', text, evidence)];
  }
  return call.outcome === 'failed' ? [failingCall(audited, context, call, evidence)] : [];
}

/**
 * Reports calls that fail. A read may fail intentionally, for example when a user gives a wrong number first. A write
 * may fail if the ground truth then makes the change in another way or transfers to a human. Any other failure
 * contradicts the ground truth: it contains a change that the final data lack.
 */
function failingCall(
  audited: AuditedTask,
  context: PackContext,
  call: ReplayedCall,
  evidence: readonly string[],
): Finding {
  const { name } = call.action;
  if (!isWriteCall(call, context)) {
    return finding(audited, 'failing-call', 'remark', `${name} finds nothing, or refuses, and is gone past.`, evidence);
  }
  const later = audited.replay.calls.slice(call.position + 1);
  const instead = later.find((other) => other.changes.length > 0 && isInstead(other, call));
  if (instead !== undefined) {
    const text = `${name} is refused, and ${instead.action.name} is done afterwards.`;
    return finding(audited, 'failing-call', 'remark', text, [...evidence, clipText(callText(instead))]);
  }
  if (later.some(({ kind }) => kind === 'end')) {
    const text = `${name} is refused and the episode handed over, so it comes to nothing.`;
    return finding(audited, 'failing-call', 'suspicious', text, evidence);
  }
  const text = `${name} is refused and nothing comes in its place, so the final data lack the change that the actions ask for.`;
  return finding(audited, 'failing-call', 'wrong', text, evidence);
}

/**
 * True if the other call replaces the refused one: it has the same tool and record, or the same values with another
 * tool.
 */
function isInstead(other: ReplayedCall, refused: ReplayedCall): boolean {
  const texts = listCallTexts(refused);
  const others = listCallTexts(other);
  const shared = Array.from(others).filter((text) => texts.has(text)).length;
  return other.action.name === refused.action.name ? shared > 0 : shared === texts.size && shared === others.size;
}

function listCallTexts({ action }: ReplayedCall): ReadonlySet<string> {
  return new Set(textLeaves(action.kwargs).map(({ text }) => text));
}

/** @returns a clause for each problem (`reason is "bored", not one of …`); empty if the schema accepts the arguments */
function refusedArguments(parameters: PyDict, kwargs: PyDict): string[] {
  const properties = toDict(parameters.get('properties'));
  const unknown = Array.from(kwargs.keys(), (name) => ({ name, schema: properties.get(name) }))
    .filter(({ schema }) => schema === undefined)
    .map(({ name }) => `${name} is not a parameter`);
  return [...unknown, ...findRefusals(parameters, kwargs, [])];
}

/** @returns true if the schema lists the allowed values, so that the instruction need not give one */
export function isChoice(parameters: PyDict, path: Path): boolean {
  let schema: PyValue | undefined = parameters;
  for (const step of path) {
    const inner: PyDict = toDict(schema);
    schema = typeof step === 'number' ? inner.get('items') : toDict(inner.get('properties')).get(step);
  }
  return isList(toDict(schema).get('enum'));
}

function findRefusals(schema: PyDict, value: PyValue, path: Path): string[] {
  const name = path.length === 0 ? 'the arguments' : pathText(path);
  const type = schema.get('type');
  if (typeof type === 'string' && !isOfType(type, value))
    return [`${name} is ${nameType(value)}, not ${article(type)}`];
  const choices = schema.get('enum');
  if (isList(choices) && !choices.some((choice) => choice === value)) {
    return [`${name} is ${showValue(value)}, not one of ${listWords(choices.map(showValue), 'or')}`];
  }
  if (isList(value)) {
    const items = schema.get('items');
    return isDict(items) ? value.flatMap((item, at) => findRefusals(items, item, [...path, at])) : [];
  }
  if (!isDict(value)) return [];
  const required = schema.get('required');
  const missing = (isList(required) ? required : [])
    .filter((key) => typeof key === 'string')
    .filter((key) => !value.has(key))
    .map((key) => `${pathText([...path, key])} is missing`);
  const properties = toDict(schema.get('properties'));
  const inner = Array.from(value).flatMap(([key, item]) => {
    const property = properties.get(key);
    return isDict(property) ? findRefusals(property, item, [...path, key]) : [];
  });
  return [...missing, ...inner];
}

/** True if a value has a type; an unknown type accepts every value. */
function isOfType(type: string, value: PyValue): boolean {
  const isInt = typeof value === 'bigint';
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'integer':
      return isInt || (value instanceof PyFloat && Number.isInteger(value.value));
    case 'number':
      return isInt || value instanceof PyFloat;
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return isList(value);
    case 'object':
      return isDict(value);
    case 'null':
      return value === null;
    default:
      return true;
  }
}

function nameType(value: PyValue): string {
  const nouns: Readonly<Record<string, string>> = {
    NoneType: 'null',
    bool: 'true or false',
    int: 'a whole number',
    float: 'a number',
    str: 'a string',
    list: 'an array',
    dict: 'an object',
  };
  return nouns[typeName(value)] ?? typeName(value);
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function showValue(value: PyValue): string {
  return clipText(dumpJson(value), 60);
}

function toDict(value: PyValue | undefined): PyDict {
  return isDict(value) ? value : new Map();
}

/** Reports a write that the tool accepted, but that changed no record. */
export function checkNoOps(audited: AuditedTask, context: PackContext): Finding[] {
  return audited.replay.calls
    .filter((call) => isWriteCall(call, context) && call.outcome === 'done' && call.changes.length === 0)
    .map((call) => {
      const text = `${call.action.name} is accepted and changes nothing, so whether an agent did it cannot be checked.`;
      return finding(audited, 'no-op-write', 'suspicious', text, [clipText(callText(call))]);
    });
}

/** Reports a record that a later call changes back. */
export function checkUndone(audited: AuditedTask): Finding[] {
  const { calls } = audited.replay;
  return calls.flatMap((call, at) =>
    call.changes.flatMap(({ record, before }) => {
      const undoing = calls
        .slice(at + 1)
        .find(({ changes }) => changes.some((change) => change.record === record && change.after === before));
      if (undoing === undefined) return [];
      const text = `${undoing.action.name} puts ${record} back as ${call.action.name} had found it.`;
      return [
        finding(audited, 'undone-write', 'suspicious', text, [clipText(callText(call)), clipText(callText(undoing))]),
      ];
    }),
  );
}

/** Reports each repeated call with an identical result once. */
export function checkRepeatedReads(audited: AuditedTask, context: PackContext): Finding[] {
  const first = new Map<string, number>();
  return audited.replay.calls.flatMap((call) => {
    if (call.kind !== 'tool' || isWriteCall(call, context)) return [];
    const key = `${actionText(call.action)}\n${call.observation}`;
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, call.position);
      return [];
    }
    const text = `${call.action.name} is called again and says the same as in ${placeText(earlier)}.`;
    return [finding(audited, 'repeated-read', 'remark', text, [clipText(callText(call))])];
  });
}
