/** Faults of the agent's writes, one for each needed edit of its calls. */

import {
  diffValues,
  foldActions,
  jsonPath,
  sameButForSpelling,
  sameState,
  type EnvData,
  type FieldDiff,
} from '../../benchmarks/index.ts';
import { dumpJson, spellingFreeRepr } from '../../benchmarks/python/index.ts';
import type { Fault } from '../types.ts';
import {
  isWrite,
  valueAtPath,
  type Call,
  type ReplayedCalls,
  type Write,
  callJson,
  jsonOrNull,
  makeFault,
  namedCall,
  shortenText,
  showJson,
  type FaultParts,
} from './calls.ts';
import type { DueStep } from './due.ts';
import { applyEdits, findRepair, matchCalls, recordKeys, type Edit, type Matching } from './repair.ts';

/** Matches the first words of a refusal by the benchmark's tools. */
const REFUSAL = /^(?:Error|Unknown action)/;
/** Most paths in an argument to name, before the number of further ones. */
const MAX_NAMED = 2;

interface WriteFaults {
  readonly faults: readonly Fault[];
  /** Missing writes of the ground truth. */
  readonly undone: readonly Write[];
}

/**
 * @param end the step by which everything was due; null if unknown
 * @param lookUpDue finds the step at which a missing write was due; undefined: not before the end
 */
export function findWriteFaults(
  data: EnvData,
  agent: ReplayedCalls,
  truth: ReplayedCalls,
  end: number | null,
  lookUpDue: (write: Write) => DueStep | undefined,
): WriteFaults {
  if (sameState(data, agent.state, truth.state)) return { faults: [], undone: [] };
  const matching = matchCalls(data, agent.calls, truth.calls);
  const edits = findRepair(data, matching, truth.state);
  const isSpelling = sameButForSpelling(data, agent.state, truth.state);
  const describe = describer(data, matching, edits, truth, end, lookUpDue);
  const faults = edits.flatMap(describe).map((parts) => makeFault(isSpelling ? asSpelling(parts) : parts));
  const undone = edits.flatMap((edit) => {
    if (edit.kind === 'insert') return edit.instead === null || !isWrite(edit.instead) ? [edit.truth] : [];
    return edit.kind === 'set' && !isWrite(edit.call) ? [edit.truth] : [];
  });
  return { faults, undone: Array.from(new Set(undone)) };
}

function asSpelling(parts: FaultParts): FaultParts {
  return parts.kind === 'number_spelling'
    ? parts
    : { ...parts, kind: 'number_spelling', sentence: `${parts.sentence} Only the spelling of a number differs.` };
}

