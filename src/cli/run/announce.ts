/** A run's messages on stderr other than progress: what starts, where to watch it, and how to resume. */

import { serviceOptions } from '../../agents/index.ts';
import { findRowNote } from '../../results/report/index.ts';
import { storeAddress, describeVariants } from '../../run-log/index.ts';
import type { SweepHandle, TemporalConnection } from '../../temporal/client/index.ts';
import { HUMAN } from '../../agents/users/index.ts';
import {
  describeConditions,
  OWN_MODELS,
  describeAgent,
  describeUser,
  isCalled,
  modelName,
  workflowUrl,
  type EvaluationConfig,
} from '../../evaluation/index.ts';
import { chatCommand } from '../run-log.ts';
import { shownPath, type CliContext } from '../context.ts';
import { SCRIPTED } from '../../models/providers.ts';
import {
  describeTemperatures,
  namedRoleModels,
  describeModel,
  judgeNote,
  type RunOptions,
  type RunRequest,
} from '../../run-setup/index.ts';
import { getContent } from '../../benchmarks/contents.ts';
import { DEFAULTS } from '../../benchmarks/index.ts';

export function announceRun(
  { run, config, pack: packed, plan, maxConcurrency, notes }: RunRequest,
  context: CliContext,
): void {
  const { agentModel, env, split, pack } = config;
  const trials = plan.numTrials === 1 ? '1 trial' : `${plan.numTrials} trials`;
  const tasks = plan.taskIds.length === 1 ? '1 task' : `${plan.taskIds.length} tasks`;
  context.log(`run      ${run.runId}`);
  context.log(`         ${tasks} of ${env} ${split} (pack ${pack.name}) × ${trials}, ${maxConcurrency} at once`);
  const conditions = describeConditions(config);
  if (conditions !== null) context.log(`         each task and trial under ${conditions}`);
  const synthetic = findRowNote(notes);
  if (synthetic !== null) context.log(`         ${synthetic}`);
  const { agentUrl } = serviceOptions(config.strategyOptions);
  context.log(
    agentUrl === undefined
      ? `agent    ${describeAgent(config)}`
      : `agent    ${agentUrl}, ${agentModel === null ? `with ${OWN_MODELS}` : `its model calls by ${modelName(agentModel)}`}`,
  );
  context.log(`         temperature ${describeTemperatures(config)}`);
  const { agentFile } = config.strategyOptions;
  if (agentFile !== undefined) context.log(`         from ${shownPath(agentFile.path, context.cwd)}`);
  for (const [role, model] of namedRoleModels(config)) context.log(`         ${role} with ${describeModel(model)}`);
  const variants = describeVariants({ ...config, roleModels: {} });
  if (variants.length > 0) context.log(`variants ${variants.join(', ')}`);
  context.log(`user     ${describeUser(config)}`);
  const other = otherUserSentence(config);
  if (other !== null) context.log(`         ${other}`);
  const sentences = judgeNote(config, packed, { split, taskIds: plan.taskIds });
  if (sentences !== null) context.log(`judge    ${sentences}`);
  if (config.userStrategy === HUMAN) context.log(`         who answers with: ${chatCommand(run)}`);
  const scripted = scriptedSentence(config);
  if (scripted !== null) context.log(`         ${scripted}`);
  context.log(`run log  ${shownPath(run.logDir, context.cwd)}/${run.runId}`);
}

/**
 * Returns a sentence if published results used another simulated user; null if they used the same one, or if no model
 * simulates the user.
 */
function otherUserSentence({ env, userModel }: EvaluationConfig): string | null {
  const { title, publishedUser } = getContent(env);
  if (publishedUser === undefined || !isCalled(userModel) || userModel.provider === SCRIPTED) return null;
  const isSame = userModel.model.split('/').at(-1)?.startsWith(publishedUser) === true;
  return isSame
    ? null
    : `not ${publishedUser}, the user of ${title}'s published results, which do not compare (docs/users.md)`;
}

/** Returns a sentence on the roles of the scripted model; null if it has none. */
function scriptedSentence(config: EvaluationConfig): string | null {
  const { agentModel, userModel } = config;
  const parts = [['agent', agentModel], ['user', userModel], ...namedRoleModels(config)] as const;
  const who = parts.filter(([, model]) => model?.provider === SCRIPTED).map(([name]) => name);
  if (who.length === 0) return null;
  if (who.length === parts.length) {
    return "agent and user are scripted from the tasks' ground truth: no key is needed, and no model is measured";
  }
  return `scripted from the tasks' ground truth: ${who.join(', ')}`;
}

/** Returns the address of the sweep's page in Temporal UI; null if unknown. */
export function sweepUrl({ uiUrl, namespace }: TemporalConnection, handle: SweepHandle, runId: string): string | null {
  return uiUrl === null ? null : workflowUrl(uiUrl, namespace, handle.workflowId, runId);
}

/** Returns the command that resumes a run. The run log has its configuration, so few flags are needed. */
export function resumeCommand(runId: string, options: RunOptions): string {
  const words = ['npx', 'tauflow', 'resume', runId];
  if (options.logDir !== 'results') words.push('--log-dir', options.logDir);
  if (options.taskQueue !== 'tauflow') words.push('--task-queue', options.taskQueue);
  return words.map(quoteWord).join(' ');
}

/**
 * Returns the command of the worker that a detached sweep needs. This worker also serves the scripted model for the
 * packs that the command names.
 */
export function workerCommand({ config, isScripted, pack, run }: RunRequest, options: RunOptions): string {
  const words = ['npx', 'tauflow', 'worker'];
  if (options.taskQueue !== 'tauflow') words.push('--task-queue', options.taskQueue);
  // A worker writes only to the stores that it is given.
  const address = storeAddress(run.logDir);
  if (address !== null) words.push('--log-dir', address);
  const { agentFile } = config.strategyOptions;
  if (agentFile !== undefined) words.push('--agent-strategy', agentFile.path);
  if (isScripted) {
    const { environment } = config.pack;
    if (environment?.source.kind === 'url') words.push('--env-url', environment.source.url);
    if (config.env !== DEFAULTS.env) words.push('--env', config.env);
    const given = environment?.options ?? {};
    if (Object.keys(given).length > 0) words.push('--env-options', JSON.stringify(given));
    if (options.pack !== undefined) words.push('--pack', pack.ref.path);
  }
  return words.map(quoteWord).join(' ');
}

/** Quotes a word for a POSIX shell. */
function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
