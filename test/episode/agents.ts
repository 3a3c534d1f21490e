/** Agents that are services, played without one: what they call while they work arrives as it does from a gateway. */

import type { AgentAnswer } from '../../src/agents/index.ts';
import type { AgentTurnOutput, CallResult, RefusedCall } from '../../src/agent-service/pure.ts';
import type { AgentCalls } from '../../src/episode/index.ts';
import { FailureType } from '../../src/evaluation/index.ts';
import { PlayedFailure, type AgentTurn, type Cast } from './stage.ts';

type CallOutcome = CallResult | RefusedCall;

/** A request as an agent has it. */
export interface PlayedTurn extends AgentTurn {
  readonly attempt: number;
  readonly tool: (name: string, args: object) => Promise<CallOutcome>;
  readonly complete: (text: string, role?: string) => Promise<CallOutcome>;
  /** Ends the attempt, as a process that dies does: it is made again. */
  readonly die: () => never;
  /** Reports that the agent does not know the episode. */
  readonly forget: () => never;
}

class Died extends Error {}

/** Attempts at a request that an agent may lose. */
const MOST_ATTEMPTS = 5;

export const say = (content: string): AgentAnswer => ({ kind: 'message', content });

/**
 * Plays an agent: its requests, in their order, and the port that answers them.
 * @param answer gives an answer, or what the agent's client has read in it
 */
export function playAgent(
  answer: (
    turn: PlayedTurn,
  ) => AgentAnswer | Partial<AgentTurnOutput> | Promise<AgentAnswer | Partial<AgentTurnOutput>>,
): Required<Pick<Cast, 'agent'>> & { readonly requests: PlayedTurn[] } {
  const requests: PlayedTurn[] = [];
  const attempt = async (turn: AgentTurn, number: number): Promise<AgentTurnOutput> => {
    const place = { request: turn.request, attempt: number };
    const { calls } = turn;
    const found = (result: Awaited<ReturnType<AgentCalls['takeToolCall']>>): CallOutcome => {
      if ('refused' in result) return result;
      const kept = calls.findResult(result.recorded);
      if (kept === null) throw new Error(`there is no result ${result.recorded}`);
      return kept;
    };
    const played: PlayedTurn = {
      ...turn,
      attempt: number,
      tool: async (name, args) =>
        found(await calls.takeToolCall({ ...place, name, argumentsJson: JSON.stringify(args) })),
      complete: async (text, role) =>
        found(
          await calls.takeModelCall({
            ...{ ...place, wire: 'chat', digest: text, model: 'mine', role },
            transcript: { thread: text, keep: 0, digest: '', items: [{ role: 'user', content: text }] },
          }),
        ),
      die: () => {
        throw new Died();
      },
      forget: () => {
        throw new PlayedFailure(FailureType.AgentForgot);
      },
    };
    requests.push(played);
    try {
      const given = await answer(played);
      const output = 'kind' in given ? { answer: given } : given;
      return { answer: { kind: 'end' }, attempt: number, latencyMs: 1, ...output };
    } catch (error) {
      if (!(error instanceof Died) || number === MOST_ATTEMPTS) throw error;
      return await attempt(turn, number + 1);
    }
  };
  return { requests, agent: (turn) => attempt(turn, turn.earlierAttempts + 1) };
}
