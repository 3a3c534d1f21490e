/**
 * The trajectory of a turn in prompts: a block of marked fields for each cycle. A cycle's texts never change once written,
 * and each is a prompt part of its own, so every later prompt of the turn shares them.
 *
 * If a prompt does not fit into the model's context window, the oldest cycles (or records) are left out and the model is
 * asked again: first without one, then without two more, then with only the last {@link KEPT}. The query always stays, and
 * cycles that were left out stay out for the rest of the turn.
 */

import { AgentError, type AgentSession, type PromptPart } from '../../port.ts';
import { ask, type Answer } from './ask.ts';
import { marker, type PromptInputs } from './messages.ts';
import type { Signature } from './signatures.ts';
import { readableJson } from './readable-json.ts';
import type { AgentContext, Cycle, Turn } from '../context.ts';

/** The newest cycles, or records, that stay in any case. */
export const KEPT = 3;

/**
 * Asks with the turn's trajectory among the inputs.
 * @throws AgentError `context_overflow` when the query and the last cycles alone do not fit
 */
export function askWithTrajectory(
  { session, options }: Pick<AgentContext, 'session' | 'options'>,
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

interface Shown {
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

/**
 * The cycles' fields, numbered from 0.
 * @param from leaves out the cycles before this one; the others keep their numbers
 */
export function trajectoryParts(cycles: readonly Cycle[], from = 0): PromptPart[] {
  return cycles.flatMap((cycle, i) => {
    if (i < from) return [];
    const parts: PromptPart[] = [];
    const fields: string[] = [];
    if (cycle.thought !== undefined) fields.push(`${marker(`thought_${i}`)}\n${cycle.thought}`);
    if (cycle.tool !== undefined) {
      fields.push(`${marker(`tool_name_${i}`)}\n${cycle.tool.name}`);
      fields.push(`${marker(`tool_args_${i}`)}\n${readableJson(cycle.tool.args)}`);
    }
    if (fields.length > 0) parts.push(`${fields.join('\n\n')}\n\n`);
    if (cycle.observation === undefined) return parts;
    const heading = `${marker(`observation_${i}`)}\n`;
    return typeof cycle.observation === 'string'
      ? [...parts, `${heading}${cycle.observation}\n\n`]
      : [...parts, heading, cycle.observation, '\n\n'];
  });
}
