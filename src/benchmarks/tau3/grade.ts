/**
 * The reward as τ³-bench counts it, a pure function of task and episode: the product of the parts that the task names in
 * its basis. NL_ASSERTION needs a judge model; its verdicts are given, or it is left out and named as missing.
 */

import { openOverlay, type Overlay, type Tables } from '../overlay.ts';
import { PyError, equals, isDict, lower, strip, type PyDict } from '../python/index.ts';
import { callTool, makeCall, type ToolCall } from './call.ts';
import { readCriteria, type Criteria, type EnvAssertion, type RewardBasis, type WantedCall } from './criteria.ts';
import { findTool, type Tau3Domain } from './domain.ts';
import { agentTexts, callsOf, isFinished, type PlayedEpisode } from './episode.ts';
import { runFunction } from './function-call.ts';
import { sameDatabases } from './state.ts';

/** A task ready to be played and graded; made once and kept, it is never changed. */
export interface PreparedTask {
  readonly domain: Tau3Domain;
  /** Null: every finished episode is good. */
  readonly criteria: Criteria | null;
  /** The state in which an episode begins. */
  readonly start: Overlay;
  /** The state that the ground truth leads to. */
  readonly wanted: Overlay;
}

/** One part's reward of an episode, and each of its checks in the task's order. */
interface Checks {
  readonly reward: 0 | 1;
  readonly met: readonly boolean[];
}

export interface Tau3Grade {
  /** The product of the parts in the basis, without those that are missing. */
  readonly reward: 0 | 1;
  /** Null: the episode was not graded, because it was not finished or the task has no criteria. */
  readonly checks: {
    readonly basis: readonly RewardBasis[];
    readonly db: boolean;
    readonly envAssertions: Checks;
    readonly actions: Checks;
    readonly communicate: Checks;
    /** Absent without a judge. */
    readonly nlAssertions?: Checks;
  } | null;
  /** True if the basis names NL_ASSERTION, the task has such sentences, and no judge has decided on them. */
  readonly isJudgeMissing: boolean;
  /** The exception of the reference's grading, which ends its episode in error; absent: none. */
  readonly raised?: string;
}

/**
 * The task's first state and its wanted one.
 * @param task as in the benchmark's `tasks.json`
 * @throws PyError where the reference raises in preparing the state; Error for a task that is not as the benchmark's are
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

/** The reference logs a ground-truth call that fails, and goes on. What it wrote before stays. */
function makeOrPass(domain: Tau3Domain, state: Overlay, call: ToolCall): void {
  try {
    makeCall(domain, state, call);
  } catch (error) {
    if (!(error instanceof PyError)) throw error;
  }
}

/**
 * Grades an episode.
 * @param verdicts the judge's, one for each of the task's `nl_assertions`; absent: they are not judged
 */
export function gradeTau3(task: PreparedTask, episode: PlayedEpisode, verdicts?: readonly boolean[]): Tau3Grade {
  if (!isFinished(episode)) return { reward: 0, checks: null, isJudgeMissing: false };
  if (task.criteria === null) return { reward: 1, checks: null, isJudgeMissing: false };
  try {
    return check(task, task.criteria, episode, verdicts);
  } catch (error) {
    if (!(error instanceof PyError)) throw error;
    return { reward: 0, checks: null, isJudgeMissing: false, raised: error.message };
  }
}

/** @throws PyError where an assertion of the task raises */
function check(
  task: PreparedTask,
  criteria: Criteria,
  episode: PlayedEpisode,
  verdicts: readonly boolean[] | undefined,
): Tau3Grade {
  const calls = callsOf(episode);
  const state = reachedState(task, calls);
  const isUnchecked = criteria.actions === null && criteria.envAssertions === null;
  const db = isUnchecked || sameDatabases(task.domain, state, task.wanted);
  const said = agentTexts(episode);
  const nlAssertions = criteria.nlAssertions.length === 0 ? checked([]) : verdicts && checked(verdicts);
  const checks = {
    basis: criteria.basis,
    db,
    envAssertions: checked((criteria.envAssertions ?? []).map((assertion) => isMet(task.domain, state, assertion))),
    actions: checked((criteria.actions ?? []).map((wanted) => calls.some((call) => isWanted(wanted, call)))),
    communicate: checked(areSaid(criteria.communicateInfo, said)),
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

function checked(met: readonly boolean[]): Checks {
  return { reward: met.every(Boolean) ? 1 : 0, met };
}

/** The episode's last state, from its calls of tools that write; the reference passes over all others. */
function reachedState({ domain, start }: PreparedTask, calls: readonly ToolCall[]): Overlay {
  const state = start.copy();
  for (const call of calls) if (findTool(domain, call.name)?.kind === 'write') callTool(domain, state, call);
  domain.sync?.(state);
  return state;
}

/** Runs on the state one after the other, as functions of the environment may change it. */
function isMet(domain: Tau3Domain, state: Overlay, assertion: EnvAssertion): boolean {
  const result = runFunction(domain, state, assertion);
  if (typeof result !== 'boolean') throw new PyError('ValueError', `Function ${assertion.name} returned no bool`);
  return result === assertion.assertValue;
}

/** ACTION compares name and arguments, but not which side made the call. */
function isWanted({ name, arguments: wanted, compareArgs }: WantedCall, call: ToolCall): boolean {
  if (name !== call.name) return false;
  const names = compareArgs ?? Array.from(call.arguments.keys());
  return names.every((key) => {
    const left = wanted.get(key);
    const right = call.arguments.get(key);
    return left === undefined || right === undefined ? left === right : equals(left, right);
  });
}

/** An info is said when a text of the agent's, without its commas, contains it; case does not matter. */
function areSaid(infos: readonly string[], texts: readonly string[]): boolean[] {
  if (infos.length === 0) return [];
  const said = texts.filter((text) => strip(text) !== '').map((text) => lower(text).replaceAll(',', ''));
  return infos.map((info) => {
    const wanted = lower(info);
    return said.some((text) => text.includes(wanted));
  });
}
