/** The moves of an episode's agent; with no flaw, the task's ground truth. */

import { RESPOND, type Action, type Task } from '../benchmark/index.ts';
import type { Pack } from '../packs/index.ts';
import { PHRASES, tellOutputs } from './phrases.ts';

export type Move =
  | {
      readonly kind: 'call';
      readonly action: Action;
      /** The arguments are written so that they cannot be read. @default false */
      readonly garbled?: boolean;
    }
  | { readonly kind: 'say'; readonly text: string };

export type CallMove = Extract<Move, { kind: 'call' }>;

/**
 * The moves that solve a task: its actions, then one answer that tells its outputs.
 *
 * A tool that ends the episode comes last, wherever the ground truth has it, and what must be told is told before.
 */
export function solvingMoves(pack: Pack, task: Task): Move[] {
  const calls: CallMove[] = [];
  let ending: CallMove | undefined;
  for (const action of task.actions) {
    if (action.name === RESPOND) continue;
    if (pack.terminateTools.includes(action.name)) ending ??= { kind: 'call', action };
    else calls.push({ kind: 'call', action });
  }
  if (ending === undefined) return [...calls, finalAnswer(task.outputs)];
  if (task.outputs.length === 0) return [...calls, ending];
  return [...calls, { kind: 'say', text: `${tellOutputs(task.outputs)} ${PHRASES.beforeTransfer}` }, ending];
}

/** The agent's last words; the scripted customer stops when it hears them. */
export function finalAnswer(outputs: readonly string[]): Move {
  return { kind: 'say', text: `${tellOutputs(outputs)} ${PHRASES.requestComplete}` };
}

/** Returns the agent's move at a position of its script; past the end it says goodbye. */
export function moveAt(moves: readonly Move[], position: number): Move {
  return moves[position] ?? { kind: 'say', text: PHRASES.goodbye };
}
