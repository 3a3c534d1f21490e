/**
 * What happens when a prompt does not fit into the model's context window: the oldest of what it lists is left out,
 * and the model is asked again.
 *
 * First one goes, then two more, then all but the last {@link KEPT}. Whole cycles go, never the query, and what was
 * left out stays out for the rest of the turn, so that later prompts do not run into the same wall.
 */

import { AgentError, type AgentSession, type PromptPart } from '../port.ts';
import { ask, type Answer } from './prompt/ask.ts';
import type { PromptInputs } from './prompt/messages.ts';
import type { Signature } from './prompt/signatures.ts';
import type { Turn, Workshop } from './state.ts';
import { trajectoryParts } from './trajectory.ts';

/** How many of the newest cycles, or records, stay in any case. */
export const KEPT = 3;

/**
 * Asks with the turn's trajectory among the inputs.
 * @throws AgentError `context_overflow` when the query and the last cycles alone do not fit
 */
export function askWithTrajectory(
  { session, options }: Pick<Workshop, 'session' | 'options'>,
  turn: Turn,
  signature: Signature,
  inputs: (trajectory: readonly PromptPart[]) => PromptInputs,
  summary?: string,
): Promise<Answer> {
  return askShortened(
    session,
    { length: turn.cycles.length, from: turn.shownFrom ?? 0, count: 'trajectory_truncations' },
    (from) => {
      const isShortened = from > (turn.shownFrom ?? 0);
      turn.shownFrom = from;
      return ask(
        session,
        options,
        signature,
        inputs(trajectoryParts(turn.cycles, from)),
        isShortened ? `${summary ?? signature.name}, shortened` : summary,
      );
    },
  );
}

export interface Shown {
  /** Items that there are. */
  readonly length: number;
  /** The first that is shown. */
  readonly from: number;
  /** Counts how often items were left out. */
  readonly count: string;
}

/** Calls `askFrom` with the first item to show, and again with later ones for as long as the prompt does not fit. */
export async function askShortened<T>(
  session: AgentSession,
  shown: Shown,
  askFrom: (from: number) => Promise<T>,
): Promise<T> {
  const last = Math.max(shown.from, shown.length - KEPT);
  let from = shown.from;
  for (let more = 1; ; more++) {
    try {
      return await askFrom(from);
    } catch (error) {
      if (!(error instanceof AgentError) || error.kind !== 'context_overflow' || from === last) throw error;
      from = more < 3 ? Math.min(from + more, last) : last;
      session.count(shown.count);
      session.tell({ what: 'note', text: `The prompt was too long: what came before ${from} is no longer shown.` });
    }
  }
}
