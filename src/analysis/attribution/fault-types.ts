/** Which of tau-bench's fault types a fault is; the reasons are in docs/attribution.md. */

import type { FaultKind, FaultType } from '../types.ts';

export const FAULT_TYPE_OF: Readonly<Record<FaultKind, FaultType | null>> = {
  missing_write: 'goal_partially_completed',
  extra_write: 'took_unintended_action',
  wrong_tool: 'called_wrong_tool',
  wrong_argument: 'used_wrong_tool_argument',
  wrong_order: 'other',
  missing_output: 'goal_partially_completed',
  said_not_done: 'goal_partially_completed',
  transferred_early: 'goal_partially_completed',
  out_of_steps: 'goal_partially_completed',
  number_spelling: 'used_wrong_tool_argument',
  unreadable_call: 'other',
  infrastructure: null,
  other: 'other',
};
