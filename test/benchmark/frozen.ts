/** Values that throw where somebody tries to change them. */

import { isDict, isList, type PyDict, type PyValue } from '../../src/benchmark/python/value.ts';

class FrozenMap extends Map<string, PyValue> {
  #isFrozen = false;

  constructor(entries: Iterable<readonly [string, PyValue]>) {
    super();
    for (const [key, value] of entries) super.set(key, value);
    this.#isFrozen = true;
  }

  override set(key: string, value: PyValue): this {
    if (this.#isFrozen) throw new Error(`somebody sets ${key} in frozen data`);
    return super.set(key, value);
  }

  override delete(key: string): never {
    throw new Error(`somebody deletes ${key} from frozen data`);
  }

  override clear(): never {
    throw new Error('somebody clears frozen data');
  }
}

/** A copy that nobody can change, however deep. */
export function frozen(value: PyDict): PyDict;
export function frozen(value: PyValue): PyValue;
export function frozen(value: PyValue): PyValue {
  if (isDict(value)) return new FrozenMap(Array.from(value, ([key, item]) => [key, frozen(item)] as const));
  if (isList(value)) return Object.freeze(value.map((item) => frozen(item)));
  return typeof value === 'object' && value !== null ? Object.freeze(value) : value;
}
