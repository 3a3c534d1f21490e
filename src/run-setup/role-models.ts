/** Models and token caps of a strategy's roles. A role without options has the agent's model. */

import { findStrategy, strategies, type CallRole, type ModelRole, type StrategyDefinition } from '../agents/index.ts';
import { UsageError, withContext } from '../errors/index.ts';
import { defaultTokenCap } from '../models/providers.ts';
import {
  isCalled,
  isSameButTemperature,
  isSameModel,
  isSampledAsOriginal,
  listCalledModels,
  findTokenCap,
  type EvaluationConfig,
  type ModelSettings,
} from '../evaluation/index.ts';
import { otherModel, type RunModels } from './models.ts';
import type { RunOptions } from './parse.ts';

/** Models by role; a role with the agent's model is left out. */
type RoleModels = NonNullable<EvaluationConfig['roleModels']>;

/**
 * Chooses the models of roles. If the agent's temperature is not set, a role has the temperature of the strategy's
 * original.
 * @param recorded configuration of the resumed run, for roles that no option names
 * @throws UsageError for a role that the strategy does not have, a model without a provider, or the other way round
 */
export function chooseRoleModels(
  { roleModels: asked, temperature: ofAll }: Pick<RunOptions, 'roleModels' | 'temperature'>,
  strategy: StrategyDefinition,
  agent: ModelSettings | null,
  recorded?: EvaluationConfig,
): RoleModels {
  const defined = strategy.modelRoles ?? [];
  const unknown = Object.keys(asked).find((name) => !defined.some((role) => role.name === name));
  if (unknown !== undefined) throw noSuchRole(unknown, strategy);
  const byName = new Map<string, ModelSettings>();
  const models: Partial<Record<CallRole, ModelSettings>> = {};
  for (const role of defined) {
    const { name, fallback = '', calls, temperature } = role;
    const model = recorded !== undefined && asked[name] === undefined ? chosenRoleModel(role, recorded) : choose();
    if (model === undefined || model === null || isSameModel(model, agent)) continue;
    byName.set(name, model);
    for (const call of calls) models[call] = model;

    function choose(): ModelSettings | null {
      const usual = byName.get(fallback) ?? agent;
      const sampled = ofAll === undefined && temperature !== undefined ? { temperature } : {};
      const given = { ...sampled, ...asked[name] };
      if (Object.keys(given).length === 0) return usual;
      const names = { model: `${name}.model`, provider: `${name}.provider` };
      const kept = recorded === undefined ? [] : listCalledModels(recorded);
      return withContext('--role-models', () => otherModel(names, given, usual, kept));
    }
  }
  return models;
}

type TokenCaps = Pick<EvaluationConfig, 'maxCompletionTokens'>;

/** Chooses token caps by role: from flags, otherwise the model's default. Roles with the agent's cap are left out. */
export function chooseTokenCaps(
  { maxCompletionTokens, userMaxCompletionTokens, judgeModelSettings, roleModels: asked }: TokenCapOptions,
  strategy: Pick<StrategyDefinition, 'modelRoles'>,
  { agent, user }: RunModels,
  roleModels: RoleModels,
  judge?: ModelSettings,
  recorded?: EvaluationConfig,
): TokenCaps {
  const chooseCap = (
    given: number | null | undefined,
    model: ModelSettings | null,
    side: 'agent' | 'user' | 'judge',
  ) => {
    if (!isCalled(model)) return null;
    return given === undefined ? defaultTokenCap(model.provider, model.model, side, model.reasoning_effort) : given;
  };
  const ofAgent = chooseCap(maxCompletionTokens, agent, 'agent');
  const ofUser = chooseCap(userMaxCompletionTokens, user, 'user');
  const caps: Partial<Record<CallRole, number | null>> = {};
  if (ofAgent !== null) caps.agent = ofAgent;
  if (ofUser !== null) caps.user = ofUser;
  if (judge !== undefined) caps.judge = chooseCap(judgeModelSettings?.max_completion_tokens, judge, 'judge');
  for (const { name, fallback = '', calls } of strategy.modelRoles ?? []) {
    const { max_completion_tokens: given = asked[fallback]?.max_completion_tokens } = asked[name] ?? {};
    for (const call of calls) {
      const model = roleModels[call];
      const isKept = recorded !== undefined && asked[name] === undefined;
      if (!isKept && given === undefined && (model === undefined || isSameButTemperature(model, agent))) continue;
      const cap = isKept ? findTokenCap(recorded, call) : chooseCap(given, model ?? agent, 'agent');
      if (cap !== ofAgent) caps[call] = cap;
    }
  }
  return Object.keys(caps).length === 0 ? {} : { maxCompletionTokens: caps };
}

type TokenCapOptions = Pick<
  RunOptions,
  'maxCompletionTokens' | 'userMaxCompletionTokens' | 'judgeModelSettings' | 'roleModels'
>;

/** Returns the model that a configuration sets for a role; undefined: the agent's. */
export function chosenRoleModel(role: ModelRole, { roleModels }: Pick<EvaluationConfig, 'roleModels'>) {
  return role.calls.map((call) => roleModels?.[call]).find((model) => model !== undefined);
}

/**
 * Lists the strategy's roles that have a model or settings of their own; the temperature of the strategy's original is
 * no such setting.
 */
export function namedRoleModels(config: EvaluationConfig): (readonly [role: string, model: ModelSettings])[] {
  const strategy = findStrategy(config.strategy, config.strategyOptions.agentFile);
  return (strategy?.modelRoles ?? []).flatMap((role) => {
    const model = chosenRoleModel(role, config);
    const isNamed = model !== undefined && !(strategy && isSampledAsOriginal(config, strategy, role, model));
    return isNamed ? [[role.name, model] as const] : [];
  });
}

/** Describes the temperatures of the agent's calls: `none (the provider's default); param-extraction 1`. */
export function describeTemperatures(config: EvaluationConfig): string {
  const strategy = findStrategy(config.strategy, config.strategyOptions.agentFile);
  if (config.agentModel === null) return "the agent's own";
  const { temperature } = config.agentModel;
  const roles = (strategy?.modelRoles ?? []).flatMap((role) => {
    const own = chosenRoleModel(role, config)?.temperature;
    return own === undefined || own === temperature ? [] : [`${role.name} ${own ?? 'none'}`];
  });
  return [temperature === null ? "none (the provider's default)" : String(temperature), ...roles].join('; ');
}

function noSuchRole(name: string, { name: strategy, modelRoles = [] }: StrategyDefinition): UsageError {
  const others = Object.values(strategies).filter(({ modelRoles }) => modelRoles?.some((role) => role.name === name));
  const has = modelRoles.map((role) => role.name).join(', ');
  const of = others.length === 0 ? '' : `, which is of ${others.map((other) => other.name).join(', ')}`;
  return new UsageError(
    `--role-models names the role ${name}${of}; the agent strategy ${strategy} has ${has === '' ? 'no roles' : has}.`,
  );
}
