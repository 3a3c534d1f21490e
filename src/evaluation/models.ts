/** The models of an evaluation, and the calls that use each of them. */

import type { CallRole, Continuation, ModelRole, StrategyDefinition } from '../agents/index.ts';
import type { PackRef } from '../benchmarks/packs/ref.ts';
import { OUTSIDE } from '../agents/users/index.ts';
import type { EvaluationConfig } from './config.schema.ts';
import type { ModelSettings, ModelPrice } from './model-settings.schema.ts';

export const isUserRole = (role: CallRole): boolean => role === 'user' || role.startsWith('user/');
export const isAgentRole = (role: CallRole): boolean => role === 'agent' || role.startsWith('agent/');

/** Placeholder for a user that is not a model; no provider has it. */
export const NO_MODEL: ModelSettings = { provider: 'human', model: 'human', temperature: null };

/**
 * The default model of the simulated user, with the effort of the user in τ²-bench's leaderboard. docs/users.md has the
 * reasons for the choice.
 */
export const USUAL_USER = { provider: 'openai', model: 'gpt-6-luna', reasoning_effort: 'low' } as const;

/** Returns false for {@link NO_MODEL}, and if the agent calls its own models. */
export function isCalled(model: ModelSettings | null): model is ModelSettings {
  return model !== null && model.provider !== NO_MODEL.provider;
}

/** Text instead of a model's name, if the agent calls its own models. */
export const OWN_MODELS = 'models of its own';

/** Formats a model's name: `openai/gpt-4o`, or {@link OWN_MODELS}. */
export function modelName(model: Pick<ModelSettings, 'provider' | 'model'> | null): string {
  return model === null ? OWN_MODELS : `${model.provider}/${model.model}`;
}

/** Describes the agent: `tool-calling with openai/gpt-4o`. */
export function describeAgent({ strategy, agentModel }: Pick<EvaluationConfig, 'strategy' | 'agentModel'>): string {
  return `${strategy} with ${modelName(agentModel)}`;
}

/** Describes the agent without the provider, for narrow places: `tool-calling, gpt-4o`. */
export function summarizeAgent({ strategy, agentModel }: Pick<EvaluationConfig, 'strategy' | 'agentModel'>): string {
  return `${strategy}, ${agentModel?.model ?? OWN_MODELS}`;
}

/** Returns false for episodes that have no user. */
export function hasUser({ environment }: PackRef): boolean {
  return environment?.rules !== 'solo';
}

/** Describes the user: `llm with openai/gpt-4o`, or the user that is not a model. */
export function describeUser({
  userStrategy,
  userModel,
  pack,
}: Pick<EvaluationConfig, 'userStrategy' | 'userModel' | 'pack'>): string {
  if (!hasUser(pack)) return 'none (solo)';
  if (userStrategy === OUTSIDE) return 'an outside harness';
  if (userModel.provider === NO_MODEL.provider) return 'a person';
  return `${userStrategy} with ${modelName(userModel)}`;
}

type Models = Pick<EvaluationConfig, 'agentModel' | 'roleModels' | 'userModel' | 'judgeModel'>;

/**
 * Returns the model of a role: its own model, otherwise the agent's for roles of the agent; null if the agent calls its
 * own models.
 */
export function findModel(
  { agentModel, roleModels = {}, userModel, judgeModel }: Models,
  role: CallRole,
): ModelSettings | null {
  if (isUserRole(role)) return userModel;
  if (role === 'judge' && judgeModel !== undefined) return judgeModel;
  return (Object.hasOwn(roleModels, role) ? roleModels[role] : undefined) ?? agentModel;
}

/** Returns the maximum tokens of a role's completion; null: the provider's maximum. */
export function findTokenCap(
  { maxCompletionTokens: caps = {} }: Pick<EvaluationConfig, 'maxCompletionTokens'>,
  role: CallRole,
): number | null {
  const own = Object.hasOwn(caps, role) ? caps[role] : undefined;
  return (own === undefined ? caps[isUserRole(role) ? 'user' : 'agent'] : own) ?? null;
}

/** Lists the models that an evaluation calls. A model with several roles is listed once per role. */
export function listCalledModels({ agentModel, roleModels = {}, userModel, judgeModel }: Models): ModelSettings[] {
  const models = [agentModel, userModel, ...Object.values(roleModels), judgeModel];
  return models.filter((model) => model !== undefined).filter(isCalled);
}

