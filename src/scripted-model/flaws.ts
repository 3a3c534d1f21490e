/**
 * Realistic mistakes, drawn by seed. `oracle:0.8` fails one episode in five. A mistake without an effect on the grade
 * is replaced by another one, so a drawn episode fails if its task allows it.
 */

import { RESPOND, domains, findOutputs, grade, type Action, type Task } from '../benchmarks/index.ts';
import { formatCaseCode, drawFraction, shuffleByText } from './case-code.ts';
import { finalAnswer, solvingMoves, PHRASES, schemaField, toolShapes, type CallMove, type Move } from './script.ts';
import type { IndexedTask } from './task-index.ts';
import { PyFloat, isList, dumpJson, type PyValue } from '../benchmarks/python/index.ts';
import type { Pack } from '../benchmarks/packs/index.ts';

export type FlawKind =
  | 'skipped_write'
  | 'wrong_argument'
  | 'wrong_tool'
  | 'gave_up'
  | 'wrong_answer'
  | 'malformed_arguments'
  /** The agent makes another user's writes; used only if no other mistake would affect the grade. */
  | 'unasked_write';

export interface Flaw {
  readonly kind: FlawKind;
  /** Position in the script at which the mistake is made. */
  readonly at: number;
  readonly detail: string;
}

export interface Script {
  readonly moves: readonly Move[];
  readonly flaw: Flaw | null;
}

/** True if a task would be rewarded for the actions. */
export type Judge = (item: IndexedTask, actions: readonly Action[]) => boolean;

interface Candidate {
  readonly moves: readonly Move[];
  readonly at: number;
  readonly detail: string;
}

const KINDS = [
  'skipped_write',
  'wrong_argument',
  'wrong_tool',
  'gave_up',
  'wrong_answer',
  'malformed_arguments',
] as const satisfies readonly FlawKind[];

/** Matches names of read-only tools, in every domain of the benchmark. */
const READS = /^(?:get|find|list|search|calculate|think)/;

/** Most other tasks to try for an unasked write. */
const UNASKED_ATTEMPTS = 12;

/**
 * Writes an episode's script.
 * @param rate chance in [0, 1] that the episode succeeds; an episode that fails at one rate fails in the same way at
 *   lower ones
 */
export function writeScript(item: IndexedTask, seed: number, rate: number, judge: Judge): Script {
  const moves = solvingMoves(item.pack, item.task);
  const dice = formatCaseCode({ ...item, seed });
  if (drawFraction(`${dice} errs`) < rate) return { moves, flaw: null };
  for (const kind of [...shuffleByText(KINDS, `${dice} kind`), 'unasked_write'] as const) {
    for (const candidate of candidates(kind, item, moves, dice)) {
      if (judge(item, effectiveActions(candidate.moves))) continue;
      return { moves: candidate.moves, flaw: { kind, at: candidate.at, detail: candidate.detail } };
    }
  }
  return { moves, flaw: null };
}

/** Returns the actions of a script that reach the environment, without calls with unreadable arguments. */
export function effectiveActions(moves: readonly Move[]): Action[] {
  return moves.flatMap((move): Action[] => {
    if (move.kind === 'say') return [{ name: RESPOND, kwargs: new Map([['content', move.text]]) }];
    return move.garbled === true ? [] : [move.action];
  });
}

export function isRead(action: Action): boolean {
  return READS.test(action.name);
}

function* candidates(
  kind: FlawKind,
  item: IndexedTask,
  moves: readonly Move[],
  dice: string,
): Generator<Candidate, void> {
  const writes = shuffleByText(writePositions(item, moves), `${dice} which`);
  switch (kind) {
    case 'skipped_write':
      for (const { at, move } of writes) {
        yield { moves: moves.toSpliced(at, 1), at, detail: `left out ${move.action.name}` };
      }
      return;
    case 'malformed_arguments':
      for (const { at, move } of writes) {
        const garbled: Move = { ...move, garbled: true };
        yield { moves: moves.with(at, garbled), at, detail: `garbled the arguments of ${move.action.name}` };
      }
      return;
    case 'wrong_argument':
      for (const { at, move } of writes) {
        for (const { action, detail } of misreadArguments(item.pack, move.action, dice)) {
          yield { moves: moves.with(at, { kind: 'call', action }), at, detail };
        }
      }
      return;
    case 'wrong_tool':
      for (const { at, move } of writes) {
        for (const action of similarTools(item.pack, move.action, dice)) {
          const detail = `called ${action.name} instead of ${move.action.name}`;
          yield { moves: moves.with(at, { kind: 'call', action }), at, detail };
        }
      }
      return;
    case 'gave_up': {
      const action = terminatingCall(item.pack);
      if (action === undefined) return;
      const at = Math.min(...writes.map((write) => write.at), moves.length - 1);
      yield { moves: [...moves.slice(0, at), { kind: 'call', action }], at, detail: 'gave up' };
      return;
    }
    case 'wrong_answer': {
      const at = moves.findLastIndex((move) => move.kind === 'say');
      if (at < 0) return;
      for (const { outputs, detail } of misreadOutputs(item.task.outputs, dice)) {
        yield { moves: moves.with(at, finalAnswer(outputs)), at, detail };
      }
      return;
    }
    case 'unasked_write': {
      const at = moves.length - 1;
      for (const action of unaskedWrites(item, dice)) {
        yield { moves: moves.toSpliced(at, 0, { kind: 'call', action }), at, detail: `called ${action.name} unasked` };
      }
      return;
    }
    default:
      kind satisfies never;
  }
}

