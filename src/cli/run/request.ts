/** From options to what a sweep is asked to do. Everything a person can get wrong is found here, before any start. */

import { findStrategy, strategies } from '../../agents/registry.ts';
import { domains } from '../../bench/domains.ts';
import { resolvePack } from '../../packs/find.ts';
import type { Pack } from '../../packs/types.ts';
import { resolveLogDir } from '../../results/paths.ts';
import { checkRunId, makeRunId } from '../../results/run-id.ts';
import type { RunManifest } from '../../results/run-manifest.ts';
import { userStrategies } from '../../users/registry.ts';
import type { EvaluationConfig, RunRef } from '../../wire/config.ts';
import { providersOf } from '../../wire/models.ts';
import type { SweepPlan } from '../../wire/sweep.ts';
import { UsageError } from '../failures.ts';
import { chooseModels, SCRIPTED } from './models.ts';
import type { RawRunOptions, RunOptions } from './options.schema.ts';
import { chooseTasks } from './tasks.ts';

export interface RunRequest {
  readonly run: RunRef;
  readonly config: EvaluationConfig;
  readonly plan: SweepPlan;
  readonly maxConcurrency: number;
  readonly maxCostUsd: number | null;
  readonly pack: Pack;
  readonly isScripted: boolean;
  /** What a reader of the results has to know, one sentence each. */
  readonly notes: readonly string[];
}

export interface RequestContext {
  readonly cwd: string;
  /** TAUFLOW_HOME. */
  readonly home: string;
  readonly now: Date;
}

/** Without a model and a pack, `run` is a demonstration: several trials with a model that sometimes errs. */
const DEMO = { model: 'oracle:0.8', numTrials: 4, maxConcurrency: 8 } as const;

/** The demonstration's values for what a command line leaves open; nothing for any other command line. */
export function demoOptions(raw: RawRunOptions): RawRunOptions {
  const isDemo = raw.model === undefined && raw.modelProvider === undefined && raw.pack === undefined;
  return isDemo ? DEMO : {};
}

/**
 * @throws UsageError, PackError, ResultsError with one sentence each
 */
export async function resolveRequest(options: RunOptions, context: RequestContext): Promise<RunRequest> {
  requireKnown('--env', options.env, [...domains.keys()]);
  requireKnown('--agent-strategy', options.agentStrategy, Object.keys(strategies));
  requireKnown('--user-strategy', options.userStrategy, Object.keys(userStrategies));
  requireDomain(options);
  const models = chooseModels(options);
  const logDir = resolveLogDir(options.logDir, context.cwd);
  const pack = await resolvePack(options.env, options.pack, { home: context.home });
  if (!Object.hasOwn(pack.userPrompts.strategies, options.userStrategy)) {
    throw new UsageError(`the pack ${pack.ref.name} has no prompts for the user strategy "${options.userStrategy}".`);
  }
  const plan: SweepPlan = {
    taskIds: chooseTasks(pack, options),
    numTrials: options.numTrials ?? 1,
    shuffle: options.shuffle,
  };
  const config: EvaluationConfig = {
    env: options.env,
    split: options.taskSplit,
    pack: pack.ref,
    strategy: options.agentStrategy,
    strategyOptions: { omitPolicy: options.omitPolicy, useReasoning: options.useReasoning },
    agentModel: models.agent,
    userStrategy: options.userStrategy,
    userModel: models.user,
    maxSteps: options.maxSteps,
    seed: options.seed,
    maxRetries: options.maxRetries,
    episodeTimeoutMs: options.episodeTimeout,
  };
  const runId =
    options.runId === undefined ? makeRunId(runIdParts(options, config), context.now) : checkRunId(options.runId);
  const isScripted = providersOf(config).includes(SCRIPTED);
  return {
    run: { runId, logDir },
    config,
    plan,
    maxConcurrency: options.maxConcurrency ?? 1,
    maxCostUsd: options.maxCost ?? null,
    pack,
    isScripted,
    notes: notesOf(config, isScripted),
  };
}

function requireKnown(flag: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  throw new UsageError(`unknown ${flag} "${name}"; this version has: ${known.join(', ')}.`);
}

function requireDomain({ agentStrategy, env }: RunOptions): void {
  const made = findStrategy(agentStrategy)?.domains;
  if (made === undefined || made.includes(env)) return;
  throw new UsageError(`the agent strategy ${agentStrategy} is made for ${made.join(', ')}, not for the env ${env}.`);
}

function runIdParts({ startIndex, endIndex }: RunOptions, config: EvaluationConfig) {
  const { strategy, agentModel, userModel, userStrategy } = config;
  const { model, temperature } = agentModel;
  return { strategy, model, temperature, startIndex, endIndex, userModel: userModel.model, userStrategy };
}

function notesOf({ strategyOptions, agentModel }: EvaluationConfig, isScripted: boolean): string[] {
  const notes: string[] = [];
  if (isScripted) {
    notes.push(
      `The model was scripted (${agentModel.model}): it plays from the tasks' ground truth, so these scores say ` +
        'nothing about any agent or language model.',
    );
  }
  if (strategyOptions.omitPolicy) notes.push('The policy was left out of the agent’s prompts (--omit-policy).');
  if (!strategyOptions.useReasoning) notes.push('The agent acted without reasoning (--no-use-reasoning).');
  return notes;
}

/** The options of a recorded run: what a command that resumes it need not say again. */
export function recordedOptions({ config, plan, maxConcurrency, maxCostUsd }: RunManifest): RawRunOptions {
  return {
    env: config.env,
    agentStrategy: config.strategy,
    model: config.agentModel.model,
    modelProvider: config.agentModel.provider,
    userModel: config.userModel.model,
    userModelProvider: config.userModel.provider,
    userStrategy: config.userStrategy,
    taskSplit: config.split,
    taskIds: plan.taskIds,
    numTrials: plan.numTrials,
    shuffle: plan.shuffle,
    maxConcurrency,
    ...(config.agentModel.temperature === null ? {} : { temperature: config.agentModel.temperature }),
    seed: config.seed,
    maxSteps: config.maxSteps,
    useReasoning: config.strategyOptions.useReasoning,
    omitPolicy: config.strategyOptions.omitPolicy,
    pack: config.pack.path,
    episodeTimeout: config.episodeTimeoutMs / 1000,
    maxRetries: config.maxRetries,
    ...(maxCostUsd === null ? {} : { maxCost: maxCostUsd }),
  };
}
