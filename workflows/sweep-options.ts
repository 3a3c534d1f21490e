/** How a sweep is started, whoever starts it: a client, or the workflow of a night. */

import { describeUser, sweepMemo, type SweepInput } from '../src/wire/index.ts';
import { sweepAttributes } from './search-attributes.ts';

/** @param program the version of the program, for the sweep's memo */
export function sweepOptions(input: SweepInput, program?: string) {
  const { run, config, plan, indexed } = input;
  return {
    // A cold replay of a long sweep takes longer than the default of 10 s.
    workflowTaskTimeout: '60 seconds',
    staticSummary: `${config.strategy}, ${config.agentModel.model}: ${plan.taskIds.length} tasks × ${plan.numTrials}`,
    staticDetails: sweepDetails(input),
    memo: sweepMemo(input, program),
    ...(indexed ? { typedSearchAttributes: sweepAttributes(run, config) } : {}),
  } as const;
}

function sweepDetails({ run, config, plan, maxConcurrency }: SweepInput): string {
  const { agentModel, pack } = config;
  return [
    `- **agent**: ${config.strategy} with ${agentModel.provider}/${agentModel.model}`,
    `- **user**: ${describeUser(config)}`,
    `- **tasks**: ${plan.taskIds.length} of ${config.env} ${config.split}, ${plan.numTrials} trial(s) each`,
    `- **pack**: ${pack.name} \`${pack.digest.slice(0, 12)}\``,
    `- **at once**: ${maxConcurrency}`,
    `- **run log**: \`${run.logDir}\``,
  ].join('\n');
}
