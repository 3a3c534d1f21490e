/** tau-bench's commands for the FastWorkflow agent, with invented examples, and the weights of their classifiers. */

import airlineCommands from '#data/airline/commands.json' with { type: 'json' };
import airlineWeights from '#data/airline/intent-weights.json' with { type: 'json' };
import retailCommands from '#data/retail/commands.json' with { type: 'json' };
import retailWeights from '#data/retail/intent-weights.json' with { type: 'json' };

export const fastWorkflowData = {
  retail: { commands: retailCommands, weights: retailWeights, folder: 'retail' },
  airline: { commands: airlineCommands, weights: airlineWeights, folder: 'airline' },
};