/** Lists the providers that an evaluation calls, each once; a run needs a worker for each of them. */
export function listCalledProviders(models: Models): string[] {
  return [...new Set(listCalledModels(models).map(({ provider }) => provider))];
}

/** Returns the agreed price of a model; undefined if the price list decides. */
export function givenPrice(
  { prices = [] }: Pick<EvaluationConfig, 'prices'>,
  { provider, model }: Pick<ModelSettings, 'provider' | 'model'>,
): ModelPrice | undefined {
  return prices.find((price) => price.provider === provider && price.model === model);
}

/** Returns the settings of a model except its temperature, such as `seed` and `top_p`. */
export function furtherSettings(settings: ModelSettings): Omit<ModelSettings, 'provider' | 'model' | 'temperature'> {
  const { provider: _, model: __, temperature: ___, ...further } = settings;
  return further;
}

/** Formats a model with its settings: `openai/gpt-4o at 0.5, top_p 0.9`. @param at word before the temperature */
export function formatModel(settings: ModelSettings | null, at = 'at'): string {
  if (settings === null) return OWN_MODELS;
  const { provider, model, temperature } = settings;
  const words = Object.entries(furtherSettings(settings)).map(([name, value]) => `, ${name} ${settingText(value)}`);
  return `${provider}/${model}${temperature === null ? '' : ` ${at} ${temperature}`}${words.join('')}`;
}

/** Names each setting in which two models of the same name differ: `at 0.5`, `top_p 0.9`. */
export function listModelDifferences(model: ModelSettings, other: ModelSettings): string[] {
  const further: Readonly<Record<string, unknown>> = furtherSettings(model);
  const before: Readonly<Record<string, unknown>> = furtherSettings(other);
  const names = [...new Set([...Object.keys(further), ...Object.keys(before)])];
  return [
    ...(model.temperature === other.temperature ? [] : [`at ${model.temperature ?? 'default'}`]),
    ...names
      .filter((name) => settingText(further[name]) !== settingText(before[name]))
      .map((name) => `${name} ${settingText(further[name])}`),
  ];
}

export function isSameModel(one: ModelSettings | null, other: ModelSettings | null): boolean {
  if (one === null || other === null) return one === other;
  return one.provider === other.provider && one.model === other.model && listModelDifferences(one, other).length === 0;
}

/** Returns true if two models differ at most in their temperature. */
export function isSameButTemperature(one: ModelSettings, other: ModelSettings | null): boolean {
  return other !== null && isSameModel({ ...one, temperature: other.temperature }, other);
}

/**
 * Returns true if a role has the agent's model at the temperature of the strategy's original, as in a run that sets no
 * temperature.
 */
export function isSampledAsOriginal(
  { agentModel }: Pick<EvaluationConfig, 'agentModel'>,
  { temperature = 0 }: Pick<StrategyDefinition, 'temperature'>,
  role: Pick<ModelRole, 'temperature'>,
  model: ModelSettings,
): boolean {
  if (agentModel === null) return false;
  const isOriginal = agentModel.temperature === null || agentModel.temperature === temperature;
  return isOriginal && model.temperature === role.temperature && isSameButTemperature(model, agentModel);
}

function settingText(value: unknown): string {
  if (value === undefined) return 'default';
  return typeof value === 'string' ? value : JSON.stringify(sortKeys(value));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]));
}

/** True if a model with these settings made the continuation, so that it can read it. */
export function isMaker(
  settings: Pick<ModelSettings, 'provider' | 'model' | 'wire'> | null,
  continuation: Continuation,
): boolean {
  if (settings === null) return false;
  const { provider, model, wire = 'chat' } = settings;
  return continuation.provider === provider && continuation.model === model && continuation.wire === wire;
}

/** Returns the configuration with the agent's current address. @param url undefined if unchanged */
export function withAgentUrl(config: EvaluationConfig, url: string | undefined): EvaluationConfig {
  return url === undefined ? config : { ...config, strategyOptions: { ...config.strategyOptions, agentUrl: url } };
}

/** Name of the model of an agent whose calls all go to the model that each call names. */
export const AS_ASKED = 'as-asked';
