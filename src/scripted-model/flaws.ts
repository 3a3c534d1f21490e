/**
 * Realistic mistakes, drawn by seed. `oracle:0.8` fails one episode in five, and an episode that is drawn to fail
 * does fail wherever its task allows it: a mistake that the judge would not notice is not made, another is tried.
 */

import { RESPOND, type Action, type Task } from '../benchmark/index.ts';
import { formatCaseCode } from './case-code.ts';
import { misreadArguments, misreadOutputs, similarTools, terminatingCall } from './mistakes.ts';
import { drawUnit, shuffled } from './random.ts';
import { finalAnswer, solvingMoves, type CallMove, type Move } from './script.ts';
import type { IndexedTask } from './task-index.ts';

export type FlawKind =
  | 'skipped_write'
  | 'wrong_argument'
  | 'wrong_tool'
  | 'gave_up'
  | 'wrong_answer'
  | 'malformed_arguments'
  /** Only where nothing else would show: another customer's request is carried out. */
  | 'unasked_write';

export interface Flaw {
  readonly kind: FlawKind;
  /** Position in the script at which the episode leaves the right path. */
  readonly at: number;
  readonly detail: string;
}

export interface Script {
  readonly moves: readonly Move[];
  readonly flaw: Flaw | null;
}

/** True if a task would be rewarded for these actions. */
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

/** Names of tools that change nothing, in every domain of the benchmark. */
const READS = /^(?:get|find|list|search|calculate|think)/;

/** Number of other tasks that are tried for a request that nobody made. */
const UNASKED_ATTEMPTS = 12;

/**
 * Writes an episode's script.
 * @param rate chance in [0, 1] that the episode succeeds. An episode that fails at one rate fails at every lower one
 * in the same way.
 */
export function writeScript(item: IndexedTask, seed: number, rate: number, judge: Judge): Script {
  const moves = solvingMoves(item.pack, item.task);
  const dice = formatCaseCode({ ...item, seed });
  if (drawUnit(`${dice} errs`) < rate) return { moves, flaw: null };
  for (const kind of [...shuffled(KINDS, `${dice} kind`), 'unasked_write'] as const) {
    for (const candidate of candidates(kind, item, moves, dice)) {
      if (judge(item, effectiveActions(candidate.moves))) continue;
      return { moves: candidate.moves, flaw: { kind, at: candidate.at, detail: candidate.detail } };
    }
  }
  return { moves, flaw: null };
}

/** The actions of a script that reach the environment. A call whose arguments cannot be read does not. */
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
  const writes = shuffled(writePositions(item, moves), `${dice} which`);
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
  return shuffled(others, `${dice} unasked`)
    .slice(0, UNASKED_ATTEMPTS)
    .flatMap(({ actions }) => actions)
    .filter((action) => !isRead(action) && !item.pack.terminateTools.includes(action.name));
}
