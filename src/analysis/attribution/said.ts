/**
 * What the agent says it has done though nothing was done. Words can mean many things, so only a plain claim counts: a
 * clause that says a missing change as made, where nothing that the agent did can be what it means. That is a call of
 * the same verb, or, where the clause says what was changed (`two bags have been added`), one that had to do with it;
 * on the record that the clause names, or, where it names none, on any. Where it is not known when calls were made, each
 * may have been made before the claim.
 */

import { RESPOND, type Action, type EnvData } from '../../benchmark/index.ts';
import { dumpJson } from '../../benchmark/python/index.ts';
import type { AnalyzedEpisode, AnalyzedStep, Fault } from '../types.ts';
import { isWrite, type Call, type Write } from './calls.ts';
import { claimingClauses, claimPattern, partClaims, verbOf, verbsOf } from './claims.ts';
import { makeFault } from './fault.ts';
import { isRecordKey, recordKeys } from './match.ts';
import { short } from './show.ts';

/** @param undone writes of the ground truth that were never carried out */
export function findFalseClaims(
  data: EnvData,
  { steps, isOrdered = true }: Pick<AnalyzedEpisode, 'steps' | 'isOrdered'>,
  calls: readonly Call[],
  undone: readonly Write[],
): Fault[] {
  const claims = undone.flatMap(({ action }) => {
    const claim = firstClaim(data, steps, calls.filter(isWrite), action);
    return claim === undefined ? [] : [{ ...claim, tool: action.name }];
  });
  // One sentence may claim several changes.
  const first = claims.filter(({ step }, at) => claims.findIndex((other) => other.step === step) === at);
  return first.map(({ step, clause, tool }) =>
    makeFault({
      kind: 'said_not_done',
      step: isOrdered ? step : null,
      tool,
      given: dumpJson(clause),
      sentence: `${isOrdered ? `Step ${String(step)}` : 'The agent'} says “${short(clause)}”, but ${tool} was not carried out.`,
    }),
  );
}

function firstClaim(data: EnvData, steps: readonly AnalyzedStep[], writes: readonly Write[], wanted: Action) {
  const keys = Array.from(recordKeys(data, wanted).values());
  const mayMean = meaningOf(wanted.name);
  for (const [at, { action }] of steps.entries()) {
    const content = action.name === RESPOND ? action.kwargs.get('content') : undefined;
    if (typeof content !== 'string') continue;
    const done = writes.filter(({ step }) => step <= at + 1);
    const clause = claimingClauses(content).find((clause) => {
      const means = mayMean(clause);
      if (means === undefined) return false;
      const named = recordsIn(data, clause);
      if (named.length === 0) return !done.some(means);
      return named.some((record) => keys.includes(record)) && !done.some((write) => means(write) && has(write, keys));
    });
    if (clause !== undefined) return { step: at + 1, clause };
  }
  return undefined;
}

/** For a clause that claims what the tool does, which of the agent's writes it may mean. */
function meaningOf(tool: string): (clause: string) => ((write: Write) => boolean) | undefined {
  const claims = claimPattern(tool);
  const claimedPart = partClaims(tool);
  const verbs = verbsOf(tool);
  return (clause) => {
    const part = claimedPart(clause);
    if (part !== undefined) {
      return ({ action: { name, kwargs } }) => name === tool || [...kwargs.keys()].some((key) => key.includes(part));
    }
    return claims.test(clause) ? ({ action }) => verbs.includes(verbOf(action.name)) : undefined;
  };
}

function has({ action }: Write, keys: readonly string[]): boolean {
  return Array.from(action.kwargs.values()).some((value) => typeof value === 'string' && keys.includes(value));
}

function recordsIn(data: EnvData, text: string): string[] {
  return (text.match(/#?\w+/g) ?? []).filter((word) => isRecordKey(data, word));
}
