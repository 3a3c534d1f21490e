/**
 * The state that the agent's parts share: one context per episode, and plain data about each turn, from which prompts,
 * the next plan and the summary are made.
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
  /** Ranks commands for words that name none. @default the trained classifier */
  readonly classifier?: IntentClassifier;
}

/** A tool call, or only a thought or an observation if the model chose no legal tool. */
export interface Cycle {
  readonly thought?: string;
  readonly tool?: { readonly name: string; readonly args: PyDict };
  /** Absent while the tool is running. */
  readonly observation?: PromptPart;
  /** Text that later prompts of the turn show instead of the observation, except the one for the answer. */
  readonly label?: string;
  /** The tool's outcome in a few words, for people; prompts do not show it. */
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
  /** The query with the planned steps, as the agent gets it. */
  readonly plannedQuery: string;
  /** Grows while the agent works; the last cycle has no observation while its tool is running. */
  readonly cycles: Cycle[];
  readonly records: ActionRecord[];
  readonly repeats: Repeats;
  /** First cycle that prompts still show, because the whole trajectory did not fit. @default 0 */
  shownFrom?: number;
}

/** A turn that ended in words to the user. */
export interface AnsweredTurn {
  readonly turn: Turn;
  readonly answer: string;
}
