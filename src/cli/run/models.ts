/** Which models a run uses: those asked for, or the scripted model where none is. */

import {
  PROVIDERS,
  SCRIPTED,
  ProviderError,
  namesOf,
  providerModel,
  providerNames,
  providerRow,
  takesTemperature,
} from '../../models/providers.ts';
import { HUMAN } from '../../users/index.ts';
import { NO_MODEL, type ModelConfig } from '../../wire/index.ts';
import { UsageError } from '../../errors/index.ts';
import type { RunOptions } from './options.schema.ts';

export { SCRIPTED };
/** Never errs. */
export const PERFECT = 'oracle';

export interface RunModels {
  readonly agent: ModelConfig;
  readonly user: ModelConfig;
}

/**
 * @throws UsageError when a model comes without a provider, or the other way round
 */
export function chooseModels(options: RunOptions): RunModels {
  const agent = chooseAgent(options);
  // The reference takes a user model here too, and does not use it.
  if (options.userStrategy === HUMAN) return { agent, user: NO_MODEL };
  const isScripted = agent.provider === SCRIPTED;
  const implied = options.userModel === undefined ? undefined : impliedProvider(options.userModel);
  const usual = isScripted && !options.userModel ? SCRIPTED : 'openai';
  const userProvider = options.userModelProvider ?? implied ?? usual;
  const userModel = options.userModel ?? (userProvider === SCRIPTED ? PERFECT : 'gpt-4o');
  return { agent, user: checkedModel('--user-model-provider', userProvider, userModel, null) };
}

function chooseAgent({ model, modelProvider, temperature }: RunOptions): ModelConfig {
  if (model === undefined) {
    if (modelProvider === undefined || modelProvider === SCRIPTED) {
      return { provider: SCRIPTED, model: PERFECT, temperature };
    }
    throw new UsageError(`--model-provider ${modelProvider} needs a --model, such as --model gpt-4o.`);
  }
  const provider = modelProvider ?? impliedProvider(model);
  if (provider !== undefined) return checkedModel('--model-provider', provider, model, temperature);
  throw new UsageError(`--model ${model} needs a --model-provider; ${providersSentence()}.`);
}

/** LiteLLM's `openai/gpt-4o` names its provider; so does the scripted model's own name. */
export function impliedProvider(model: string): string | undefined {
  const prefix = PROVIDERS.find((row) => namesOf(row).some((name) => model.startsWith(`${name}/`)));
  if (prefix !== undefined) return prefix.name;
  if (/^oracle(?:$|[:+])/.test(model)) return SCRIPTED;
  return undefined;
}

export function providersSentence(): string {
  return `known are: ${providerNames()}`;
}

/**
 * @returns the model under its provider's own names, without a temperature where it takes none
 * @throws UsageError for an unknown provider
 */
export function checkedModel(flag: string, provider: string, model: string, temperature: number | null): ModelConfig {
  try {
    const { name } = providerRow(provider);
    const isTaken = temperature !== null && takesTemperature(name, model, temperature);
    return { provider: name, model: providerModel(name, model), temperature: isTaken ? temperature : null };
  } catch (error) {
    if (error instanceof ProviderError) throw new UsageError(`${flag}: ${error.message}.`);
    throw error;
  }
}

/** One sentence for each model that is asked without the temperature that was asked for. */
export function temperatureWarnings(models: readonly ModelConfig[], temperature: number | null): string[] {
  if (temperature === null) return [];
  return models
    .filter(({ provider, model }) => !takesTemperature(provider, model, temperature))
    .map(({ provider, model }) => `${provider}/${model} takes no temperature but its own: none is sent.`);
}
