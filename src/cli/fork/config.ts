/** The configuration of a fork: its origin's with the changes of the flags. */

import {
  optionValue,
  withOptionValues,
  type CallRole,
  type StrategyDefinition,
  type StrategyOptions,
} from '../../agents/index.ts';
import type { EpisodeRecord, RunManifest } from '../../run-log/index.ts';
import { UsageError } from '../../errors/index.ts';
import {
  AGENT_SERVICE,
  describeRemovedVariants,
  type EvaluationConfig,
  givenPrice,
  isSampledAsOriginal,
  modelName,
  findModel,
  listCalledModels,
  findTokenCap,
  type ModelPrice,
} from '../../evaluation/index.ts';
import type { RawRunOptions } from '../../run-setup/options/index.ts';
import {
  type RunOptions,
  keyedConfig,
  choosePrices,
  selectPrices,
  requireDomain,
  type ChosenStrategy,
  chooseRoleModels,
  chooseTokenCaps,
  chosenRoleModel,
  formatModelFlags,
  otherModel,
  chooseOwnValues,
} from '../../run-setup/index.ts';

/**
 * Returns the configuration of an episode. It comes from the episode's record, because a fork's configuration differs
 * from its run's; fields that the record lacks come from the run. The response cache is left out, because a fork makes
 * its own calls.
 * @throws UsageError for a run with removed `--compat` names
 */
export function originConfig(
  { config }: EpisodeRecord,
  {
    config: { responseCache: _, roleModels: __, maxCompletionTokens: ___, prices: runPrices = [], ...run },
  }: RunManifest,
): EvaluationConfig {
  const { strategyOptions: options } = config;
  const removed = describeRemovedVariants({ compat: options.compat ?? run.strategyOptions.compat });
  if (removed !== null) throw new UsageError(`the episode's run ${removed}; fork it with that version.`);
  const { strategy, roleModels, maxCompletionTokens, maxRetries = run.maxRetries, prices = runPrices } = config;
  return {
    ...run,
    ...withPrices(prices),
    maxRetries,
    strategy,
    strategyOptions:
      strategy === run.strategy
        ? run.strategyOptions
        : { omitPolicy: options.omitPolicy, useReasoning: options.useReasoning },
    agentModel: config.agentModel,
    ...(roleModels === undefined ? {} : { roleModels }),
    ...(maxCompletionTokens === undefined ? {} : { maxCompletionTokens }),
    userModel: config.userModel,
    maxSteps: config.maxSteps,
    seed: config.seed,
  };
}

/**
 * @param options the flags, with defaults for options that `given` lacks
 * @param strategy a strategy from a file with the name of the origin's is treated as the same, even if the file has
 *   changed
 * @param runPrices all prices in the run's options, including those of unused models
 * @param cwd folder to which the path in `--prices` is relative
 * @throws UsageError
 */
export function forkConfig(
  before: EvaluationConfig,
  options: RunOptions,
  given: RawRunOptions,
  { strategy, ...agent }: ChosenStrategy,
  runPrices: readonly ModelPrice[] = [],
  cwd = '.',
): EvaluationConfig {
  const { model, modelProvider, userModel: userModelName, userModelProvider } = options;
  const { agentModelSettings, userModelSettings } = options;
  requireDomain(strategy, before.env);
  const isSame = strategy.name === before.strategy;
  const { roleModels: __, maxCompletionTokens: _, prices: pricesBefore = [], ...rest } = before;
  const agentModel = otherModel(
    formatModelFlags(''),
    { ...agentModelSettings, model, provider: modelProvider, temperature: options.temperature },
    before.agentModel,
  );
  if (agentModel === null && strategy.name !== AGENT_SERVICE) {
    throw new UsageError(
      `the agent of the origin calls models of its own; name one for ${strategy.name} with --model and --model-provider.`,
    );
  }
  const { roles, kept } = forkedRoles(options, before, isSame ? strategy : {});
  const temperature = options.temperature ?? agentModel?.temperature;
  const roleModels = {
    ...(isSame ? kept : {}),
    ...chooseRoleModels({ roleModels: roles, temperature }, strategy, agentModel),
  };
  const { omitPolicy, useReasoning } = before.strategyOptions;
  const userModel = otherModel(
    formatModelFlags('user-'),
    { ...userModelSettings, model: userModelName, provider: userModelProvider },
    before.userModel,
  );
  const optionsBefore = before.strategyOptions;
  const ownKeys = new Set((strategy.options ?? []).map(({ key }) => key.split('.')[0]));
  const sharedBefore = {
    omitPolicy,
    useReasoning,
    ...Object.fromEntries(Object.entries(optionsBefore).filter(([key]) => !ownKeys.has(key))),
  };
  const models = listCalledModels({ ...before, agentModel, roleModels, userModel });
  const { prices: ownPrices = [] } = choosePrices(options.prices, models, cwd);
  return {
    ...rest,
    ...keyedConfig(options, (name) => given[name] !== undefined),
    ...withPrices(selectPrices([...ownPrices, ...pricesBefore, ...runPrices], models)),
    strategy: strategy.name,
    strategyOptions: {
      // Other options of a strategy have a meaning for that strategy only.
      ...(isSame ? sharedBefore : { omitPolicy, useReasoning }),
      ...forkedOptions(options, strategy, isSame ? optionsBefore : {}, cwd),
      ...agent,
    },
    agentModel,
    ...(Object.keys(roleModels).length === 0 ? {} : { roleModels }),
    ...chooseTokenCaps(
      forkedCaps(options, before, { agentModel, userModel, roleModels }, isSame ? strategy : {}),
      strategy,
      { agent: agentModel, user: userModel },
      roleModels,
      before.judgeModel,
    ),
    userModel,
  };
}

