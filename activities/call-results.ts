/**
 * Passes results of an agent service's calls from the activities of this process to its gateway. The history already
 * has them as activity results, so the episode's answer to a call only names them. A result that another or an ended
 * process has is requested from the episode.
 */

import type { Info } from '@temporalio/activity';
import type { CallResult } from '../src/agent-service/pure.ts';

type Execution = Pick<Info, 'workflowExecution'>;

interface ResultsOfRequest {
  /** Takes a result that was left here since the request began, and removes it. */
  take(name: string): CallResult | undefined;
  close(): void;
}

export class CallResults {
  /** Results by name, of the episodes whose agents this process asks. */
  readonly #open = new Map<string, Map<string, CallResult>>();

  /** Keeps the results of an episode's calls until the request to its agent has ended. */
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

  /** Leaves a result, where this process asks the episode's agent. */
  leave(info: Execution, name: () => string, result: CallResult): void {
    this.#open.get(toExecutionKey(info))?.set(name(), result);
  }
}

/** The episode among all: `workflowId/runId`. */
export function toExecutionKey({ workflowExecution }: Execution): string {
  return `${workflowExecution?.workflowId ?? ''}/${workflowExecution?.runId ?? ''}`;
}
