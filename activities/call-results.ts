/**
 * Passes results of an agent service's calls from the activities of this process to its gateway. The history already
 * has them as activity results, so the episode's answer to a call only names them. A result that another or an ended
 * process has is requested from the episode.
 */

import type { Info } from '@temporalio/activity';
import type { CallResult } from '../src/agent-service/pure.ts';

type Execution = Pick<Info, 'workflowExecution'>;

interface ResultsOfRequest {
  /** Removes and returns a result that was stored since the request began. */
  take(name: string): CallResult | undefined;
  close(): void;
}

export class CallResults {
  /** Results by name, for each episode whose agent has a request in progress in this process. */
  readonly #open = new Map<string, Map<string, CallResult>>();

  /** Collects the results of an episode's calls until the request to its agent has ended. */
  open(info: Execution): ResultsOfRequest {
    const [episode, results] = [toExecutionKey(info), new Map<string, CallResult>()];
    this.#open.set(episode, results);
    return {
      take: (name) => {
        const result = results.get(name);
        results.delete(name);
        return result;
      },
      close: () => {
        results.clear();
        if (this.#open.get(episode) === results) this.#open.delete(episode);
      },
    };
  }

  /** Stores a result if this process has a request to the episode's agent in progress. */
  leave(info: Execution, name: () => string, result: CallResult): void {
    this.#open.get(toExecutionKey(info))?.set(name(), result);
  }
}

/** Returns a name that is unique among all episodes: `workflowId/runId`. */
export function toExecutionKey({ workflowExecution }: Execution): string {
  return `${workflowExecution?.workflowId ?? ''}/${workflowExecution?.runId ?? ''}`;
}
