/**
 * Finds the faults of a failed episode without its data, such as that of an environment service: by the parts of its
 * grade, and by comparing its calls with the ground truth's. Calls cannot be replayed, so the effect of changed calls
 * is unknown.
 */

import { RESPOND, findUnmet, type Action, type Grade, type PartKind } from '../../benchmarks/index.ts';
import { dumpJson } from '../../benchmarks/python/index.ts';
import type { AnalyzedEpisode, Fault } from '../types.ts';
import {
  errorFault,
  findMissingOutputs,
  hasFailed,
  infrastructureFault,
  isStopped,
  lastStep,
  missingOutput,
  noteRepetition,
  outOfSteps,
  shortenMessage,
  wasCutOff,
} from './attribute.ts';
import { sortFaults, makeFault, namedCall, shortenText } from './calls.ts';
import { MAX_DIFFERENT, differentArguments, toActionKey } from './repair.ts';
import { wrongArgument } from './write-faults.ts';

/** A call by the agent, or by the user with its own tools. */
interface MadeCall {
  readonly action: Action;
  readonly step: number;
  /** True if the call changed data; undefined if unknown. */
  readonly changed: boolean | undefined;
}

/** Matches names of tools that do not change data, because a service may not report which calls did. */
const READS = /^(?:get|find|list|search|look|check|calculate|read|show|view|think|fetch|count|kb|transfer)(?:_|$)/i;
/** Matches hashes, which sentences leave out. */
const HASH = /^[\da-f]{16,}$/i;

/** Finds faults; none for a solved episode. Pure. */
export function attributeByGrade(episode: AnalyzedEpisode): Fault[] {
  if (!hasFailed(episode)) return [];
  if (wasCutOff(episode)) return [infrastructureFault(episode)];
  const { task, steps, grade = null, isOrdered = true } = episode;
  const outputs = findMissingOutputs(task, episode);
  const ended = errorFault(episode, null) ?? outputs.unreadable;
  if (ended?.kind === 'infrastructure') return [ended];

  const end = isOrdered ? lastStep(steps) : null;
  const missing = hasPart(grade, 'outputs') ? findUnmetNames(grade, 'outputs') : outputs.missing;
  const faults = [
    ...(ended === undefined ? [] : [ended]),
    ...findCallFaults(episode, end),
    ...missing.map((output) => missingOutput(output, end)),
    ...unmetSentences(grade),
  ];
  if (episode.outcome === 'max_steps' && ended === undefined && !isStopped(episode)) {
    faults.push(outOfSteps(episode, false));
  }
  if (faults.length === 0) {
    const sentence = `The grade is ${String(episode.reward)}, and nothing recorded says why.`;
    faults.push(makeFault({ kind: 'other', step: null, sentence }));
  }
  return noteRepetition(sortFaults(faults), steps);
}

function hasPart(grade: Grade | null, kind: PartKind): boolean {
  return grade?.parts.some((part) => part.kind === kind) === true;
}

/** Returns the unmet requirements of a part, if the reward depends on it. */
function findUnmetNames(grade: Grade | null, kind: PartKind): string[] {
  return grade === null ? [] : findUnmet({ ...grade, parts: grade.parts.filter(({ counts }) => counts) }, kind);
}

function unmetSentences(grade: Grade | null): Fault[] {
  return (grade?.parts ?? []).flatMap(({ kind, counts, checks }) =>
    kind !== 'sentences' || !counts
      ? []
      : checks.flatMap(({ wanted, isMet, reason }) => {
          if (isMet !== false) return [];
          const why = reason === undefined || reason === '' ? '' : `: ${shortenMessage(reason)}`;
          const sentence = `The judge does not find “${shortenText(wanted ?? '')}” met${why}.`;
          return [makeFault({ kind: 'other', step: null, expected: dumpJson(wanted ?? ''), sentence })];
        }),
  );
}

