/** A task's `evaluation_criteria`, which decide the reward. */

import { isDict, isList, type PyDict, type PyValue } from '../python/index.ts';
import type { Tau3Call } from './call.ts';
import { readFunctionCall, type FunctionCall } from './function-call.ts';

const BASES = ['DB', 'ENV_ASSERTION', 'COMMUNICATE', 'ACTION', 'NL_ASSERTION'] as const;

/** A part of the score; the reward is the product of the parts in a task's basis. */
export type RewardBasis = (typeof BASES)[number];

/** A call of the ground truth. */
export interface WantedCall extends Tau3Call {
  /** Names of arguments that ACTION compares; null: the arguments of the episode's call. */
  readonly compareArgs: readonly string[] | null;
}

export interface EnvAssertion extends FunctionCall {
  /** The expected result of the function. */
  readonly assertValue: boolean;
}

export interface Criteria {
  /** Calls of the ground truth. The check of the databases distinguishes null from an empty list. */
  readonly actions: readonly WantedCall[] | null;
  readonly envAssertions: readonly EnvAssertion[] | null;
  /** Texts that the agent has to say. */
  readonly communicateInfo: readonly string[];
  /** Sentences for a judge model. */
  readonly nlAssertions: readonly string[];
  readonly basis: readonly RewardBasis[];
}

/**
 * Reads a task's `evaluation_criteria`; null for a task without them, whose every episode succeeds.
 * @throws Error that names an invalid field
 */
export function readCriteria(task: PyDict): Criteria | null {
  const criteria = task.get('evaluation_criteria') ?? null;
  if (criteria === null) return null;
  if (!isDict(criteria)) throw criteriaError('evaluation_criteria', 'an object');
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
  if (!isDict(value)) throw criteriaError('actions', 'a list of objects');
  const args = value.get('arguments');
  if (!isDict(args)) throw criteriaError('actions[].arguments', 'an object');
  return {
    requestor: value.get('requestor') === 'user' ? 'user' : 'assistant',
    name: requireText(value.get('name'), 'actions[].name'),
    arguments: args,
    compareArgs: readList(value, 'compare_args')?.map((name) => requireText(name, 'actions[].compare_args')) ?? null,
  };
}

function readAssertion(value: PyValue): EnvAssertion {
  const wanted = isDict(value) ? (value.get('assert_value') ?? true) : true;
  if (typeof wanted !== 'boolean') throw criteriaError('env_assertions[].assert_value', 'a boolean');
  return { ...readFunctionCall(value), assertValue: wanted };
}

function readBasis(value: PyValue): RewardBasis {
  const basis = BASES.find((known) => known === value);
  if (basis === undefined) throw criteriaError('reward_basis', `a list of ${BASES.join(', ')}`);
  return basis;
}

function readList(dict: PyDict, name: string): readonly PyValue[] | null {
  const value = dict.get(name) ?? null;
  if (value !== null && !isList(value)) throw criteriaError(name, 'a list');
  return value;
}

function requireText(value: PyValue | undefined, name: string): string {
  if (typeof value !== 'string') throw criteriaError(name, 'text');
  return value;
}

function criteriaError(name: string, wanted: string): Error {
  return new Error(`${name} of a task is not ${wanted}; import the pack again`);
}
