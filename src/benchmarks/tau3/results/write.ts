/**
 * Writes a run as a results file of τ³-bench (tau2-bench 1.x): a JSON document for `Results.load`, `compute_metrics`
 * and `tau2 view`. The domain marks a run of tau-bench. Pure.
 */

import { PyFloat, dumpJson, type DumpableValue } from '../../python/index.ts';
import { findPart, isPartMet } from '../../grade.ts';
import type { ExportedEpisode, ExportedRun } from '../../results-format.ts';
import { splitDomain } from '../../service/domain.ts';
import { tau3Domains } from '../domains.ts';
import { toTermination } from '../termination.ts';
import { toTau2Messages } from './messages.ts';
import { isOfPackage, toSaidInfo, type Tau2Tasks } from './tasks.ts';

/** Prefix of a tau-bench environment's name as the domain of a results file. */
const V1_DOMAIN = 'tau_bench_v1_';
/** The reference's limit of failed calls in an episode. */
const MAX_ERRORS = 10;

/** True for a domain of τ³-bench, or of its own package behind the adapter. */
export function isTau3(env: string): boolean {
  return tau3Domains.has(env) || isOfPackage(env);
}

/** Returns the domain's name in results files: `retail`, or `tau_bench_v1_retail`. */
export function tau2Domain(env: string): string {
  if (isOfPackage(env)) return splitDomain(env).domain;
  return isTau3(env) ? env.replace(/^tau3-/, '') : `${V1_DOMAIN}${env}`;
}

/** Yields pieces of one JSON document; leaves out records without a result. @param records task by task */
export async function* tau2Results(
  manifest: ExportedRun,
  records: AsyncIterable<ExportedEpisode>,
  tasks: Tau2Tasks,
): AsyncGenerator<string, void, undefined> {
  const head = dumpJson({ timestamp: manifest.endedAt ?? manifest.startedAt, info: toRunInfo(manifest, tasks) });
  yield `${head.slice(0, -1)}, "simulations": [`;
  const named = new Map<number, DumpableValue>();
  let separator = '\n';
  for await (const record of records) {
    if (record.outcome.kind === 'cancelled' || record.outcome.kind === 'decision_only') continue;
    const task = named.get(record.taskId) ?? (await tasks.getRawTask(record.taskId)) ?? v1Task(record);
    named.set(record.taskId, task);
    yield `${separator}${dumpJson(simulation(record, readTaskId(task), tasks))}`;
    separator = ',\n';
  }
  yield `], "tasks": ${dumpJson(Array.from(named.values()))}}\n`;
}

function readTaskId(task: DumpableValue): string {
  const id = task instanceof Map ? (task.get('id') as unknown) : (task as { readonly id?: unknown }).id;
  return typeof id === 'string' ? id : '';
}

function toRunInfo({ config, plan, versions }: ExportedRun, { policy }: Tau2Tasks): object {
  const { environment } = config.pack;
  const { retrieval_variant, retrieval_kwargs } = environment?.options ?? {};
  const packageVersion = environment === undefined ? '' : `, ${environment.name} ${environment.version}`;
  return {
    git_commit: `tauflow ${versions['tauflow'] ?? 'unknown'}${packageVersion}`,
    num_trials: plan.numTrials,
    max_steps: config.maxSteps,
    max_errors: MAX_ERRORS,
    user_info: { implementation: userImplementation(config), ...toLlmFields(config.userModel) },
    agent_info: { implementation: agentImplementation(config), ...toLlmFields(config.agentModel) },
    environment_info: { domain_name: tau2Domain(config.env), policy },
    seed: config.seed,
    retrieval_config: retrieval_variant,
    retrieval_config_kwargs: retrieval_kwargs,
  };
}

type Config = ExportedRun['config'];

/**
 * Returns the name of the agent's implementation: the reference's for the reference's agent and user, this program's
 * for others.
 */
export function agentImplementation({ env, strategy }: Pick<Config, 'env' | 'strategy'>): string {
  return isTau3(env) && strategy === 'tool-calling' ? 'llm_agent' : `tauflow_${strategy}`;
}

export function userImplementation({ env, userStrategy }: Pick<Config, 'env' | 'userStrategy'>): string {
  return isTau3(env) && userStrategy === 'llm' ? 'user_simulator' : `tauflow_${userStrategy}`;
}

/** Returns a model's name as LiteLLM has it. */
export function llmName({ provider, model }: NonNullable<Config['agentModel']>): string {
  return `${provider}/${model}`;
}

/** Returns the fields of the model's name and arguments; null for an agent that calls its own models. */
export function toLlmFields(settings: Config['agentModel']): object {
  if (settings === null) return { llm: null, llm_args: null };
  const { temperature, top_p, reasoning_effort } = settings;
  return { llm: llmName(settings), llm_args: { temperature: temperature ?? undefined, top_p, reasoning_effort } };
}

function simulation(record: ExportedEpisode, taskId: string, tasks: Tau2Tasks): object {
  const { runId, trial, config, startedAt, endedAt, durationMs } = record;
  return {
    id: `${runId}-${String(record.taskId)}-${String(trial)}`,
    task_id: taskId,
    timestamp: startedAt,
    start_time: startedAt,
    end_time: endedAt,
    duration: durationMs / 1000,
    termination_reason: toTermination(record.outcome.kind),
    agent_cost: sumSideCosts(record, 'agent'),
    user_cost: sumSideCosts(record, 'user'),
    reward_info: tasks.createRewardInfo(record) ?? v1RewardInfo(record),
    messages: toTau2Messages(record.trajectory, isTau3(config.env)),
    trial,
    seed: config.seed,
    ...('message' in record.outcome ? { info: { error: record.outcome.message } } : {}),
  };
}

function sumSideCosts({ usage }: ExportedEpisode, side: 'agent' | 'user'): number | null {
  const costs = usage.filter(({ role }) => role === side || role.startsWith(`${side}/`)).map(({ costUsd }) => costUsd);
  return costs.some((cost) => cost === null) ? null : costs.reduce<number>((sum, cost) => sum + Number(cost), 0);
}

/** Converts a task of tau-bench to τ³-bench's form. */
function v1Task({ taskId, task }: ExportedEpisode): object {
  return {
    id: task.name ?? String(taskId),
    user_scenario: { instructions: task.instruction },
    evaluation_criteria: {
      actions: task.actions.map(({ name, kwargs, requestor }, at) => ({
        action_id: `${String(taskId)}_${String(at)}`,
        name,
        arguments: kwargs,
        requestor,
      })),
      communicate_info: task.outputs,
      nl_assertions: task.sentences,
      reward_basis: ['DB', 'COMMUNICATE'],
    },
  };
}

/** Converts the reward and checks by tau-bench's rules. */
function v1RewardInfo({ reward, grade }: ExportedEpisode): object {
  const outputs = grade === null ? [] : (findPart(grade, 'outputs')?.checks ?? []);
  const isRight = grade !== null && isPartMet(grade, 'data');
  return {
    reward: new PyFloat(Number(reward)),
    ...(grade === null ? {} : { db_check: { db_match: isRight, db_reward: isRight ? 1 : 0 } }),
    communicate_checks: outputs.map(({ wanted, isMet }) => toSaidInfo(wanted ?? '', isMet === true)),
    reward_basis: ['DB', 'COMMUNICATE'],
    info: { benchmark: 'tau-bench v1' },
  };
}