function writePositions({ pack }: IndexedTask, moves: readonly Move[]): { at: number; move: CallMove }[] {
  return moves.flatMap((move, at) =>
    move.kind === 'call' && !isRead(move.action) && !pack.terminateTools.includes(move.action.name)
      ? [{ at, move }]
      : [],
  );
}

function unaskedWrites(item: IndexedTask, dice: string): Action[] {
  const others: readonly Task[] = item.pack.splits[item.split] ?? [];
  return shuffleByText(others, `${dice} unasked`)
    .slice(0, UNASKED_ATTEMPTS)
    .flatMap(({ actions }) => actions)
    .filter((action) => !isRead(action) && !item.pack.terminateTools.includes(action.name));
}

/** Returns variants of an action with one wrong argument, in seeded order. */
function misreadArguments(pack: Pack, action: Action, dice: string): { action: Action; detail: string }[] {
  const shape = toolShapes(pack).find(({ name }) => name === action.name);
  return shuffleByText([...action.kwargs], `${dice} argument`).flatMap(([key, value]) => {
    const wrong = otherChoice(shape?.properties.get(key), value) ?? misreadValue(value);
    if (wrong === undefined) return [];
    const kwargs = new Map(action.kwargs).set(key, wrong);
    return [{ action: { name: action.name, kwargs }, detail: `misread ${key} of ${action.name}` }];
  });
}

/** Returns calls of other tools with some of the same arguments, the most similar first. */
function similarTools(pack: Pack, action: Action, dice: string): Action[] {
  const given = action.kwargs;
  return shuffleByText(toolShapes(pack), `${dice} tool`)
    .filter(
      ({ name, required }) =>
        name !== action.name &&
        !pack.terminateTools.includes(name) &&
        required.length > 0 &&
        required.every((key) => given.has(key)),
    )
    .sort((a, b) => b.required.length - a.required.length)
    .map(({ name, required }) => ({ name, kwargs: new Map([...given].filter(([key]) => required.includes(key))) }));
}

/** Returns the call that transfers the user and ends the episode; undefined for a pack without such a tool. */
function terminatingCall(pack: Pack): Action | undefined {
  const shape = toolShapes(pack).find(({ name }) => pack.terminateTools.includes(name));
  if (shape === undefined) return undefined;
  return { name: shape.name, kwargs: new Map(shape.required.map((key) => [key, PHRASES.handOver])) };
}

/** Returns variants of the outputs with one of them wrong or left out, in seeded order. */
function misreadOutputs(outputs: readonly string[], dice: string): { outputs: readonly string[]; detail: string }[] {
  return shuffleByText([...outputs.keys()], `${dice} output`).flatMap((at) => {
    const right = outputs[at] ?? '';
    const omitted = { outputs: outputs.toSpliced(at, 1), detail: `did not tell ${right}` };
    if (!/\d/.test(right)) return [omitted];
    const wrong = misreadText(right);
    return [{ outputs: outputs.with(at, wrong), detail: `told ${wrong} instead of ${right}` }, omitted];
  });
}

/** Returns another of a parameter's allowed values, if its schema lists them. */
function otherChoice(schema: PyValue | undefined, value: PyValue): PyValue | undefined {
  const choices = schemaField(schema, 'enum');
  return isList(choices) ? choices.find((choice) => choice !== value) : undefined;
}

function misreadValue(value: PyValue): PyValue | undefined {
  if (value === null) return undefined;
  if (typeof value === 'string') return misreadText(value);
  if (typeof value === 'bigint') return value + 1n;
  if (typeof value === 'boolean') return !value;
  if (value instanceof PyFloat) return new PyFloat(value.value + 1);
  if (isList(value)) {
    if (value.length > 1) return value.slice(0, -1);
    const [only] = value;
    const wrong = only === undefined ? undefined : misreadValue(only);
    return wrong === undefined ? undefined : [wrong];
  }
  for (const [key, inner] of value) {
    const wrong = misreadValue(inner);
    if (wrong !== undefined) return new Map(value).set(key, wrong);
  }
  return undefined;
}

/** Increments the last digit, swaps the last two letters, or fills an empty text. */
function misreadText(text: string): string {
  const digit = /\d(?=\D*$)/.exec(text);
  if (digit !== null) {
    const next = String((Number(digit[0]) + 1) % 10);
    return text.slice(0, digit.index) + next + text.slice(digit.index + 1);
  }
  if (text.length < 2) return `${text}1`;
  const swapped = text.slice(0, -2) + text.charAt(text.length - 1) + text.charAt(text.length - 2);
  return swapped === text ? text.slice(0, -1) : swapped;
}

/** Grades like the benchmark, or by comparison for a domain that the program does not implement. */
export const judgeTask: Judge = (item, actions) =>
  domains.has(item.pack.domain) ? isRewarded(item, actions) : isRightOnPaper(item, actions);

function isRewarded({ pack, task }: IndexedTask, actions: readonly Action[]): boolean {
  // Hashes are left out, because only the comparison counts.
  const graded = grade(pack, task, actions, { hash: () => '' });
  return graded.kind === 'graded' && graded.grade.reward === 1;
}

/** True if the writes are the same in the same order, and the agent says every output. */
function isRightOnPaper({ pack, task }: IndexedTask, actions: readonly Action[]): boolean {
  const writes = (list: readonly Action[]) =>
    list
      .filter((action) => action.name !== RESPOND && !isRead(action) && !pack.terminateTools.includes(action.name))
      .map(({ name, kwargs }) => dumpJson([name, ...[...kwargs].sort(([a], [b]) => (a < b ? -1 : 1))]));
  const given = [...findOutputs(task.outputs, actions).values()];
  return given.every(Boolean) && JSON.stringify(writes(actions)) === JSON.stringify(writes(task.actions));
}
