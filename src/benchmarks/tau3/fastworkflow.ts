/**
 * τ³-bench's commands for the FastWorkflow agent: tau-bench's commands for equal tools, and further ones with invented
 * examples. The tools of telecom's user have no commands.
 */

import airlineCommands from '#data/tau3/airline/commands.json' with { type: 'json' };
import airlineWeights from '#data/tau3/airline/intent-weights.json' with { type: 'json' };
import retailCommands from '#data/tau3/retail/commands.json' with { type: 'json' };
import retailWeights from '#data/tau3/retail/intent-weights.json' with { type: 'json' };
import telecomCommands from '#data/tau3/telecom/commands.json' with { type: 'json' };
import telecomWeights from '#data/tau3/telecom/intent-weights.json' with { type: 'json' };

export const fastWorkflowData = {
  'tau3-retail': {
    commands: retailCommands,
    sharedWith: 'retail',
    weights: retailWeights,
    folder: 'tau3/retail',
  },
  'tau3-airline': {
    commands: airlineCommands,
    sharedWith: 'airline',
    weights: airlineWeights,
    folder: 'tau3/airline',
  },
  'tau3-telecom': { commands: telecomCommands, weights: telecomWeights, folder: 'tau3/telecom' },
};
