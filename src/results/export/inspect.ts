/**
 * A run as an Inspect log (`inspect view`, `inspect_ai.log.read_eval_log`), version 2 of its JSON. Pure.
 *
 * An episode is a sample, its trial the epoch, which Inspect counts from 1. An infrastructure error is the sample's error,
 * so Inspect leaves it out of its scores; running out of steps is a limit. Inspect requires `status`, `eval`, `plan` and
 * `stats` before `samples`, because its lists read only these.
 */

import { dumpJson, parseObject } from '../../benchmarks/python/index.ts';
import { RESPOND, isServiceDomain } from '../../benchmarks/index.ts';
import { sha256 } from '../../io/index.ts';
import { rowOfRecord, type EpisodeNote, type EpisodeRecord, type RunManifest } from '../../run-log/index.ts';
import { episodeName } from '../../evaluation/index.ts';
import { sumCosts } from '../../episode/index.ts';
import { firstFault, isScored, isSuspectRow } from '../metrics/index.ts';
import type { Report } from '../report/index.ts';

type TrajectoryMessage = EpisodeRecord['trajectory'][number];
type RecordedToolCall = NonNullable<Extract<TrajectoryMessage, { role: 'assistant' }>['tool_calls']>[number];

/** Yields pieces of one JSON document. @param records task by task */
export async function* inspectLog(
  report: Report,
  manifest: RunManifest,
  records: AsyncIterable<EpisodeRecord>,
): AsyncGenerator<string, void, undefined> {
  const head = dumpJson(logHead(report, manifest));
  const notes = new Map(report.episodeNotes.map((note) => [episodeName(note), note]));
  let separator = `${head.slice(0, -1)}, "samples": [`;
  for await (const record of records) {
    yield `${separator}\n${dumpJson(sample(manifest.runId, record, notes.get(episodeName(record))))}`;
    separator = ',';
  }
  yield separator === ',' ? '\n]}\n' : `${separator}]}\n`;
}

function logHead({ subject, metrics, tasks }: Report, manifest: RunManifest): object {
  const { config, plan, runId, startedAt, endedAt } = manifest;
  const usage = metrics.costs.roles;
  return {
    version: 2,
    status: STATUS[manifest.status],
    eval: {
      eval_id: runId,
      run_id: runId,
      created: startedAt,
      task: taskName(manifest),
      task_id: taskId(manifest),
      task_version: config.pack.digest.slice(0, 12),
      task_args: { split: config.split },
      solver: config.strategy,
      solver_args: config.strategyOptions,
      dataset: { name: config.pack.name, samples: tasks.length, sample_ids: tasks.map(({ taskId }) => taskId) },
      model: modelName(config.agentModel),
      model_generate_config: generateConfig(config.agentModel ?? {}),
      model_roles: {
        user: { model: modelName(config.userModel), config: generateConfig(config.userModel) },
        ...Object.fromEntries(
          Object.entries(config.roleModels ?? {}).flatMap(([role, model]) =>
            model === undefined ? [] : [[role, { model: modelName(model), config: generateConfig(model) }]],
          ),
        ),
      },
      config: { epochs: plan.numTrials, max_samples: manifest.maxConcurrency, fail_on_error: false },
      packages: manifest.versions,
      metadata: { max_steps: config.maxSteps, seed: config.seed, variants: subject.variants },
    },
    plan: {
      name: 'plan',
      steps: [{ solver: config.strategy, params: config.strategyOptions }],
      config: generateConfig(config.agentModel ?? {}),
    },
    results: {
      total_samples: plan.taskIds.length * plan.numTrials,
      completed_samples: metrics.episodes,
      scores: [{ name: 'reward', scorer: 'tau_bench', metrics: scoreMetrics(metrics.errorsAsFailures) }],
    },
    stats: {
      started_at: startedAt,
      completed_at: endedAt ?? '',
      model_usage: usageByModel({ usage, config }),
      role_usage: Object.fromEntries(usage.map((role) => [role.role, tokenUsage(role, role.costUsd)])),
    },
  };
}

function taskName({ config }: RunManifest): string {
  return isServiceDomain(config.env) ? config.env.replace(':', '_') : `tau_bench_${config.env}`;
}

/**
 * Returns an id of letters and digits only, because Inspect reads it from the file name, up to the first other
 * character.
 */
