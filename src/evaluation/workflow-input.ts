/** Input that every workflow of a run has. */

import type { EvaluationConfig } from './config.schema.ts';

/** Place of an episode's record: its run, and the run's log folder. */
export interface RunRef {
  readonly runId: string;
  /** Absolute path of the folder that contains the run log. */
  readonly logDir: string;
  /** Content of a file in the run's folder, by which a worker recognizes the folder. @default no check */
  readonly token?: string;
}

export interface WorkflowInput {
  readonly run: RunRef;
  readonly config: EvaluationConfig;
  readonly queues: TaskQueues;
  /** True if the namespace has the search attributes (a server may refuse to register them). */
  readonly indexed: boolean;
  /** See `WORKFLOW_VERSION`. */
  readonly version?: number;
}

/**
 * Task queues of a run: one for workflows and quick activities, and one for the model calls of each provider and
 * endpoint.
 */
export interface TaskQueues {
  readonly main: string;
  readonly llm: string;
  /** Label of the endpoint of a provider's calls, by provider; absent: any worker may make them. */
  readonly endpoints?: Readonly<Record<string, string>>;
}
