/**
 * What a pack's data would tell an agent that asks: the records that a customer's own record leads to, and those that
 * belong to nobody. Learned from the data: a string that is a record's key somewhere leads to that record, and a record
 * that names one of the people belongs to them.
 */

import { isDict, lower, type PyDict, type PyValue } from '../../benchmark/python/index.ts';
import { readableTexts, textLeaves } from './leaves.ts';

export interface WorldRecord {
  readonly table: string;
  readonly id: string;
  readonly record: PyDict;
  /** Key of the person whom it belongs to; null when it is everybody's. */
  readonly owner: string | null;
}

/** Customer, order, product: further than that no request leads. */
const MAX_DEPTH = 3;

/** How a value stands to a customer. */
export type Standing = 'nowhere' | 'reachable' | 'common' | 'somebody-else';

export class World {
  readonly #records = new Map<string, WorldRecord[]>();
  readonly #texts = new WeakMap<PyDict, ReadonlySet<string>>();
  #holders: ReadonlyMap<string, ReadonlySet<string | null>> | undefined;

  constructor(tables: PyDict, people: string) {
    const persons = dictOf(tables.get(people));
    for (const [table, records] of tables) {
      for (const [id, record] of dictOf(records)) {
        if (!isDict(record)) continue;
        const owner = table === people ? id : ownerOf(record, persons);
        const known = this.#records.get(id);
        const entry = { table, id, record, owner };
        if (known === undefined) this.#records.set(id, [entry]);
        else known.push(entry);
      }
    }
  }

  /** The records with that key. */
  named(id: string): readonly WorldRecord[] {
    return this.#records.get(id) ?? [];
  }

  /** The records that the customer's own leads to, and those that `mentioned` values are the keys of, nearest first. */
  reach(customer: string, mentioned: Iterable<string>): readonly WorldRecord[] {
    const reached = new Set<WorldRecord>();
    let front = [customer, ...mentioned];
    for (let depth = 0; depth <= MAX_DEPTH && front.length > 0; depth++) {
      const next: string[] = [];
      for (const entry of front.flatMap((id) => this.named(id))) {
        if (reached.has(entry) || (entry.owner !== null && entry.owner !== customer)) continue;
        reached.add(entry);
        for (const { text } of textLeaves(entry.record)) next.push(text);
      }
      front = next;
    }
    return Array.from(reached);
  }

  /** Where a value that nobody has said could have come from, for a customer. */
  standing(value: string, reach: readonly WorldRecord[]): Standing {
    const wanted = lower(value);
    if (reach.some((entry) => entry.id === value || this.#textsOf(entry.record).has(wanted))) return 'reachable';
    const holders = this.#index().get(wanted);
    if (holders === undefined) return 'nowhere';
    // A state or a country is on many people's records and so is no secret of theirs; a free record is everybody's.
    if (holders.has(null)) return 'reachable';
    return holders.size > 1 ? 'common' : 'somebody-else';
  }

  #textsOf(record: PyDict): ReadonlySet<string> {
    let texts = this.#texts.get(record);
    if (texts === undefined) this.#texts.set(record, (texts = new Set(Array.from(readableTexts(record), lower))));
    return texts;
  }

  /** Every text of the data → whose records have it. Built when first asked for: most packs never need it. */
  #index(): ReadonlyMap<string, ReadonlySet<string | null>> {
    if (this.#holders !== undefined) return this.#holders;
    const holders = new Map<string, Set<string | null>>();
    for (const { id, record, owner } of Array.from(this.#records.values()).flat()) {
      for (const text of [lower(id), ...this.#textsOf(record)]) {
        const known = holders.get(text);
        if (known === undefined) holders.set(text, new Set([owner]));
        else known.add(owner);
      }
    }
    return (this.#holders = holders);
  }
}

function ownerOf(record: PyDict, persons: PyDict): string | null {
  for (const value of record.values()) if (typeof value === 'string' && persons.has(value)) return value;
  return null;
}

function dictOf(value: PyValue | undefined): PyDict {
  return isDict(value) ? value : new Map();
}
