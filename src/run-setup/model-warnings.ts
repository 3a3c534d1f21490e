/** Warnings about flags without an effect in a run, one sentence each. */

import { usualPrice } from '../models/index.ts';
import {
  givenPrice,
  modelName,
  listCalledModels,
  type EvaluationConfig,
  type ModelSettings,
} from '../evaluation/index.ts';
import type { RunOptions } from './parse.ts';

/** Returns a sentence if flags set the agent's model, although the agent calls its own models. */
export function ownModelWarnings(options: RunOptions, agent: ModelSettings | null): string[] {
  if (agent !== null) return [];
  const { temperature, maxCompletionTokens, agentModelSettings = {}, own } = options;
  const { temperature: _, max_completion_tokens: __, reasoning_effort: effort, ...further } = agentModelSettings;
  const isGiven = {
    '--temperature': temperature !== undefined,
    '--max-completion-tokens': maxCompletionTokens !== undefined && maxCompletionTokens !== null,
    '--reasoning-effort': effort !== undefined,
    '--agent-model-settings': Object.keys(further).length > 0,
    '--agent-model': own['agentModel'] !== undefined,
  };
  const flags = Object.entries(isGiven).flatMap(([flag, given]) => (given ? [flag] : []));
  if (flags.length === 0) return [];
  const many = flags.length === 1 ? 'has' : 'have';
  return [
    `${flags.join(', ')} ${many} no effect, because the agent calls models of its own; --model-provider has them called here.`,
  ];
}

/** Returns a sentence if no call of a run adds to its budget. */
export function budgetWarnings(config: EvaluationConfig, maxCostUsd: number | null | undefined): string[] {
  if (maxCostUsd === null || maxCostUsd === undefined) return [];
  if (config.agentModel === null) {
    return [`--max-cost ${String(maxCostUsd)} counts of the agent's own model calls only what the agent reports.`];
  }
  const models = listCalledModels(config);
  const costs = models.map(
    ({ provider, model }) => givenPrice(config, { provider, model }) ?? usualPrice(provider, model),
  );
  if (costs.some((price) => price === 'reported' || (price !== null && (price.input > 0 || price.output > 0))))
    return [];
  const names = [...new Set(models.map(modelName))].join(' and ');
  const why = costs.includes(null)
    ? `no price is known for ${names}; give one with --prices FILE`
    : `calls of ${names} cost nothing`;
  return [`--max-cost ${String(maxCostUsd)} can never stop this run: ${why}.`];
}
