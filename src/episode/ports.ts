/** Ports of an episode: workflow code has Temporal behind them, a test plain objects. */

import type { Completion, CompletionRequest } from '../agents/index.ts';

export interface Display {
  /** Time in milliseconds. */
  readonly now: () => number;
  /** Shows Markdown to people who watch the open episode. */
  readonly show: (markdown: string) => void;
}

export interface Waiting extends Display {
  /** Waits for what nobody works on: the episode's deadline does not run meanwhile. */
  readonly until: (isMet: () => boolean) => Promise<void>;
}

export type ModelCall = (request: CompletionRequest) => Promise<Completion>;
