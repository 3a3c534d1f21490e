/** The part of a task that says when an episode is good: `evaluation_criteria`, as the files of τ³-bench have it. */

import { isDict, isList, type PyDict, type PyValue } from '../python/index.ts';
import type { ToolCall } from './call.ts';
import { readFunctionCall, type FunctionCall } from './function-call.ts';

const BASES = ['DB', 'ENV_ASSERTION', 'COMMUNICATE', 'ACTION', 'NL_ASSERTION'] as const;

/** A part of the score, in the reference's words: the reward is the product of those in a task's basis. */
export type RewardBasis = (typeof BASES)[number];

/** A call of the ground truth. */
export interface WantedCall extends ToolCall {
  /** Arguments that ACTION compares; null: those of the call that the episode made. */
  readonly compareArgs: readonly string[] | null;
}

export interface EnvAssertion extends FunctionCall {
  /** The result that the function has to return. */
  readonly assertValue: boolean;
}

export interface Criteria {
  /** The ground truth; null and empty are not the same to the check of the databases. */
  readonly actions: readonly WantedCall[] | null;
  readonly envAssertions: readonly EnvAssertion[] | null;
  /** Texts that the agent has to say. */
  readonly communicateInfo: readonly string[];
  /** Sentences that a judge model decides on. */
  readonly nlAssertions: readonly string[];
  readonly basis: readonly RewardBasis[];
}

/**
 * Reads a task's `evaluation_criteria`; null for a task without, whose every episode is good.
 * @throws Error that names the field which is not as the benchmark writes it
 */
export function readCriteria(task: PyDict): Criteria | null {
  const criteria = task.get('evaluation_criteria') ?? null;
  if (criteria === null) return null;
  if (!isDict(criteria)) throw wrong('evaluation_criteria', 'an object');
  const list = (name: string) => readList(criteria, name);
  return {
    actions: list('actions')?.map(readAction) ?? null,
    envAssertions: list('env_assertions')?.map(readAssertion) ?? null,
    communicateInfo: list('communicate_info')?.map((info) => requireText(info, 'communicate_info')) ?? [],
    nlAssertions: list('nl_assertions')?.map((sentence) => requireText(sentence, 'nl_assertions')) ?? [],
    basis: list('reward_basis')?.map(readBasis) ?? ['DB', 'COMMUNICATE'],
  };
}

function readAction(value: PyValue): WantedCall {
  if (!isDict(value)) throw wrong('actions', 'a list of objects');
  const args = value.get('arguments');
  if (!isDict(args)) throw wrong('actions[].arguments', 'an object');
  return {
    requestor: value.get('requestor') === 'user' ? 'user' : 'assistant',
    name: requireText(value.get('name'), 'actions[].name'),
    arguments: args,
    compareArgs: readList(value, 'compare_args')?.map((name) => requireText(name, 'actions[].compare_args')) ?? null,
  };
}

function readAssertion(value: PyValue): EnvAssertion {
  const wanted = isDict(value) ? (value.get('assert_value') ?? true) : true;
  if (typeof wanted !== 'boolean') throw wrong('env_assertions[].assert_value', 'a boolean');
  return { ...readFunctionCall(value), assertValue: wanted };
}

function readBasis(value: PyValue): RewardBasis {
  const basis = BASES.find((known) => known === value);
  if (basis === undefined) throw wrong('reward_basis', `a list of ${BASES.join(', ')}`);
  return basis;
}

function readList(dict: PyDict, name: string): readonly PyValue[] | null {
  const value = dict.get(name) ?? null;
  if (value !== null && !isList(value)) throw wrong(name, 'a list');
  return value;
}

function requireText(value: PyValue | undefined, name: string): string {
  if (typeof value !== 'string') throw wrong(name, 'text');
  return value;
}

function wrong(name: string, wanted: string): Error {
  return new Error(`${name} of a task is not ${wanted}; import the pack again`);
}
