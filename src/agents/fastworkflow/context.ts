/**
 * The state that the agent's parts share: one context per episode, and plain data about each turn for prompts, the next
 * plan and the summary.
 */

import type { PyDict } from '../../benchmarks/python/index.ts';
import type { AgentSession, PromptPart } from '../port.ts';
import type { Bridge } from './bridge.ts';
import type { Catalogue } from './catalogue/definitions.ts';
import type { CmeMemory, IntentClassifier } from './understanding/types.ts';
import type { Repeats } from './loop/repeats.ts';
import type { FastWorkflowOptions } from './options.ts';

/** Shared by all parts of the strategy; each episode has its own. */
export interface AgentContext {
  readonly session: AgentSession;
  readonly options: FastWorkflowOptions;
  readonly catalogue: Catalogue;
  readonly bridge: Bridge;
  /** The stage of command understanding, and earlier clarifications of this episode. */
  readonly memory: CmeMemory;
  /** Ranks commands for a text that names none. @default the trained classifier */
  readonly classifier?: IntentClassifier;
}

/** A cycle of the loop: a tool call, or only a thought or an observation if the model chose no legal tool. */
export interface Cycle {
  readonly thought?: string;
  readonly tool?: { readonly name: string; readonly args: PyDict };
  /** Observation of the tool; absent while it is running. */
  readonly observation?: PromptPart;
  /** Text that replaces the observation in later prompts of the turn, except the one for the answer. */
  readonly label?: string;
  /** The tool's outcome in a few words, for the live transcript; prompts do not show it. */
  readonly outcome?: string;
}

/** An event for the turn's summary: a command with its result, or a question with its answer. */
export type ActionRecord =
  | { readonly kind: 'command'; readonly command: string; readonly response: string }
  | { readonly kind: 'question'; readonly question: string; readonly answer: string };

export interface Turn {
  /** The user's message. */
  readonly message: string;
  /** The message with a summary of earlier turns. */
  readonly query: string;
  /** The query with the planned steps, as the agent's prompts show it. */
  readonly plannedQuery: string;
  /** Cycles of the turn so far. The last one has no observation while its tool is running. */
  readonly cycles: Cycle[];
  readonly records: ActionRecord[];
  readonly repeats: Repeats;
  /** First cycle in prompts; later than 0 if the whole trajectory did not fit. @default 0 */
  shownFrom?: number;
}

/** A turn that ended in a message to the user. */
export interface AnsweredTurn {
  readonly turn: Turn;
  readonly answer: string;
}
