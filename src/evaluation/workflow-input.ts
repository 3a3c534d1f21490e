/** Input that every workflow of a run has. */

import type { EvaluationConfig, RunRef } from './config.ts';

export interface WorkflowInput {
  readonly run: RunRef;
  readonly config: EvaluationConfig;
  readonly queues: TaskQueues;
  /** True if the namespace has the search attributes (a server may refuse to register them). */
  readonly indexed: boolean;
  /** See `WORKFLOW_VERSION`. */
  readonly version?: number;
}

/** Workflows and quick activities share one queue; model calls have one for each provider and endpoint. */
export interface TaskQueues {
  readonly main: string;
  readonly llm: string;
  /** Label of the endpoint that a provider's calls are for, by provider; one that is absent: any worker's. */
  readonly endpoints?: Readonly<Record<string, string>>;
}