function describer(
  data: EnvData,
  matching: Matching,
  edits: readonly Edit[],
  truth: ReplayedCalls,
  end: number | null,
  lookUpDue: (write: Write) => DueStep | undefined,
) {
  const name = (call: Call) => namedCall(call.action, recordKeys(data, call.action));
  const removed = new Set(edits.flatMap((edit) => (edit.kind === 'remove' ? [edit.call] : [])));
  const replaced = new Set(
    edits.flatMap((edit) => (edit.kind === 'insert' && edit.instead !== null ? [edit.instead] : [])),
  );

  /** Returns the step after which the write would be refused by the data, or the end. */
  const lateFrom = (edit: Edit & { kind: 'insert' }): number | null => {
    const rest = edits.filter((other) => other !== edit);
    const late = foldActions(data, [...applyEdits(matching, rest), edit.truth.action]);
    if (sameState(data, late, truth.state)) return end;
    const rank = matching.pairs.findIndex((pair) => pair.truth === edit.truth);
    const next = matching.pairs.slice(rank + 1).find((pair) => pair.kind === 'identical' || pair.kind === 'arguments');
    return next === undefined || next.kind === 'missing' ? end : next.call.step;
  };

  /** Returns the first step at which the write was due, and a reason if that is not the end. */
  const findPlace = (late: number | null, due: DueStep | undefined) => {
    if (due !== undefined && due.step < (late ?? Infinity)) return { step: due.step, reason: `: ${due.reason}` };
    const isEnd = late === null || late === end;
    return { step: late, reason: isEnd ? '' : ` before step ${String(late)}, after which it is too late` };
  };

  return (edit: Edit): FaultParts | [] => {
    switch (edit.kind) {
      case 'remove':
        // The edit that inserts the right call reports a replaced one as the wrong tool.
        if (replaced.has(edit.call)) return [];
        return {
          kind: 'extra_write',
          step: edit.call.step,
          tool: edit.call.action.name,
          given: dumpJson(edit.call.action.kwargs),
          sentence: `Step ${String(edit.call.step)} called ${name(edit.call)}, which the ground truth does not have.`,
        };
      case 'insert': {
        const { truth: wanted, instead } = edit;
        if (instead !== null && (!isWrite(instead) || removed.has(instead))) {
          return {
            kind: 'wrong_tool',
            step: instead.step,
            tool: instead.action.name,
            expected: callJson(wanted.action),
            given: callJson(instead.action),
            sentence: `Step ${String(instead.step)} called ${name(instead)} instead of ${wanted.action.name}${inVain(instead)}.`,
          };
        }
        const { step, reason } = findPlace(lateFrom(edit), lookUpDue(wanted));
        return {
          kind: 'missing_write',
          step,
          tool: wanted.action.name,
          expected: dumpJson(wanted.action.kwargs),
          sentence: `${name(wanted)} was not carried out${reason}.`,
        };
      }
      case 'set':
        return wrongArgument(edit, inVain(edit.call));
      case 'reorder':
        return {
          kind: 'wrong_order',
          step: edit.call.step,
          tool: edit.call.action.name,
          sentence:
            `Step ${String(edit.call.step)} called ${name(edit.call)} before ${name(edit.before)} of step ` +
            `${String(edit.before.step)}; the data come out right only the other way round.`,
        };
    }
  };
}

interface WrongArgument {
  readonly call: Pick<Call, 'action' | 'step'>;
  readonly truth: Pick<Call, 'action'>;
  readonly argument: string;
}

/** @param ending phrase for the end of the sentence */
export function wrongArgument({ call, truth, argument }: WrongArgument, ending: string): FaultParts {
  const given = call.action.kwargs.get(argument);
  const expected = truth.action.kwargs.get(argument);
  const leaves: readonly FieldDiff[] =
    given === undefined || expected === undefined
      ? [{ path: [argument], a: given, b: expected }]
      : diffValues(given, expected, [argument]);
  const path = commonPath(leaves.map((leaf) => leaf.path));
  const parts = {
    step: call.step,
    tool: call.action.name,
    argument: jsonPath(path),
    expected: jsonOrNull(valueAtPath(truth.action.kwargs, path)),
    given: jsonOrNull(valueAtPath(call.action.kwargs, path)),
  };
  const called = `Step ${String(call.step)} called ${call.action.name} with`;
  if (given !== undefined && expected !== undefined && spellingFreeRepr(given) === spellingFreeRepr(expected)) {
    const sentence = `${called} ${parts.argument} spelt ${showJson(parts.given)}, which the benchmark distinguishes from ${showJson(parts.expected)}.`;
    return { kind: 'number_spelling', ...parts, sentence };
  }
  const named = leaves
    .slice(0, MAX_NAMED)
    .map(({ path, a, b }) => `${jsonPath(path)} ${showJson(jsonOrNull(a))} instead of ${showJson(jsonOrNull(b))}`);
  const more = leaves.length - named.length;
  const sentence = `${called} ${named.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}${ending}.`;
  return { kind: 'wrong_argument', ...parts, sentence };
}

/** Returns the longest common beginning of the paths. */
function commonPath(paths: readonly FieldDiff['path'][]): FieldDiff['path'] {
  const [first = [], ...others] = paths;
  const end = first.findIndex((key, at) => others.some((path) => path[at] !== key));
  return end < 0 ? first : first.slice(0, end);
}

/** Explains why a call changed nothing; empty if it changed data. */
function inVain(call: Call): string {
  if (isWrite(call)) return '';
  return REFUSAL.test(call.observation)
    ? `, and was refused: “${shortenText(call.observation)}”`
    : ', which changed nothing';
}
