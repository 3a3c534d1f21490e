/** A run for Every Eval Ever, schema 0.3.0: a line per graded episode, and the aggregate beside them. Pure. */

import { dumpJson, parseObject } from '../../benchmarks/python/index.ts';
import type { ExportedEpisode } from '../../benchmarks/contents.ts';
import { sha256 } from '../../io/index.ts';
import { isScored } from '../metrics/index.ts';
import type { Report } from '../report/index.ts';
import { rowOfRecord, type EpisodeRecord, type RunManifest } from '../../run-log/index.ts';
import { sumAgentUsage } from './agent-usage.ts';
import { toExportedEpisode } from './results-file.ts';

const SCHEMA = '0.3.0';
const RESULT = 'reward:mean';
const DETAILS = { deployment_type: 'unknown', model_availability: 'unknown' };

type TrajectoryPart = ExportedEpisode['trajectory'][number];

export async function* everyEvalEverInstances(
  manifest: RunManifest,
  records: AsyncIterable<EpisodeRecord>,
): AsyncGenerator<string, void, undefined> {
  for await (const record of records) {
    if (isScored(rowOfRecord(record))) yield `${JSON.stringify(toInstance(manifest, record))}\n`;
  }
}

function toInstance(manifest: RunManifest, record: EpisodeRecord): object {
  const { task, trial, reward, outcome, durationMs } = record;
  const messages = toExportedEpisode(record).trajectory;
  const usage = sumAgentUsage(record);
  const reference = [...task.actions.map(({ name, kwargs }) => `${name} ${dumpJson(kwargs)}`), ...task.outputs];
  return {
    schema_version: SCHEMA,
    evaluation_id: evaluationId(manifest),
    model_id: modelId(manifest),
    evaluation_name: evaluationName(manifest),
    evaluation_result_id: RESULT,
    sample_id: String(record.taskId),
    sample_hash: sha256([task.instruction, ...reference]),
    interaction_type: 'agentic',
    input: { raw: task.instruction, reference },
    output: null,
    messages: messages.map(toMessage),
    answer_attribution: [],
    evaluation: {
      score: reward,
      is_correct: reward === 1,
      num_turns: Math.max(1, messages.length),
      tool_calls_count: messages.reduce((sum, { tool_calls: calls = [] }) => sum + calls.length, 0),
    },
    token_usage:
      usage === null
        ? null
        : {
            input_tokens: usage.promptTokens,
            output_tokens: usage.completionTokens,
            total_tokens: usage.promptTokens + usage.completionTokens,
            input_tokens_cache_read: usage.cachedTokens,
            reasoning_tokens: usage.reasoningTokens,
          },
    performance: { generation_time_ms: durationMs },
    error: 'message' in outcome ? outcome.message : null,
    metadata: { epoch: String(trial + 1), outcome: outcome.kind },
  };
}

function toMessage({ role, content, tool_calls: calls, tool_call_id: answered }: TrajectoryPart, at: number): object {
  return {
    turn_idx: at,
    role,
    content: typeof content === 'string' ? content : null,
    tool_calls: calls?.map(({ id, function: { name, arguments: text } }) => ({ id, name, arguments: toTexts(text) })),
    tool_call_id: answered === undefined ? null : [answered],
  };
}

/** Writes all arguments as texts, because the schema allows no others. */
function toTexts(text: string): Readonly<Record<string, string>> {
  const values = [...(parseObject(text) ?? new Map([['raw', text]]))];
  return Object.fromEntries(values.map(([name, value]) => [name, typeof value === 'string' ? value : dumpJson(value)]));
}

/**
 * Returns the path of the instances in the project's data, which names files by UUIDs. It is the same for the same run.
 */
export function everyEvalEverPath(manifest: RunManifest): string {
  const digits = sha256([manifest.runId, manifest.startedAt]);
  const [a, b, c, d, e] = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(13, 16),
    digits.slice(17, 20),
    digits.slice(20, 32),
  ];
  const folders = ['data', manifest.config.env, ...modelId(manifest).split('/')].map((name) =>
    name.replaceAll(/[/:]/g, '_'),
  );
  return [...folders.slice(0, 3), folders.slice(3).join('_'), `${a}-${b}-4${c}-8${d}-${e}_samples.jsonl`].join('/');
}

/** @param file SHA-256 and number of lines of the file with the instances */
export function everyEvalEverAggregate(
  { metrics }: Report,
  manifest: RunManifest,
  file: { readonly checksum: string; readonly rows: number },
  now: Date,
): object {
  const { config, startedAt, versions } = manifest;
  const { averageReward, interval } = metrics.errorsAsFailures;
  const source = { dataset_name: config.pack.name, source_type: 'other' };
  return {
    schema_version: SCHEMA,
    evaluation_id: evaluationId(manifest),
    evaluation_timestamp: String(Date.parse(startedAt) / 1000),
    retrieved_timestamp: String(now.getTime() / 1000),
    source_metadata: {
      source_name: 'Tauflow',
      source_type: 'evaluation_run',
      source_organization_name: 'FILL IN',
      evaluator_relationship: 'other',
    },
    eval_library: { name: 'tauflow', version: versions['tauflow'] ?? 'unknown' },
    model_info: {
      name: modelId(manifest),
      id: modelId(manifest),
      developer: config.agentModel?.provider,
      additional_details: DETAILS,
    },
    evaluation_results: [
      {
        evaluation_result_id: RESULT,
        evaluation_name: evaluationName(manifest),
        source_data: source,
        metric_config: {
          metric_id: 'mean_reward',
          metric_name: 'average reward',
          lower_is_better: false,
          score_type: 'continuous',
          min_score: 0,
          max_score: 1,
        },
        score_details: {
          score: averageReward ?? 0,
          uncertainty: {
            num_samples: metrics.errorsAsFailures.episodes,
            confidence_interval:
              interval === null
                ? undefined
                : { lower: interval.low, upper: interval.high, confidence_level: interval.level, method: 'Wilson' },
          },
        },
        generation_config: { generation_args: { temperature: config.agentModel?.temperature } },
      },
    ],
    detailed_evaluation_results: {
      format: 'jsonl',
      file_path: everyEvalEverPath(manifest),
      hash_algorithm: 'sha256',
      checksum: file.checksum,
      total_rows: file.rows,
    },
  };
}

function modelId({ config: { agentModel } }: RunManifest): string {
  return agentModel === null ? 'unknown/own-models' : `${agentModel.provider}/${agentModel.model}`;
}

function evaluationName({ config }: RunManifest): string {
  return `${config.env}/${config.split}`;
}

function evaluationId(manifest: RunManifest): string {
  return `${evaluationName(manifest)}/${modelId(manifest).replaceAll('/', '_')}/${manifest.runId}`;
}
