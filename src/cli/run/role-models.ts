/** Models of calls that have one of their own: from the flags of roles to the calls that strategies make. */

import {
  findStrategy,
  strategies,
  type CallRole,
  type ModelRole,
  type StrategyDefinition,
} from '../../agents/index.ts';
import { defaultTokenCap } from '../../models/providers.ts';
import { NO_MODEL, type EvaluationConfig, type ModelConfig } from '../../wire/index.ts';
import { UsageError } from '../../errors/index.ts';
import { checkedModel, impliedProvider, PERFECT, providersSentence, SCRIPTED, type RunModels } from './models.ts';
import type { RoleOptions, RunOptions } from './options.schema.ts';

/** By call; a role whose model comes out as the agent's is left out, as if nothing had been said of it. */
export type RoleModels = NonNullable<EvaluationConfig['roleModels']>;

/**
 * @throws UsageError for a role that the strategy does not have, a model without a provider, or the other way round
 */
export function chooseRoleModels({ roles }: RunOptions, strategy: StrategyDefinition, agent: ModelConfig): RoleModels {
  const models: Partial<Record<CallRole, ModelConfig>> = {};
  for (const [name, options] of Object.entries(roles)) {
    const role = strategy.modelRoles?.find((candidate) => candidate.name === name);
    if (role === undefined) throw noSuchRole(name, options, strategy);
    const model = otherModel(`${name}-`, options, agent);
    if (isSame(model, agent)) continue;
    for (const call of role.calls) models[call] = model;
  }
  return models;
}

type TokenCaps = Pick<EvaluationConfig, 'maxCompletionTokens'>;

/** The caps that flags name, by role; where they name none, what suits the model. A role with the agent's is left out. */
export function chooseTokenCaps(
  { maxCompletionTokens, userMaxCompletionTokens, roles }: TokenCapOptions,
  strategy: Pick<StrategyDefinition, 'modelRoles'>,
  { agent, user }: RunModels,
  roleModels: RoleModels,
): TokenCaps {
  const capOf = (asked: number | null | undefined, { provider, model }: ModelConfig, side: 'agent' | 'user') =>
    asked === undefined ? defaultTokenCap(provider, model, side) : asked;
  const ofAgent = capOf(maxCompletionTokens, agent, 'agent');
  const ofUser = user.provider === NO_MODEL.provider ? null : capOf(userMaxCompletionTokens, user, 'user');
  const caps: Partial<Record<CallRole, number | null>> = {};
  if (ofAgent !== null) caps.agent = ofAgent;
  if (ofUser !== null) caps.user = ofUser;
  for (const { name, calls } of strategy.modelRoles ?? []) {
    const asked = roles[name]?.maxCompletionTokens;
    for (const call of calls) {
      const model = roleModels[call];
      if (asked === undefined && model === undefined) continue;
      const cap = capOf(asked, model ?? agent, 'agent');
      if (cap !== ofAgent) caps[call] = cap;
    }
  }
  return Object.keys(caps).length === 0 ? {} : { maxCompletionTokens: caps };
}

type TokenCapOptions = Pick<RunOptions, 'maxCompletionTokens' | 'userMaxCompletionTokens' | 'roles'>;

/** The model that a configuration has for a role; undefined: the agent's. */
export function chosenRoleModel(role: ModelRole, { roleModels }: Pick<EvaluationConfig, 'roleModels'>) {
  return role.calls.map((call) => roleModels?.[call]).find((model) => model !== undefined);
}

/** Each role of the strategy that has a model of its own. */
export function namedRoleModels(config: EvaluationConfig): (readonly [role: string, model: ModelConfig])[] {
  const strategy = findStrategy(config.strategy, config.strategyOptions.agentFile);
  return (strategy?.modelRoles ?? []).flatMap((role) => {
    const model = chosenRoleModel(role, config);
    return model === undefined ? [] : [[role.name, model] as const];
  });
}

/**
 * The model that flags name beside the usual one; what they leave open is the usual one's.
 * @param prefix of the flags: `planner-`, or `` for `--model`
 * @throws UsageError for a model without a provider, or the other way round
 */
export function otherModel(prefix: string, { model, modelProvider, temperature }: RoleOptions, agent: ModelConfig) {
  const flag = `--${prefix}model-provider`;
  const sampled = temperature === undefined ? agent.temperature : temperature;
  if (model !== undefined) {
    // The agent's provider is meant where no other is named; but the scripted model has no model of another name.
    const usual = agent.provider === SCRIPTED ? undefined : agent.provider;
    const provider = modelProvider ?? impliedProvider(model) ?? usual;
    if (provider !== undefined) return checkedModel(flag, provider, model, sampled);
    throw new UsageError(`--${prefix}model ${model} needs a ${flag}; ${providersSentence()}.`);
  }
  if (modelProvider === undefined || modelProvider === agent.provider) return { ...agent, temperature: sampled };
  const perfect = checkedModel(flag, modelProvider, PERFECT, sampled);
  if (modelProvider === SCRIPTED) return perfect;
  throw new UsageError(`${flag} ${modelProvider} needs a --${prefix}model, such as --${prefix}model gpt-4o.`);
}

function noSuchRole(name: string, options: RoleOptions, { name: strategy }: StrategyDefinition): UsageError {
  const others = Object.values(strategies).filter(({ modelRoles }) => modelRoles?.some((role) => role.name === name));
  const [given] = Object.keys(options);
  const ending = (given ?? 'model').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return new UsageError(
    `--${name}-${ending} is for ${others.map((other) => other.name).join(', ')}; ` +
      `the agent strategy ${strategy} has no model calls of that role.`,
  );
}

function isSame(a: ModelConfig, b: ModelConfig): boolean {
  return a.provider === b.provider && a.model === b.model && a.temperature === b.temperature;
}