function taskId({ runId }: RunManifest): string {
  return sha256([runId]).slice(0, 22);
}

/** Returns the file's name: start time, task, run id and task id. Inspect lists only JSON logs with such names. */
export function inspectFileName(manifest: RunManifest): string {
  const { startedAt, runId } = manifest;
  const parts = [`${startedAt.slice(0, 19)}+00:00`, taskName(manifest), runId.slice(0, 100), taskId(manifest)];
  return `${parts.map((part) => part.replace(/[^A-Za-z0-9.]/g, '-')).join('_')}.json`;
}

/** True if Inspect lists a log of that name. */
export function isListedByInspect(fileName: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d.*\.json$/.test(fileName);
}

/** Inspect's status of a run; `cancelled` is its only word for a run that ended early. */
const STATUS = {
  running: 'started',
  completed: 'success',
  failed: 'error',
  incomplete: 'cancelled',
  budget_reached: 'cancelled',
  cancelled: 'cancelled',
} as const satisfies Readonly<Record<RunManifest['status'], string>>;

type AgentModel = NonNullable<RunManifest['config']['agentModel']>;

/**
 * Returns the model's name. `none/none` is Inspect's name of no model, such as for an agent that calls its own models.
 */
function modelName(model: Pick<AgentModel, 'provider' | 'model'> | null): string {
  return model === null ? 'none/none' : `${model.provider}/${model.model}`;
}

/** Returns the settings that Inspect knows. */
function generateConfig({ temperature, top_p, reasoning_effort, seed }: Partial<AgentModel>): object {
  return { temperature: temperature ?? undefined, top_p, reasoning_effort, seed };
}

function scoreMetrics({ averageReward, passHatK }: Report['metrics']['errorsAsFailures']): object {
  const figures = [
    ...(averageReward === null ? [] : [['mean', averageReward] as const]),
    ...passHatK.map(({ k, value }) => [`pass_hat_${String(k)}`, value] as const),
  ];
  return Object.fromEntries(figures.map(([name, value]) => [name, { name, value }]));
}

function sample(runId: string, record: EpisodeRecord, note: EpisodeNote | undefined): object {
  const { taskId, trial, task, trajectory, usage, config, outcome } = record;
  const row = rowOfRecord(record);
  const messages = trajectory.map((message) => chatMessage(message, modelName(config.agentModel)));
  const last = messages.findLast(({ role }) => role === 'assistant');
  const model = modelName(config.agentModel);
  return {
    id: taskId,
    epoch: trial + 1,
    uuid: `${runId}/${episodeName(record)}`,
    input: task.instruction,
    target: [...task.actions.map(({ name, kwargs }) => `${name} ${dumpJson(kwargs)}`), ...task.outputs],
    messages,
    output: {
      model,
      choices: last === undefined ? [] : [{ message: last, stop_reason: 'stop' }],
      completion: lastAnswer(record),
    },
    scores: isScored(row) && outcome.kind !== 'infrastructure_error' ? { reward: score(record) } : undefined,
    metadata: {
      outcome: outcome.kind,
      user_id: task.userId,
      steps: record.steps.length,
      turns: row.turns,
      cost_usd: record.totalCostUsd,
      workflow_run_id: record.workflowRunId,
      counts: record.counts,
      labels: note?.labels,
      note: note?.text,
    },
    model_usage: usageByModel(record),
    role_usage: Object.fromEntries(usage.map((role) => [role.role, tokenUsage(role, role.costUsd)])),
    started_at: record.startedAt,
    completed_at: record.endedAt,
    total_time: record.durationMs / 1000,
    working_time: record.durationMs / 1000,
    ...toSampleEnd(record),
  };
}

/** Returns Inspect's error or limit of the sample. A model's error is only a score of 0. */
function toSampleEnd({ outcome, config }: EpisodeRecord): object {
  const error = (message: string) => ({ error: { message, traceback: message, traceback_ansi: message } });
  if (outcome.kind === 'infrastructure_error') return error(outcome.message);
  if (outcome.kind === 'cancelled') return error('The episode was canceled.');
  return outcome.kind === 'max_steps' ? { limit: { type: 'custom', limit: config.maxSteps, reason: 'max_steps' } } : {};
}

