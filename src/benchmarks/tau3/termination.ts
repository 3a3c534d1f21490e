/** τ³-bench's names of episodes' ends. */

import type { RecordedEnd } from '../results-format.ts';
import type { Termination } from './turns.ts';

/** Maps an end to τ³-bench's name. τ³-bench names the user as the one who ends an episode by a transfer.. */
export function toTermination(end: RecordedEnd): Termination {
  switch (end) {
    case 'user_stop':
    case 'transferred':
      return 'user_stop';
    case 'agent_stop':
    case 'max_steps':
    case 'agent_error':
      return end;
    case 'infrastructure_error':
    case 'cancelled':
    case 'decision_only':
      return 'infrastructure_error';
  }
}

const ENDS: Readonly<Partial<Record<string, RecordedEnd>>> = {
  user_stop: 'user_stop',
  agent_stop: 'agent_stop',
  max_steps: 'max_steps',
  timeout: 'max_steps',
  too_many_errors: 'agent_error',
  agent_error: 'agent_error',
  context_window_exceeded: 'agent_error',
  infrastructure_error: 'infrastructure_error',
};

/**
 * Finds the end by its `termination_reason`; null for an unknown one, which is scored. As in the reference, only
 * infrastructure errors are left out of the score.
 */
export function findEnd(terminationReason: string): RecordedEnd | null {
  return ENDS[terminationReason] ?? null;
}
