/** What the customer had to be told and was not, by the benchmark's own check. */

import { RESPOND, findOutputs, type Task } from '../../benchmark/index.ts';
import { PyError, dumpJson } from '../../benchmark/python/index.ts';
import type { AnalyzedEpisode, Fault } from '../types.ts';
import { makeFault } from './fault.ts';

export interface Told {
  /** Outputs that no respond contains, in the task's order. */
  readonly missing: readonly string[];
  /** What is said is no text, so that nothing can be found in it. */
  readonly unreadable?: Fault;
}

export function findMissingOutputs(
  { outputs }: Task,
  { steps, isOrdered = true }: Pick<AnalyzedEpisode, 'steps' | 'isOrdered'>,
): Told {
  const actions = steps.map(({ action }) => action);
  try {
    const found = findOutputs(outputs, actions);
    return { missing: Array.from(found).flatMap(([output, isTold]) => (isTold ? [] : [output])) };
  } catch (error) {
    if (!(error instanceof PyError)) throw error;
    const at = actions.findIndex(({ name, kwargs }) => name === RESPOND && typeof kwargs.get('content') !== 'string');
    const step = isOrdered ? at + 1 : null;
    const what = step === null ? 'What a reply' : `What step ${String(step)}`;
    const sentence = `${what} says is no text, so that it cannot be graded: ${error.message}.`;
    const unreadable = makeFault({ kind: 'unreadable_call', step, tool: RESPOND, sentence });
    return { missing: [], unreadable };
  }
}

/** @param step by which it should have been told */
export function missingOutput(output: string, step: number | null): Fault {
  const expected = dumpJson(output);
  const sentence = `The customer was not told ${expected}.`;
  return makeFault({ kind: 'missing_output', step, expected, sentence });
}
