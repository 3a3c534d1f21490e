/**
 * Calls of FastWorkflow that can have a model and a temperature of their own. By default every one of them is made by
 * the agent's model, as FastWorkflow's own example settings give all roles one model.
 *
 * Writing the answer at the end of a turn (`agent/extract`) is always the agent's.
 */

import type { ModelRole } from '../port.ts';

export const FASTWORKFLOW_ROLES: readonly ModelRole[] = [
  {
    name: 'planner',
    description: 'plans a turn, plans anew, and sums finished turns up',
    calls: ['agent/planner', 'agent/summary'],
  },
  {
    name: 'param-extraction',
    description: 'reads the parameters of a command that its tags do not give',
    calls: ['agent/extraction'],
  },
  {
    name: 'clarification',
    description: 'decides what a command was meant to be that is ambiguous or not understood',
    calls: ['agent/clarification'],
  },
  {
    name: 'ranker',
    description: 'ranks the commands for words that name none, where a model does that',
    calls: ['agent/ranker'],
  },
];
