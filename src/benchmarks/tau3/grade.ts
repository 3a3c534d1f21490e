/**
 * The reward of τ³-bench, a pure function of task and episode: the product of the parts in the task's basis.
 * NL_ASSERTION needs a judge's verdicts; without verdicts it is left out and reported as missing.
 */

import { openOverlay, type Overlay, type Tables } from '../overlay.ts';
import { PyError, equals, isDict, lower, strip, type PyDict } from '../python/index.ts';
import { callTool, makeCall, type Tau3Call } from './call.ts';
import { readCriteria, type Criteria, type EnvAssertion, type RewardBasis, type WantedCall } from './criteria.ts';
import { findTool, type Tau3Domain } from './domain.ts';
import { agentTexts, listCalls, isFinished, type Tau3Episode } from './episode.ts';
import { runFunction } from './function-call.ts';
import { sameDatabases } from './state.ts';

/** A task prepared for playing and grading. It is cached, and never changes. */
export interface PreparedTask {
  readonly domain: Tau3Domain;
  /** Criteria of the reward; null: every finished episode succeeds. */
  readonly criteria: Criteria | null;
  /** The state in which an episode begins. */
  readonly start: Overlay;
  /** The state after the ground truth. */
  readonly wanted: Overlay;
}

/** A part's reward of an episode, with its checks in the task's order. */
interface Checks {
  readonly reward: 0 | 1;
  readonly met: readonly boolean[];
}

export interface Tau3Grade {
  /** Product of the parts in the basis, except missing ones. */
  readonly reward: 0 | 1;
  /** Results by part; null: not graded, because the episode was not finished or the task has no criteria. */
  readonly checks: {
    readonly basis: readonly RewardBasis[];
    readonly db: boolean;
    readonly envAssertions: Checks;
    readonly actions: Checks;
    readonly communicate: Checks;
    /** Checks of the sentences; absent without a judge. */
    readonly nlAssertions?: Checks;
  } | null;
  /** True if the basis has NL_ASSERTION, the task has such sentences, and there are no verdicts. */
  readonly isJudgeMissing: boolean;
  /** The exception of the reference's grading, which ends its episode in error; absent: none. */
  readonly raised?: string;
}

/**
 * Computes the state in which the task begins, and the state after its ground truth.
 * @param task a task of the benchmark's `tasks.json`
 * @throws PyError if the reference raises one; Error for an invalid task
 */
export function prepareTask(domain: Tau3Domain, data: Tables, task: PyDict): PreparedTask {
  const criteria = readCriteria(task);
  const start = openOverlay(data);
  const initialState = task.get('initial_state') ?? null;
  if (isDict(initialState)) domain.initialise?.(start, initialState);
  const wanted = start.copy();
  for (const call of criteria?.actions ?? []) makeOrPass(domain, wanted, call);
  return { domain, criteria, start, wanted };
}

/** Makes a ground-truth call. As in the reference, a failed call is ignored and its earlier writes remain. */
function makeOrPass(domain: Tau3Domain, state: Overlay, call: Tau3Call): void {
  try {
    makeCall(domain, state, call);
  } catch (error) {
    if (!(error instanceof PyError)) throw error;
  }
}

/**
 * Grades an episode. @param verdicts the judge's verdicts, one for each of the task's `nl_assertions`; absent: not
 * judged
 */
export function gradeTau3(task: PreparedTask, episode: Tau3Episode, verdicts?: readonly boolean[]): Tau3Grade {
  if (!isFinished(episode)) return { reward: 0, checks: null, isJudgeMissing: false };
  if (task.criteria === null) return { reward: 1, checks: null, isJudgeMissing: false };
  try {
    return check(task, task.criteria, episode, verdicts);
  } catch (error) {
    if (!(error instanceof PyError)) throw error;
    return { reward: 0, checks: null, isJudgeMissing: false, raised: error.message };
  }
}

/** @throws PyError if an assertion of the task raises one */
function check(
  task: PreparedTask,
  criteria: Criteria,
  episode: Tau3Episode,
  verdicts: readonly boolean[] | undefined,
): Tau3Grade {
  const calls = listCalls(episode);
  const state = reachedState(task, calls);
  const isUnchecked = criteria.actions === null && criteria.envAssertions === null;
  const db = isUnchecked || sameDatabases(task.domain, state, task.wanted);
  const said = agentTexts(episode);
  const nlAssertions = criteria.nlAssertions.length === 0 ? gradeChecks([]) : verdicts && gradeChecks(verdicts);
  const checks = {
    basis: criteria.basis,
    db,
    envAssertions: gradeChecks((criteria.envAssertions ?? []).map((assertion) => isMet(task.domain, state, assertion))),
    actions: gradeChecks((criteria.actions ?? []).map((wanted) => calls.some((call) => isWanted(wanted, call)))),
    communicate: gradeChecks(areSaid(criteria.communicateInfo, said)),
    ...(nlAssertions === undefined ? {} : { nlAssertions }),
  };
  const rewards: Record<RewardBasis, 0 | 1> = {
    DB: db ? 1 : 0,
    ENV_ASSERTION: checks.envAssertions.reward,
    ACTION: checks.actions.reward,
    COMMUNICATE: checks.communicate.reward,
    NL_ASSERTION: nlAssertions?.reward ?? 1,
  };
  return {
    reward: criteria.basis.every((basis) => rewards[basis] === 1) ? 1 : 0,
    checks,
    isJudgeMissing: nlAssertions === undefined && criteria.basis.includes('NL_ASSERTION'),
  };
}

function gradeChecks(met: readonly boolean[]): Checks {
  return { reward: met.every(Boolean) ? 1 : 0, met };
}

/** Computes the episode's last state from its calls of tools that write. */
function reachedState({ domain, start }: PreparedTask, calls: readonly Tau3Call[]): Overlay {
  const state = start.copy();
  for (const call of calls) if (findTool(domain, call.name)?.kind === 'write') callTool(domain, state, call);
  domain.sync?.(state);
  return state;
}

/** Evaluates an assertion, whose function may change the state. */
function isMet(domain: Tau3Domain, state: Overlay, assertion: EnvAssertion): boolean {
  const result = runFunction(domain, state, assertion);
  if (typeof result !== 'boolean') throw new PyError('ValueError', `Function ${assertion.name} returned no bool`);
  return result === assertion.assertValue;
}

/** Compares name and arguments, as ACTION does, but not the side that made the call. */
function isWanted({ name, arguments: wanted, compareArgs }: WantedCall, call: Tau3Call): boolean {
  if (name !== call.name) return false;
  const names = compareArgs ?? Array.from(call.arguments.keys());
  return names.every((key) => {
    const left = wanted.get(key);
    const right = call.arguments.get(key);
    return left === undefined || right === undefined ? left === right : equals(left, right);
  });
}

/** Returns for each info whether a message of the agent, without commas, contains it, ignoring case. */
function areSaid(infos: readonly string[], texts: readonly string[]): boolean[] {
  if (infos.length === 0) return [];
  const said = texts.filter((text) => strip(text) !== '').map((text) => lower(text).replaceAll(',', ''));
  return infos.map((info) => {
    const wanted = lower(info);
    return said.some((text) => text.includes(wanted));
  });
}