function score(record: EpisodeRecord): object {
  const row = rowOfRecord(record);
  const fault = firstFault(row);
  const info = record.rewardInfo?.info;
  return {
    value: record.reward,
    answer: lastAnswer(record),
    explanation: fault?.sentence ?? record.gradeError ?? undefined,
    metadata: {
      reward_info: info,
      fault: fault?.kind,
      fault_type: fault?.faultType,
      fault_step: fault?.step,
      faults: (record.analysis?.faults ?? []).map(({ kind, step, sentence }) => ({ kind, step, sentence })),
      suspect_user: isSuspectRow(row),
    },
  };
}

/** Returns the agent's last message to the user; empty if there is none. */
function lastAnswer({ actions }: EpisodeRecord): string {
  const said = actions.findLast(({ name }) => name === RESPOND)?.kwargs.get('content');
  return typeof said === 'string' ? said : '';
}

interface ChatMessage {
  readonly role: TrajectoryMessage['role'];
  readonly [field: string]: unknown;
}

function chatMessage(message: TrajectoryMessage, model: string): ChatMessage {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.content };
    case 'tool': {
      const { tool_call_id: id, name, content } = message;
      return { role: 'tool', content, tool_call_id: id, function: name };
    }
    case 'assistant': {
      const { reasoning_content: reasoning, tool_calls: calls } = message;
      const text = message.content ?? '';
      const thought = { type: 'reasoning', reasoning };
      return {
        role: 'assistant',
        content: reasoning === undefined ? text : [thought, { type: 'text', text }],
        tool_calls: calls?.length ? calls.map(toolCall) : undefined,
        model,
        source: 'generate',
      };
    }
  }
}

/** Converts a call. Arguments that are not a JSON object get Inspect's form: `raw`, and a parse error. */
function toolCall({ id, function: { name, arguments: text } }: RecordedToolCall): object {
  const parsed = parseObject(text);
  const call = { id, function: name, type: 'function' };
  return parsed === null
    ? { ...call, arguments: { raw: text }, parse_error: 'The arguments are not a JSON object.' }
    : { ...call, arguments: parsed };
}

interface ModelCalls {
  readonly usage: readonly RoleTokens[];
  readonly config: Pick<RunManifest['config'], 'agentModel' | 'userModel' | 'roleModels'>;
}

function usageByModel({ usage, config }: ModelCalls): object {
  const { agentModel, userModel } = config;
  const roleModels: Readonly<Record<string, AgentModel | undefined>> = config.roleModels ?? {};
  const byModel = new Map<string, RoleTokens[]>();
  for (const figures of usage) {
    const own = figures.role === 'user' || figures.role.startsWith('user/') ? userModel : agentModel;
    const name = modelName(roleModels[figures.role] ?? own);
    byModel.set(name, [...(byModel.get(name) ?? []), figures]);
  }
  return Object.fromEntries([...byModel].map(([name, figures]) => [name, sumUsage(figures)]));
}

function sumUsage(figures: readonly RoleTokens[]): object {
  const sum = (field: keyof TokenUsage) => figures.reduce((total, each) => total + (each[field] ?? 0), 0);
  return tokenUsage(
    {
      promptTokens: sum('promptTokens'),
      completionTokens: sum('completionTokens'),
      cachedTokens: sum('cachedTokens'),
      cacheWriteTokens: sum('cacheWriteTokens'),
      reasoningTokens: sum('reasoningTokens'),
    },
    sumCosts(figures.map(({ costUsd }) => costUsd)),
  );
}

type RecordedUsage = EpisodeRecord['usage'][number];
type TokenUsage = Pick<
  RecordedUsage,
  'promptTokens' | 'completionTokens' | 'cachedTokens' | 'cacheWriteTokens' | 'reasoningTokens'
>;
type RoleTokens = TokenUsage & { readonly role: string; readonly costUsd: number | null };

/** Converts usage. Inspect's input tokens exclude tokens read from a cache or written to it. */
function tokenUsage(tokens: TokenUsage, cost: number | null) {
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens = 0, reasoningTokens } = tokens;
  return {
    input_tokens: promptTokens - cachedTokens - cacheWriteTokens,
    output_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    input_tokens_cache_read: cachedTokens,
    input_tokens_cache_write: cacheWriteTokens || undefined,
    reasoning_tokens: reasoningTokens,
    total_cost: cost,
  };
}
