/** What is read off an episode's record in passing: the summary that its workflow returned, its turns. */

import { RESPOND } from '../../benchmark/index.ts';
import type { EpisodeSummary } from '../../wire/index.ts';
import type { EpisodeRecord } from './record.schema.ts';
import { sumCosts } from './record.ts';

/** The part of a record that a sweep needs when it finds the episode already done. */
export function summarizeRecord(record: EpisodeRecord): EpisodeSummary {
  const costOf = (isRole: (role: string) => boolean) =>
    sumCosts(record.usage.filter((usage) => isRole(usage.role)).map((usage) => usage.cost_usd));
  const total = (field: 'calls' | 'extra_attempts' | 'prompt_tokens' | 'completion_tokens') =>
    record.usage.reduce((sum, usage) => sum + usage[field], 0);
  return {
    episode: { taskId: record.task_id, trial: record.trial },
    reward: record.reward,
    outcome: record.outcome.kind,
    error: 'message' in record.outcome ? record.outcome.message.slice(0, 200) : null,
    steps: record.steps.length,
    turns: countTurns(record),
    calls: total('calls'),
    extraAttempts: total('extra_attempts'),
    promptTokens: total('prompt_tokens'),
    completionTokens: total('completion_tokens'),
    agentCostUsd: costOf((role) => role === 'agent' || role.startsWith('agent/')),
    userCostUsd: costOf((role) => role === 'user' || role.startsWith('user/')),
    durationMs: record.duration_ms,
  };
}

/** How often the agent spoke to the user. */
export function countTurns(record: EpisodeRecord): number {
  return record.steps.filter((step) => step.name === RESPOND).length;
}
