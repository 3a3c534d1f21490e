/** Actions as they cross Temporal: the arguments are JSON text, so that numbers and key order survive unharmed. */

import { dumpJson, isDict, parseJson } from '../benchmark/python/index.ts';
import type { Action } from '../benchmark/index.ts';

export interface ActionWire {
  readonly name: string;
  /** A JSON object in Python's spelling. */
  readonly kwargsJson: string;
}

export function toActionWire(action: Action): ActionWire {
  return { name: action.name, kwargsJson: dumpJson(action.kwargs) };
}

/** @throws Error when `kwargsJson` is not a JSON object, which only a hand-made payload can be. */
export function fromActionWire(wire: ActionWire): Action {
  const kwargs = parseJson(wire.kwargsJson);
  if (!isDict(kwargs)) throw new Error(`the arguments of action ${wire.name} are not a JSON object`);
  return { name: wire.name, kwargs };
}
