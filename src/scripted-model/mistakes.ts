/** The small change of {@link ./flaws.ts}: an argument misread, a similar tool, an answer told wrong. */

import { PyFloat, isList, type PyValue } from '../benchmark/python/index.ts';
import type { Action } from '../benchmark/index.ts';
import type { Pack } from '../packs/index.ts';
import { PHRASES } from './phrases.ts';
import { shuffled } from './random.ts';
import { schemaField, toolShapes } from './tool-shapes.ts';

/** An action with one argument slightly off, once for each argument that can be, in seeded order. */
export function misreadArguments(pack: Pack, action: Action, dice: string): { action: Action; detail: string }[] {
  const shape = toolShapes(pack).find(({ name }) => name === action.name);
  return shuffled([...action.kwargs], `${dice} argument`).flatMap(([key, value]) => {
    const wrong = otherChoice(shape?.properties.get(key), value) ?? misread(value);
    if (wrong === undefined) return [];
    const kwargs = new Map(action.kwargs).set(key, wrong);
    return [{ action: { name: action.name, kwargs }, detail: `misread ${key} of ${action.name}` }];
  });
}

/** Calls of other tools that take part of the same arguments, those that share most of them first. */
export function similarTools(pack: Pack, action: Action, dice: string): Action[] {
  const given = action.kwargs;
  return shuffled(toolShapes(pack), `${dice} tool`)
    .filter(
      ({ name, required }) =>
        name !== action.name &&
        !pack.terminateTools.includes(name) &&
        required.length > 0 &&
        required.every((key) => given.has(key)),
    )
    .sort((a, b) => b.required.length - a.required.length)
    .map(({ name, required }) => ({ name, kwargs: new Map([...given].filter(([key]) => required.includes(key))) }));
}

/** Hands the customer over to a person, which ends the episode; undefined where a pack has no such tool. */
export function terminatingCall(pack: Pack): Action | undefined {
  const shape = toolShapes(pack).find(({ name }) => pack.terminateTools.includes(name));
  if (shape === undefined) return undefined;
  return { name: shape.name, kwargs: new Map(shape.required.map((key) => [key, PHRASES.handOver])) };
}

/** The outputs with one of them told wrong or not at all, in seeded order. */
export function misreadOutputs(
  outputs: readonly string[],
  dice: string,
): { outputs: readonly string[]; detail: string }[] {
  return shuffled([...outputs.keys()], `${dice} output`).flatMap((at) => {
    const right = outputs[at] ?? '';
    const omitted = { outputs: outputs.toSpliced(at, 1), detail: `did not tell ${right}` };
    if (!/\d/.test(right)) return [omitted];
    const wrong = misreadText(right);
    return [{ outputs: outputs.with(at, wrong), detail: `told ${wrong} instead of ${right}` }, omitted];
  });
}

/** Another of a parameter's allowed values, where its schema lists them. */
function otherChoice(schema: PyValue | undefined, value: PyValue): PyValue | undefined {
  const choices = schemaField(schema, 'enum');
  return isList(choices) ? choices.find((choice) => choice !== value) : undefined;
}

function misread(value: PyValue): PyValue | undefined {
  if (value === null) return undefined;
  if (typeof value === 'string') return misreadText(value);
  if (typeof value === 'bigint') return value + 1n;
  if (typeof value === 'boolean') return !value;
  if (value instanceof PyFloat) return new PyFloat(value.value + 1);
  if (isList(value)) {
    if (value.length > 1) return value.slice(0, -1);
    const [only] = value;
    const wrong = only === undefined ? undefined : misread(only);
    return wrong === undefined ? undefined : [wrong];
  }
  for (const [key, inner] of value) {
    const wrong = misread(inner);
    if (wrong !== undefined) return new Map(value).set(key, wrong);
  }
  return undefined;
}

/** The last digit counted up, the last two letters swapped, or an empty text filled. */
function misreadText(text: string): string {
  const digit = /\d(?=\D*$)/.exec(text);
  if (digit !== null) {
    const next = String((Number(digit[0]) + 1) % 10);
    return text.slice(0, digit.index) + next + text.slice(digit.index + 1);
  }
  if (text.length < 2) return `${text}1`;
  const swapped = text.slice(0, -2) + text.charAt(text.length - 1) + text.charAt(text.length - 2);
  return swapped === text ? text.slice(0, -1) : swapped;
}
