/**
 * FastWorkflow's own commands about contexts. A domain with one context has no use for them; they are offered only to
 * measure how much they distract. The names and the answers' form are FastWorkflow's.
 */

import type { CoreCommand } from './types.ts';

export const CORE_COMMANDS: readonly CoreCommand[] = [
  {
    name: 'go_up',
    description: 'Leave the current context for the one above it, whose commands may be others.',
    answer: "There is no context above 'global'.",
  },
  {
    name: 'reset_context',
    description: 'Return to the global context, whose commands may be others.',
    answer: "The context is now 'global'.",
  },
  {
    name: 'what_is_current_context',
    description: 'Tell the current context and what belongs to it.',
    answer: "The current context is 'global'.",
  },
];
