/**
 * What a sweep's memo tells in Temporal UI and in lists of workflows: its configuration, so that a run is known for
 * what it is when its log is on another machine. No key, no provider's address, nothing of the environment.
 */

import type { ModelConfig } from './config.ts';
import { describeUser, NO_MODEL } from './models.ts';
import type { SweepInput } from './sweep.ts';
import { WORKFLOW_VERSION } from './version.ts';

/** The server warns of memos above 2 KiB, names and encodings counted in. */
const FIELD_CHARS = 240;

/**
 * `workflowVersion` is what a worker compares with its own (see `WORKFLOW_VERSION`).
 * @param program the version of the program that starts the sweep, where it says so
 */
export function sweepMemo({ run, config, plan, version }: SweepInput, program?: string): Record<string, unknown> {
  const { pack, agentModel, userModel, roleModels = {} } = config;
  const roles = Object.entries(roleModels).map(([role, model]) => (model ? `${role} ${modelText(model)}` : role));
  return {
    env: `${config.env} ${config.split}`,
    pack: cut(`${pack.name} ${pack.digest}`),
    strategy: config.strategy,
    options: cut(JSON.stringify(config.strategyOptions)),
    agent: cut([modelText(agentModel), ...roles].join(', ')),
    user: cut(
      userModel.provider === NO_MODEL.provider
        ? describeUser(config)
        : `${config.userStrategy} with ${modelText(userModel)}`,
    ),
    tasks: plan.taskIds.length,
    trials: plan.numTrials,
    seed: config.seed,
    maxSteps: config.maxSteps,
    logDir: cut(run.logDir),
    ...(program === undefined ? {} : { program }),
    workflowVersion: version ?? WORKFLOW_VERSION,
  };
}

function modelText({ provider, model, temperature }: ModelConfig): string {
  return `${provider}/${model}${temperature === null ? '' : ` at ${temperature}`}`;
}

function cut(text: string): string {
  return text.length <= FIELD_CHARS ? text : `${text.slice(0, FIELD_CHARS - 1)}…`;
}
