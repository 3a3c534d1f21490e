/** Which model makes which calls of an evaluation. */

import type { CallRole } from '../agents/index.ts';
import type { EvaluationConfig, ModelConfig, ModelPrice } from './config.ts';
import { isUserRole } from './usage.ts';

/** Stands in a configuration where a person is the user: no provider has it, and nobody calls it. */
export const NO_MODEL: ModelConfig = { provider: 'human', model: 'human', temperature: null };

/** `llm with openai/gpt-4o`, or that it is a person. */
export function describeUser({
  userStrategy,
  userModel,
}: Pick<EvaluationConfig, 'userStrategy' | 'userModel'>): string {
  if (userModel.provider === NO_MODEL.provider) return 'a person';
  return `${userStrategy} with ${userModel.provider}/${userModel.model}`;
}

type Models = Pick<EvaluationConfig, 'agentModel' | 'roleModels' | 'userModel'>;

/** The model of a role: its own, else the agent's for what the agent does. */
export function modelOf({ agentModel, roleModels = {}, userModel }: Models, role: CallRole): ModelConfig {
  if (isUserRole(role)) return userModel;
  return (Object.hasOwn(roleModels, role) ? roleModels[role] : undefined) ?? agentModel;
}

/** How many tokens a completion of a role may have; null: as many as the provider allows. */
export function tokenCapOf(
  { maxCompletionTokens: caps = {} }: Pick<EvaluationConfig, 'maxCompletionTokens'>,
  role: CallRole,
): number | null {
  const own = Object.hasOwn(caps, role) ? caps[role] : undefined;
  return (own === undefined ? caps[isUserRole(role) ? 'user' : 'agent'] : own) ?? null;
}

/** The models that an evaluation calls; one that makes the calls of several roles is there as often. */
export function modelsOf({ agentModel, roleModels = {}, userModel }: Models): ModelConfig[] {
  const models = [agentModel, userModel, ...Object.values(roleModels)];
  return models.flatMap((model) => (model === undefined || model.provider === NO_MODEL.provider ? [] : [model]));
}

/** The providers whose calls an evaluation makes, each once: a run needs a worker for every one of them. */
export function providersOf(models: Models): string[] {
  return [...new Set(modelsOf(models).map(({ provider }) => provider))];
}

/** What the evaluation says of a model's price; undefined where the price list does. */
export function givenPrice(
  { prices = [] }: Pick<EvaluationConfig, 'prices'>,
  { provider, model }: Pick<ModelConfig, 'provider' | 'model'>,
): ModelPrice | undefined {
  return prices.find((price) => price.provider === provider && price.model === model);
}
