/** What FastWorkflow keeps of a turn: plain data, read by its own prompts, the next turn's replanning and the summary. */

import type { AgentSession, StrategyOptions } from '../port.ts';
import type { Bridge } from './bridge/bridge.ts';
import type { Catalogue } from './catalogue/types.ts';
import type { CmeMemory, IntentClassifier } from './cme/types.ts';
import type { ExecuteWorkflowQuery } from './execution.ts';
import type { Iterations } from './iterations.ts';
import type { Cycle } from './trajectory.ts';

/** What every module of the strategy works with: one of its own for every episode. */
export interface Workshop {
  readonly session: AgentSession;
  readonly options: StrategyOptions;
  readonly catalogue: Catalogue;
  readonly bridge: Bridge;
  /** What understanding commands has left behind in this episode. */
  readonly memory: CmeMemory;
  /** Ranks commands for words that name none. @default lexical similarity */
  readonly classifier?: IntentClassifier;
}

/** The workshop with what only the loop needs. */
export interface Loop extends Workshop {
  readonly execute: ExecuteWorkflowQuery;
  readonly iterations: Iterations;
}

/** Something that the summary must know of: a command with its result, or a question with its answer. */
export type ActionRecord =
  | { readonly kind: 'command'; readonly command: string; readonly response: string }
  | { readonly kind: 'question'; readonly question: string; readonly answer: string };

export interface Turn {
  /** What the customer wrote. */
  readonly message: string;
  /** The message with what earlier turns left behind. */
  readonly query: string;
  /** The query with the planned steps: what the agent is given. */
  readonly plannedQuery: string;
  /** Grows as the agent works; the last one is without observation while its tool is at work. */
  readonly cycles: Cycle[];
  readonly records: ActionRecord[];
  /** Cycles before this one are no longer shown: the prompt did not fit. @default 0 */
  shownFrom?: number;
}

/** A turn that ended in words to the customer. */
export interface AnsweredTurn {
  readonly turn: Turn;
  readonly answer: string;
}
