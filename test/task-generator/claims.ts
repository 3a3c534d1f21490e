/** Generated packs with the claims of their tasks, and ways to spoil both. */

import { PyFloat, isDict, type PyDict, type PyValue } from '../../src/benchmarks/python/index.ts';
import type { EnvData, Action } from '../../src/benchmarks/index.ts';
import {
  generatePack,
  type GeneratedPack,
  type GenerateOptions,
  type Claim,
} from '../../packages/task-generator/src/testing.ts';
import type { Pack } from '../../src/benchmarks/testing.ts';
import { inMemory } from '../benchmarks/packs/folders.ts';

export interface Made {
  readonly generated: GeneratedPack;
  readonly pack: Pack;
  /** The tasks that were kept, by family. */
  readonly kept: ReadonlyMap<string, readonly Claim[]>;
  /** Faults of those that were thrown away. */
  readonly faults: readonly (readonly [family: string, faults: readonly string[]])[];
}

export function make(options: GenerateOptions): Made {
  const kept = new Map<string, Claim[]>();
  const faults: [string, readonly string[]][] = [];
  const generated = generatePack(options, (family, claim, found) => {
    if (found.length > 0) faults.push([family, found]);
    else kept.set(family, [...(kept.get(family) ?? []), claim]);
  });
  return { generated, pack: inMemory(generated), kept, faults };
}

/** The kept tasks of some families, in no order that matters. */
export function claimsOf(made: Made, ...families: string[]): Claim[] {
  return families.flatMap((family) => made.kept.get(family) ?? []);
}

/** The first of some tasks of which something is true. */
export function pick(claims: readonly Claim[], test: (claim: Claim) => boolean = () => true): Claim {
  const found = claims.find(test);
  if (found === undefined) throw new Error('no such task was generated; another seed has one');
  return found;
}

/** Names of the tools with which a task changes data. */
export function writesOf(claim: Claim): string[] {
  const positions = claim.goals.flatMap((goal) => Array.from(goal.evidence.keys()));
  return positions.map((at) => claim.actions[at]?.name ?? '');
}

/** Arguments of the first call of a tool. */
export function callOf(claim: Claim, tool: string): PyDict {
  const action = claim.actions.find(({ name }) => name === tool);
  if (action === undefined) throw new Error(`the task does not call ${tool}`);
  return action.kwargs;
}

/** The user id of a task's customer. */
export function customerOf(claim: Claim): string {
  return idOf(claim.identity.argument);
}

export function idOf(value: PyValue | undefined): string {
  if (typeof value !== 'string') throw new Error('this is no id');
  return value;
}

export function textOf(record: PyDict, key: string): string {
  const value = record.get(key);
  if (typeof value !== 'string') throw new Error(`${key} is no text`);
  return value;
}

/** The same task, but one argument of the first call of a tool has another value. */
export function withArgument(claim: Claim, tool: string, key: string, value: PyValue): Claim {
  const at = claim.actions.findIndex(({ name }) => name === tool);
  const actions = claim.actions.map((action, position): Action =>
    position === at ? { name: action.name, kwargs: new Map(action.kwargs).set(key, value) } : action,
  );
  return { ...claim, actions };
}

/** The same data with one record put in the place of another, or added. */
export function withRecord(data: EnvData, table: string, id: string, edit: (record: PyDict) => PyDict): EnvData {
  const records = tableOf(data, table);
  const old = records.get(id);
  const edited = edit(isDict(old) ? old : new Map());
  return { ...data, tables: new Map(data.tables).set(table, new Map(records).set(id, edited)) };
}

export function recordOf(data: EnvData, table: string, id: string): PyDict {
  const found = tableOf(data, table).get(id);
  if (!isDict(found)) throw new Error(`there is no ${id} in ${table}`);
  return found;
}

/** A copy in which what lies along a path of keys has another value. */
export function withPath(record: PyDict, path: readonly (string | number)[], value: PyValue): PyDict {
  const copy = put(record, path, value);
  if (!isDict(copy)) throw new Error('a record is an object');
  return copy;
}

function put(value: PyValue, [step, ...rest]: readonly (string | number)[], leaf: PyValue): PyValue {
  if (step === undefined) return leaf;
  if (typeof step === 'number') {
    return Array.isArray(value)
      ? (value as readonly PyValue[]).map((item, at) => (at === step ? put(item, rest, leaf) : item))
      : value;
  }
  return isDict(value) ? new Map(value).set(step, put(value.get(step) ?? null, rest, leaf)) : value;
}

function tableOf(data: EnvData, table: string): PyDict {
  const records = data.tables.get(table);
  if (!isDict(records)) throw new Error(`there is no table ${table}`);
  return records;
}

export function float(value: number): PyFloat {
  return new PyFloat(value);
}
