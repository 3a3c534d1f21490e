/**
 * Episodes as trajectories of Harbor, ATIF 1.7, one per line. A step of the agent contains its calls and their results.
 * Steps have no metrics, because the record has only the usage of the whole episode. Pure.
 */

import { jsonObject } from '../../io/index.ts';
import { episodeName } from '../../evaluation/index.ts';
import type { ExportedEpisode } from '../../benchmarks/contents.ts';
import type { EpisodeRecord, RunManifest } from '../../run-log/index.ts';
import { sumAgentUsage } from './agent-usage.ts';
import { toExportedEpisode } from './results-file.ts';

type TrajectoryPart = ExportedEpisode['trajectory'][number];

interface Step {
  readonly step_id: number;
  readonly source: 'system' | 'user' | 'agent';
  readonly message: string;
  readonly tool_calls?: readonly object[];
  observation?: { readonly results: object[] };
}

export async function* atifTrajectories(
  manifest: RunManifest,
  records: AsyncIterable<EpisodeRecord>,
): AsyncGenerator<string, void, undefined> {
  for await (const record of records) yield `${JSON.stringify(toTrajectory(manifest, record))}\n`;
}

function toTrajectory({ versions, label }: RunManifest, record: EpisodeRecord): object {
  const { runId, taskId, trial, config, outcome } = record;
  const steps = toSteps(toExportedEpisode(record).trajectory);
  const usage = sumAgentUsage(record);
  const isGraded = outcome.kind !== 'infrastructure_error' && outcome.kind !== 'cancelled';
  return {
    schema_version: 'ATIF-v1.7',
    session_id: `${runId}/${episodeName(record)}`,
    agent: {
      name: label,
      version: versions['tauflow'] ?? 'unknown',
      model_name: config.agentModel === null ? undefined : `${config.agentModel.provider}/${config.agentModel.model}`,
      extra: { strategy: config.strategy, options: config.strategyOptions },
    },
    steps,
    final_metrics: {
      total_prompt_tokens: usage?.promptTokens,
      total_completion_tokens: usage?.completionTokens,
      total_cached_tokens: usage?.cachedTokens,
      total_cost_usd: usage?.costUsd ?? undefined,
      total_steps: steps.length,
    },
    extra: {
      task: `${config.env}/${config.split}/${String(taskId)}`,
      trial,
      outcome: outcome.kind,
      reward: isGraded ? record.reward : undefined,
      total_cost_usd: record.totalCostUsd,
    },
  };
}

const SOURCES = { system: 'system', user: 'user', assistant: 'agent' } as const;

function toSteps(messages: readonly TrajectoryPart[]): Step[] {
  const steps: Step[] = [];
  for (const { role, content, tool_calls: calls = [], tool_call_id: answered } of messages) {
    const last = steps.at(-1);
    const text = typeof content === 'string' ? content : '';
    if (role === 'tool' && last !== undefined) {
      last.observation = {
        results: [...(last.observation?.results ?? []), { source_call_id: answered, content: text }],
      };
      continue;
    }
    steps.push({
      step_id: steps.length + 1,
      source: SOURCES[role as keyof typeof SOURCES] ?? 'user',
      message: text,
      tool_calls: calls.length === 0 ? undefined : calls.map(toCall),
    });
  }
  return steps;
}

/** Converts a call; ATIF allows only objects as arguments. */
function toCall({
  id,
  function: { name, arguments: text },
}: NonNullable<TrajectoryPart['tool_calls']>[number]): object {
  return { tool_call_id: id, function_name: name, arguments: jsonObject(text) ?? { raw: text } };
}
