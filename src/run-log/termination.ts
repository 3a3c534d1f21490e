/** Ends of episodes in τ³-bench's words. */

import type { Termination } from '../benchmarks/tau3/index.ts';
import type { Outcome } from '../evaluation/index.ts';

/** tau-bench ends an episode with a transfer, where τ³-bench's user ends it. */
export function terminationOf({ kind }: Pick<Outcome, 'kind'>): Termination {
  switch (kind) {
    case 'user_stop':
    case 'transferred':
      return 'user_stop';
    case 'agent_stop':
    case 'max_steps':
    case 'agent_error':
      return kind;
    case 'infrastructure_error':
    case 'cancelled':
    case 'decision_only':
      return 'infrastructure_error';
  }
}
