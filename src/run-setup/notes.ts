/** Notes on the configuration for readers of the figures, one sentence each, which `run.json` contains. */

import type { StrategyDefinition } from '../agents/index.ts';
import { getBenchmark, isServiceDomain, type Task } from '../benchmarks/index.ts';
import { type EvaluationConfig, type ModelSettings, type ModelPrice, formatModel } from '../evaluation/index.ts';
import { isGenerated, type Pack } from '../benchmarks/packs/index.ts';
import { SCRIPTED_NOTE, formatSyntheticNote } from '../results/report/index.ts';
import { HUMAN, OUTSIDE } from '../agents/users/index.ts';
import { SCRIPTED } from '../models/providers.ts';
import { namedRoleModels } from './role-models.ts';

/** @param warnings warnings about contradicting options */
export function listNotes(
  config: EvaluationConfig,
  strategy: StrategyDefinition,
  pack: Pick<Pack, 'source'>,
  warnings: readonly string[],
): string[] {
  const { omitPolicy, useReasoning, decisionOnly, agentFile } = config.strategyOptions;
  const notes = [
    ...(isGenerated(pack) ? [formatSyntheticNote(config.pack.name, config.env)] : []),
    ...scriptedNotes(config),
  ];
  if (agentFile !== undefined) {
    notes.push(`The agent ${strategy.name} is from ${agentFile.path} (sha256 ${agentFile.digest.slice(0, 12)}).`);
  }
  if (config.userStrategy === HUMAN) {
    notes.push('The user was a person (--user-strategy human): these scores do not compare with any published ones.');
  }
  if (config.userStrategy === OUTSIDE) {
    notes.push(
      'An outside harness took the steps and answered for the user (--decisions stdio): there is no score here.',
    );
  }
  if (decisionOnly === true) {
    notes.push('The agent was only to decide (--decision-only): no action was taken, and there is no score.');
  }
  if (omitPolicy) notes.push('The policy was left out of the agent’s prompts (--omit-policy).');
  if (!useReasoning) notes.push('The agent acted without reasoning (--no-use-reasoning).');
  for (const price of config.prices ?? []) notes.push(priceNote(price));
  if (config.responseCache !== undefined) {
    notes.push(
      'Calls could be answered by the completions of earlier runs (--response-cache): where they were, these episodes ' +
        'repeat earlier ones and are not new samples.',
    );
  }
  for (const [role, model] of namedRoleModels(config)) {
    notes.push(`The role ${role} had a model of its own: ${describeModel(model)}.`);
  }
  const own = typeof strategy.notes === 'function' ? strategy.notes(config.strategyOptions) : strategy.notes;
  return [...notes, ...(own ?? []), ...warnings];
}

/** Returns a sentence on the judging of sentences in the run's tasks; null if they have none. */
export function judgeNote(
  { judgeModel }: Pick<EvaluationConfig, 'judgeModel'>,
  pack: Pick<Pack, 'domain' | 'splits'>,
  { split, taskIds }: { readonly split: string; readonly taskIds: readonly number[] },
): string | null {
  const { judging } = getBenchmark(pack.domain).grading;
  const findSentences = (task: Task | undefined) => (task === undefined ? [] : (judging?.listSentences(task) ?? []));
  const judged = taskIds.filter((id) => findSentences(pack.splits[split]?.[id]).length > 0).length;
  if (judged === 0) return null;
  const tasks = `${judged} of ${taskIds.length} tasks`;
  // τ³-bench has a name for the part.
  const [unjudged, part] = isServiceDomain(pack.domain)
    ? ['Sentences are', '']
    : ['NL_ASSERTION is', ' (NL_ASSERTION)'];
  return judgeModel === undefined
    ? `${unjudged} not judged (no --judge-model): the score is without the sentences of ${tasks}.`
    : `The sentences of ${tasks}${part} are judged by ${describeModel(judgeModel)}.`;
}

function priceNote({ provider, model, input, cachedInput, cacheWrite, output }: ModelPrice): string {
  const cached = cachedInput === undefined ? '' : `${cachedInput} cached input, `;
  const written = cacheWrite === undefined ? '' : `${cacheWrite} cache writes, `;
  return `${provider}/${model} was counted at given prices (--prices): ${input} USD per million input tokens, ${cached}${written}${output} output.`;
}

/** Describes a model: `openai/gpt-4o-mini at temperature 0.5`. */
export function describeModel(model: ModelSettings): string {
  return formatModel(model, 'at temperature');
}

function scriptedNotes(config: EvaluationConfig): string[] {
  const { agentModel, userModel } = config;
  if (agentModel?.provider === SCRIPTED) {
    return [
      `${SCRIPTED_NOTE}${agentModel.model}): it plays from the tasks' ground truth, so these scores say ` +
        'nothing about any agent or language model.',
    ];
  }
  const notes: string[] = [];
  if (userModel.provider === SCRIPTED) {
    notes.push(
      `The simulated user was scripted (${userModel.model}), so these scores do not compare with any published ones.`,
    );
  }
  const roles = namedRoleModels(config).filter(([, { provider }]) => provider === SCRIPTED);
  if (roles.length > 0) {
    const names = roles.map(([role]) => role).join(', ');
    notes.push(
      `The model of ${names} was scripted: it knows the tasks' ground truth, so these scores measure no agent.`,
    );
  }
  return notes;
}
