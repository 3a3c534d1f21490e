/** Variants: differences of a configuration from its plain strategy, in a few words each, shown with its figures. */

import { findStrategy, optionVariants } from '../../agents/index.ts';
import { type EvaluationConfig, type ModelSettings, differingSettings } from '../../wire/index.ts';

export function variantsOf(config: EvaluationConfig): string[] {
  const { strategyOptions: options } = config;
  const variants: string[] = [];
  if (options.omitPolicy) variants.push('no policy');
  if (!options.useReasoning) variants.push('no reasoning');
  variants.push(...(options.compat ?? []));
  variants.push(...optionVariants(options, findStrategy(config.strategy, options.agentFile)));
  variants.push(...roleVariants(config));
  if (options.decisionOnly === true) variants.push('decisions only');
  return variants;
}

/** `planner+summary gpt-4o-mini at 0.5`: roles with the same model together, and only what differs from the agent's. */
function roleVariants({ roleModels = {}, agentModel }: EvaluationConfig): string[] {
  const byModel = new Map<string, string[]>();
  for (const [role, model] of Object.entries(roleModels) as [string, ModelSettings][]) {
    const words = modelWords(model, agentModel);
    byModel.set(words, [...(byModel.get(words) ?? []), role.replace(/^agent\//, '')]);
  }
  return Array.from(byModel, ([words, roles]) => `${roles.join('+')} ${words}`);
}

function modelWords(model: ModelSettings, agent: ModelSettings): string {
  const words: string[] = [];
  if (model.provider !== agent.provider) words.push(`${model.provider}/${model.model}`);
  else if (model.model !== agent.model) words.push(model.model);
  words.push(...differingSettings(model, agent));
  return words.length === 0 ? model.model : words.join(' ');
}
