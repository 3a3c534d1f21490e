/** Applies a condition to the tool calls of one episode. */

import type { Action, EpisodeKey, StepResult } from '../benchmarks/pure.ts';
import { dumpJson, isDict, isList, type PyValue } from '../benchmarks/python/index.ts';
import { drawUnit } from './draw.ts';
import { invert, rename, renameInAnswer, renameKeys } from './names.ts';
import type { CallPlace, Condition, Names, RunCondition, RunPlace, TakenCall } from './port.ts';
import { requireCondition } from './registry.ts';

/** Longest wait before a call, in milliseconds. */
const MOST_WAIT_MS = 60_000;

interface ExecutedStep extends StepResult {
  readonly changed: boolean;
}

/** Effect of a condition on a call. */
export type Interference = 'refused' | 'answer lost' | 'delayed';

/** Functions with which an episode executes a call and waits. */
interface Execution {
  readonly execute: (call: Action) => Promise<ExecutedStep>;
  readonly wait: (ms: number) => Promise<void>;
}

export class EpisodeCondition {
  readonly #ref: RunCondition;
  readonly #condition: Condition;
  readonly #episode: EpisodeKey;
  #calls: readonly (TakenCall & { readonly step: number })[] = [];

  /** @throws MissingCondition */
  constructor(ref: RunCondition, episode: EpisodeKey) {
    this.#ref = ref;
    this.#condition = requireCondition(ref);
    this.#episode = episode;
  }

  /**
   * Takes a call of the agent.
   * @param step number of the episode's step. Earlier calls from this number on were undone.
   * @returns the answer that the agent sees; without `changed` for a call that was not executed
   */
  async take(
    call: Action,
    step: number,
    { execute, wait }: Execution,
  ): Promise<
    | (ExecutedStep & { readonly interference?: Interference })
    | { readonly observation: string; readonly interference: 'refused' }
  > {
    const { names } = this.#ref;
    this.#calls = this.#calls.filter((each) => each.step < step);
    const place = this.#place(this.#calls.length + 1);
    const written = { name: call.name, argumentsJson: dumpJson(call.kwargs) };
    const enter = (answer: string, isExecuted: boolean): void => {
      this.#calls = [...this.#calls, { ...written, answer, isExecuted, step }];
    };
    const wrong = names && findWrongName(call, names);
    const fate = wrong === undefined ? this.#condition.call?.(written, place) : { instead: wrong };
    const waitMs = Math.min(fate?.waitMs ?? 0, MOST_WAIT_MS);
    if (waitMs > 0) await wait(waitMs);
    if (fate?.instead !== undefined) {
      enter(fate.instead, false);
      return { observation: fate.instead, interference: 'refused' };
    }
    const original = names === undefined ? call : restoreCall(call, names);
    const taken = await execute(original);
    const answer = names === undefined ? taken.observation : renameInAnswer(taken.observation, names);
    enter(answer, true);
    if (taken.changed && fate?.lost !== undefined) {
      return { ...taken, observation: fate.lost, interference: 'answer lost' };
    }
    const observation = this.#condition.observation?.(answer, place) ?? answer;
    return { ...taken, observation, interference: waitMs > 0 ? 'delayed' : undefined };
  }

  #place(position: number): CallPlace {
    const { taskId, trial } = this.#episode;
    const { name, seed, rate = this.#condition.rate ?? 1 } = this.#ref;
    return {
      ...{ seed, taskId, trial, position, rate, earlier: this.#calls },
      draw: (words) => drawUnit(`${name}/${seed}/${taskId}/${trial}/${position}/${words}`),
      at: (other) => this.#place(other),
    };
  }
}

/** Returns the facts about a run for a condition's functions. */
export function runPlace({ name, seed }: Pick<RunCondition, 'name' | 'seed'>): RunPlace {
  return { seed, draw: (words) => drawUnit(`${name}/${seed}/${words}`) };
}

/** Returns the call with the benchmark's names. */
export function restoreCall(call: Action, names: Names): Action {
  const originals = invert(names);
  const kwargs = new Map(
    [...call.kwargs].map(([key, value]) => [rename(key, originals), renameKeys(value, originals)]),
  );
  return { ...call, name: rename(call.name, originals), kwargs };
}

/** Finds a name of the benchmark that the condition has replaced. The agent did not read it in this episode. */
function findWrongName({ name, kwargs }: Action, names: Names): string | undefined {
  if (isReplaced(name, names)) return `Error: there is no tool ${name}.`;
  const wrong = keysIn(kwargs).find((key) => isReplaced(key, names));
  return wrong === undefined ? undefined : `Error: ${name} has no parameter ${wrong}.`;
}

/** True for a name that the condition replaces, and that replaces no other name. */
function isReplaced(name: string, names: Names): boolean {
  return rename(name, invert(names)) === name && rename(name, names) !== name;
}

function keysIn(value: PyValue): string[] {
  if (isList(value)) return value.flatMap(keysIn);
  return isDict(value) ? [...value].flatMap(([key, item]) => [key, ...keysIn(item)]) : [];
}