/** Compares the calls with the ground truth's, if the final state or the calls are wrong. */
function findCallFaults(episode: AnalyzedEpisode, end: number | null): Fault[] {
  const { grade = null } = episode;
  const wrong = [...findUnmetNames(grade, 'data'), ...findUnmetNames(grade, 'assertions')];
  // A grade without parts does not name the unmet part.
  const mayBeState = grade === null || grade.parts.length === 0 || wrong.length > 0;
  const mayBeCalls = findUnmetNames(grade, 'calls').length > 0;
  if (!mayBeState && !mayBeCalls) return [];
  const made = listCalls(episode);
  const faults = compareCalls(made, episode.task.actions, { end, mayBeState, mayBeCalls });
  if (faults.length > 0 || (wrong.length === 0 && !mayBeCalls)) return faults;

  const named = [...wrong, ...findUnmetNames(grade, 'calls')]
    .filter((text) => text !== '' && !HASH.test(text))
    .map(shortenText);
  const what = named.length === 0 ? '' : `: not met is ${named.join(', ')}`;
  const isUntouched = wrong.length > 0 && made.every(({ changed }) => changed === false);
  const sentence = isUntouched
    ? `No call changed the data, which are not as the task wants them${what}.`
    : `The calls did not lead to what the task wants${what}.`;
  return [makeFault({ kind: isUntouched ? 'missing_write' : 'other', step: isUntouched ? end : null, sentence })];
}

/** Lists calls in order; a user's call has the step of the agent's message before it. */
function listCalls({ steps }: AnalyzedEpisode): MadeCall[] {
  return steps.flatMap(({ action, changed, userCalls = [] }, at): MadeCall[] =>
    [
      { action, changed },
      ...userCalls.map((call) => ({ action: { ...call.action, requestor: 'user' as const }, changed: undefined })),
    ]
      .filter((call) => call.action.name !== RESPOND)
      .map((call) => ({ ...call, step: at + 1 })),
  );
}

interface CallComparison {
  readonly end: number | null;
  /** True if the final state is wrong, or may be wrong. */
  readonly mayBeState: boolean;
  /** True if the grade requires calls themselves, including reads. */
  readonly mayBeCalls: boolean;
}

function compareCalls(
  made: readonly MadeCall[],
  truth: readonly Action[],
  { end, mayBeState, mayBeCalls }: CallComparison,
): Fault[] {
  if (truth.length === 0) return [];
  const left = [...made];
  const take = (call: MadeCall | undefined) => {
    if (call !== undefined) left.splice(left.indexOf(call), 1);
    return call !== undefined;
  };
  const missing = truth
    .filter((action) => action.name !== RESPOND)
    .filter((action) => !take(left.find((call) => isSameTool(call.action, action) && isSameCall(call.action, action))))
    .filter(({ name }) => mayBeCalls || !READS.test(name));
  const faults = missing.flatMap((action): Fault[] => {
    const [closest] = left
      .filter((call) => isSameTool(call.action, action))
      .map((call) => ({ call, different: differentArguments(call.action.kwargs, action.kwargs) }))
      .filter(({ different }) => different.length <= MAX_DIFFERENT)
      .sort(
        (a, b) =>
          Number(b.call.changed === true) - Number(a.call.changed === true) || a.different.length - b.different.length,
      );
    if (closest !== undefined) {
      const { call, different } = closest;
      take(call);
      return different.map((argument) => makeFault(wrongArgument({ call, truth: { action }, argument }, '')));
    }
    const sentence = `${namedCall(action, new Map())} was not carried out.`;
    const expected = dumpJson(action.kwargs);
    return [makeFault({ kind: 'missing_write', step: end, tool: action.name, expected, sentence })];
  });
  const extra = left.filter(({ action, changed }) => mayBeState && changed === true && !READS.test(action.name));
  return [...faults, ...extra.map(extraCall)];
}

function extraCall({ action, step }: MadeCall): Fault {
  const sentence = `Step ${String(step)} called ${namedCall(action, new Map())}, which the ground truth does not have.`;
  return makeFault({ kind: 'extra_write', step, tool: action.name, given: dumpJson(action.kwargs), sentence });
}

function isSameTool(one: Action, other: Action): boolean {
  return one.name === other.name && (one.requestor ?? 'assistant') === (other.requestor ?? 'assistant');
}

function isSameCall(one: Action, other: Action): boolean {
  return toActionKey(one) === toActionKey(other);
}