/**
 * Lists the fork's models without a price of the run, if the origin had such prices. These models have prices from the
 * list, so the costs of origin and fork are not comparable.
 */
export function unpricedModels({ prices: before = [] }: EvaluationConfig, config: EvaluationConfig): string[] {
  if (before.length === 0) return [];
  const unpriced = listCalledModels(config).filter((model) => givenPrice(config, model) === undefined);
  return [...new Set(unpriced.map(modelName))];
}

function withPrices(prices: readonly ModelPrice[]): Pick<EvaluationConfig, 'prices'> {
  return prices.length === 0 ? {} : { prices };
}

/**
 * Chooses the models of the roles. A role with the sampling of the strategy's original gets the fork's agent model,
 * with the role's temperature unless the fork sets one for all roles. Other roles keep their models.
 */
function forkedRoles(
  { roleModels: asked, temperature }: RunOptions,
  before: EvaluationConfig,
  strategy: Pick<StrategyDefinition, 'modelRoles' | 'temperature'>,
): { readonly roles: RunOptions['roleModels']; readonly kept: NonNullable<EvaluationConfig['roleModels']> } {
  const kept = { ...before.roleModels };
  const forked = { ...asked };
  for (const role of strategy.modelRoles ?? []) {
    const model = chosenRoleModel(role, before);
    if (model === undefined || !isSampledAsOriginal(before, strategy, role, model)) continue;
    for (const call of role.calls) Reflect.deleteProperty(kept, call);
    if (temperature === undefined) forked[role.name] = { temperature: model.temperature, ...asked[role.name] };
  }
  return { roles: forked, kept };
}

/** Returns the cap from the flags, otherwise the origin's cap if the model is the same. */
function forkedCaps(
  options: RunOptions,
  before: EvaluationConfig,
  now: Pick<EvaluationConfig, 'agentModel' | 'userModel' | 'roleModels'>,
  { modelRoles = [] }: Pick<StrategyDefinition, 'modelRoles'>,
) {
  const kept = (call: CallRole) => {
    const [model, other] = [findModel(now, call), findModel(before, call)];
    const isSame = model?.provider === other?.provider && model?.model === other?.model;
    return isSame ? findTokenCap(before, call) : undefined;
  };
  const { maxCompletionTokens = kept('agent'), userMaxCompletionTokens = kept('user') } = options;
  const roleModels = { ...options.roleModels };
  for (const { name, calls } of modelRoles) {
    const [call] = calls;
    if (call === undefined || roleModels[name]?.max_completion_tokens !== undefined) continue;
    // A role that shared the agent's cap gets the agent's new cap.
    const hadOwn = before.roleModels?.[call] !== undefined || before.maxCompletionTokens?.[call] !== undefined;
    const cap = hadOwn ? kept(call) : undefined;
    if (cap !== undefined) roleModels[name] = { ...roleModels[name], max_completion_tokens: cap };
  }
  return { maxCompletionTokens, userMaxCompletionTokens, roleModels };
}

/** Returns the strategy's own options from the flags, otherwise from the origin. */
function forkedOptions(
  { own }: RunOptions,
  strategy: StrategyDefinition,
  before: Partial<StrategyOptions>,
  cwd: string,
): Record<string, unknown> {
  const { options = [] } = strategy;
  const values = new Map(options.map((option) => [option.key, optionValue(option, before)]));
  for (const [key, value] of chooseOwnValues(own, strategy, cwd)) values.set(key, value);
  return withOptionValues(options, values);
}
