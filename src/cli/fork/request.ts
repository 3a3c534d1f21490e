/** The request for a fork, from its flags and its origin's record. All bad input is found here, before any start. */

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  findStrategy,
  optionValue,
  withOptionValues,
  type CallRole,
  type StrategyDefinition,
  type StrategyOptions,
} from '../../agents/index.ts';
import { RESPOND, STOP_MARKER } from '../../benchmark/index.ts';
import { findPackByRef, type Pack } from '../../packs/index.ts';
import { type EpisodeRecord, type RunLog, type RunManifest, runDifferences } from '../../results/log/index.ts';
import {
  forkName,
  parseForkableName,
  type EpisodeKey,
  type EvaluationConfig,
  givenPrice,
  isSampledAsOriginal,
  modelOf,
  modelsOf,
  tokenCapOf,
  type ModelPrice,
} from '../../wire/index.ts';
import type { CliContext } from '../context.ts';
import { UsageError } from '../../errors/index.ts';
import { openLog } from '../run-log.ts';
import type { RunFlags } from '../run/flags.ts';
import { parseRunOptions, type RunOptions, type RawRunOptions } from '../run/options.ts';
import { readSavedPrices, choosePrices, modelName, pricesOf } from '../run/prices.ts';
import { chooseStrategy, requireDomain, type ChosenStrategy } from '../run/request.ts';
import { HUMAN, OUTSIDE, userCompat } from '../../users/index.ts';
import { chooseRoleModels, chooseTokenCaps, chosenRoleModel, otherModel } from '../run/models.ts';
import { chooseOwnValues, requireVariants } from '../run/strategy-options.ts';

/** User strategies whose simulators can continue from corrected words (`UserSimulator.correct`). */
const CORRECTABLE: ReadonlySet<string> = new Set(['llm']);

export interface AskedFork {
  readonly log: RunLog;
  readonly episode: EpisodeKey;
  /** The name of the origin: `task-17.trial-0`, or a fork's. */
  readonly origin: string;
  readonly record: EpisodeRecord;
  readonly config: EvaluationConfig;
  readonly pack: Pack;
  readonly options: RunOptions;
  readonly atStep: number;
  readonly observation: string | undefined;
  readonly changes: readonly string[];
  /** One sentence each. */
  readonly warnings: readonly string[];
}

/** @throws UsageError, ResultsError with one sentence each */
export async function resolveFork(
  runId: string,
  name: string,
  flags: RunFlags,
  context: CliContext,
): Promise<AskedFork> {
  const { atStep: step, observation: text, observationFile, ...shared } = flags.options;
  const early = parseRunOptions(shared);
  const log = openLog(runId, early.logDir, context.cwd);
  const { record, manifest, episode, origin } = await readOrigin(log, name);
  const before = originConfig(record, manifest);
  const asBefore = before.strategyOptions.agentFile?.path ?? before.strategy;
  const word = shared.agentStrategy === undefined ? asBefore : early.agentStrategy;
  const chosen = await chooseStrategy(word, context.cwd);
  const own = flags.readOwn?.(chosen.agentFile === undefined ? undefined : chosen.strategy) ?? {};
  const given = { ...shared, ...own };
  const options = parseRunOptions(given);
  const config = forkConfig(before, options, given, chosen, readSavedPrices(log), context.cwd);
  const observation = await readObservation(text, observationFile, context);
  const atStep = parseStep(step, record);
  requireStep(atStep, record, config, observation);
  if (observation !== undefined) requireCorrectable(atStep, record, observation);
  requireTakeOver(config, before);
  return {
    log,
    episode,
    origin,
    record,
    config,
    pack: await findPack(config, context),
    options,
    atStep,
    observation,
    changes: changesOf(before, config, atStep, observation),
    warnings: unpricedModels(before, config).map(
      (model) =>
        `the prices that ${runId} was given have none of ${model}: its calls are counted by the price list; ` +
        'name a file that has it with --prices',
    ),
  };
}

async function readOrigin(
  log: RunLog,
  name: string,
): Promise<{ record: EpisodeRecord; manifest: RunManifest; episode: EpisodeKey; origin: string }> {
  const named = parseForkableName(name);
  if (named === null) {
    throw new UsageError(
      `"${name}" is not an episode; one is written task-17.trial-0, as its record in the run log is.`,
    );
  }
  const { episode, fork } = named;
  const manifest = await log.readRun();
  const record = await (fork === undefined ? log.readEpisode(episode) : log.readFork(episode, fork));
  if (record === null || manifest === null) {
    const folder = fork === undefined ? log.paths.episodes : log.paths.forks;
    throw new UsageError(
      `the run ${log.runId} has no ${manifest === null ? 'run.json' : `record of ${name} in ${folder}`}; ` +
        'an episode can be forked when it has ended.',
    );
  }
  return { record, manifest, episode, origin: fork === undefined ? name : forkName(episode, fork) };
}

function parseStep(given: unknown, { steps }: EpisodeRecord): number {
  if (typeof given === 'string' && /^[1-9]\d*$/.test(given)) return Number(given);
  const problem = given === undefined ? 'name the first step to take anew with --at-step' : '--at-step counts from 1';
  throw new UsageError(`${problem}; the episode has ${steps.length} steps.`);
}

/** The part after the last step can be tried again if the episode did not end with that step. */
function requireStep(
  atStep: number,
  { steps, outcome, config }: EpisodeRecord,
  { maxSteps }: EvaluationConfig,
  observation: string | undefined,
): void {
  if (config.userStrategy === HUMAN) {
    throw new UsageError('the user was a person, whose messages cannot be repeated.');
  }
  if (config.userStrategy === OUTSIDE) {
    throw new UsageError('an outside harness took the steps (--decisions stdio), and its environment is not here.');
  }
  if (outcome.kind === 'decision_only') {
    throw new UsageError('the agent was only to decide (--decision-only): there is no step to begin at.');
  }
  const isOver = outcome.kind === 'transferred' || (outcome.kind === 'user_stop' && observation === undefined);
  const last = steps.length + (isOver ? 0 : 1);
  if (atStep > last) {
    const why = isOver && atStep === last + 1 ? `, and ended with the last of them (${outcome.kind})` : '';
    throw new UsageError(`the episode has ${steps.length} steps${why}; --at-step can be 1 to ${last}.`);
  }
  if (atStep > maxSteps) {
    throw new UsageError(`with ${maxSteps} steps none is left to take at step ${atStep}; raise --max-steps.`);
  }
}

/** @throws UsageError for words of the user that end the conversation, or that the simulated user cannot take */
function requireCorrectable(atStep: number, { actions, config }: EpisodeRecord, observation: string): void {
  const last = actions[atStep - 2];
  if (last !== undefined && last.name !== RESPOND) return;
  if (observation.includes(STOP_MARKER)) {
    throw new UsageError(`--observation contains ${STOP_MARKER}, which ends the conversation before step ${atStep}.`);
  }
  if (CORRECTABLE.has(config.userStrategy)) return;
  throw new UsageError(
    `the message of the user cannot be corrected with the user strategy ${config.userStrategy}; ` +
      'begin at a step that follows a tool.',
  );
}

function requireTakeOver(config: EvaluationConfig, before: EvaluationConfig): void {
  if (
    config.strategy === before.strategy ||
    findStrategy(config.strategy, config.strategyOptions.agentFile)?.takeOver !== undefined
  )
    return;
  throw new UsageError(
    `the agent strategy ${config.strategy} cannot take over a conversation that another one has begun; ` +
      `leave out --agent-strategy to continue with ${before.strategy}.`,
  );
}

async function readObservation(text: unknown, file: unknown, { cwd }: CliContext): Promise<string | undefined> {
  if (text !== undefined && file !== undefined) {
    throw new UsageError('give --observation or --observation-file, not both.');
  }
  if (typeof file !== 'string') return typeof text === 'string' ? text : undefined;
  try {
    // An editor ends a file's last line.
    return (await readFile(resolve(cwd, file), 'utf8')).replace(/\r?\n$/, '');
  } catch {
    throw new UsageError(`the file ${file} cannot be read; check the path given with --observation-file.`);
  }
}

async function findPack({ pack: ref }: EvaluationConfig, { home }: CliContext): Promise<Pack> {
  const pack = await findPackByRef(ref, { home });
  if (pack !== undefined) return pack;
  throw new UsageError(
    `the pack ${ref.name} of this run (digest ${ref.digest.slice(0, 12)}) is not here any more; ` +
      `put it back to ${ref.path}, or import it again.`,
  );
}

/**
 * Configuration of an episode: from its record, because a fork's differs from its run's; what the record lacks is the
 * run's. The response cache is left out, because a fork makes its calls anew.
 */
export function originConfig(
  { config }: EpisodeRecord,
  {
    config: { responseCache: _, roleModels: __, maxCompletionTokens: ___, prices: runPrices = [], ...run },
  }: RunManifest,
): EvaluationConfig {
  const {
    strategy,
    strategyOptions: options,
    roleModels,
    maxCompletionTokens,
    maxRetries = run.maxRetries,
    prices = runPrices,
  } = config;
  const { compat: ____, ...ofRun } = run.strategyOptions;
  return {
    ...run,
    ...withPrices(prices),
    maxRetries,
    strategy,
    strategyOptions: {
      ...(strategy === run.strategy ? ofRun : { omitPolicy: options.omitPolicy, useReasoning: options.useReasoning }),
      ...(options.compat === undefined ? {} : { compat: options.compat }),
    },
    agentModel: config.agentModel,
    ...(roleModels === undefined ? {} : { roleModels }),
    ...(maxCompletionTokens === undefined ? {} : { maxCompletionTokens }),
    userModel: config.userModel,
    maxSteps: config.maxSteps,
    seed: config.seed,
  };
}

/**
 * @param options the flags, with defaults for what `given` does not have
 * @param chosen the strategy; a file's may have been changed since, and is the origin's all the same while its name is
 * @param runPrices all that its run was given, those of models that the run did not use as well
 * @param cwd where `--prices` is
 * @throws UsageError
 */
export function forkConfig(
  before: EvaluationConfig,
  options: RunOptions,
  given: RawRunOptions,
  { strategy, ...agent }: ChosenStrategy,
  runPrices: readonly ModelPrice[] = [],
  cwd = '.',
): EvaluationConfig {
  const { model, modelProvider, userModel: userModelName, userModelProvider } = options;
  const { agentModelSettings, userModelSettings } = options;
  requireDomain(strategy, before.env);
  const isSame = strategy.name === before.strategy;
  const { roleModels: __, maxCompletionTokens: _, prices: pricesBefore = [], ...rest } = before;
  const agentModel = otherModel(
    '',
    named({
      model,
      modelProvider,
      temperature: options.temperature,
      modelSettings: agentModelSettings,
    }),
    before.agentModel,
  );
  const { roles, kept } = forkedRoles(options, before, isSame ? strategy : {});
  const temperature = options.temperature ?? agentModel.temperature;
  const roleModels = {
    ...(isSame ? kept : {}),
    ...chooseRoleModels({ roles, temperature }, strategy, agentModel),
  };
  const { omitPolicy, useReasoning } = before.strategyOptions;
  const userModel = otherModel(
    'user-',
    named({
      model: userModelName,
      modelProvider: userModelProvider,
      temperature: userModelSettings?.temperature,
      modelSettings: userModelSettings,
    }),
    before.userModel,
  );
  const compat = given.compat === undefined ? keptVariants(before, isSame) : options.compat;
  if (given.compat !== undefined) requireVariants({ compat, userStrategy: before.userStrategy }, strategy);
  const { compat: ___, ...optionsBefore } = before.strategyOptions;
  const ownKeys = new Set((strategy.options ?? []).map(({ key }) => key.split('.')[0]));
  const sharedBefore = {
    omitPolicy,
    useReasoning,
    ...Object.fromEntries(Object.entries(optionsBefore).filter(([key]) => !ownKeys.has(key))),
  };
  const models = modelsOf({ agentModel, roleModels, userModel });
  const { prices: ownPrices = [] } = choosePrices(options.prices, models, cwd);
  return {
    ...rest,
    ...withPrices(pricesOf([...ownPrices, ...pricesBefore, ...runPrices], models)),
    strategy: strategy.name,
    strategyOptions: {
      // What else a strategy can be given means something to itself alone.
      ...(isSame ? sharedBefore : { omitPolicy, useReasoning }),
      ...(compat.length === 0 ? {} : { compat }),
      ...forkedOptions(options, strategy, isSame ? optionsBefore : {}, cwd),
      ...agent,
    },
    maxRetries: given.maxRetries === undefined ? before.maxRetries : options.maxRetries,
    agentModel,
    ...(Object.keys(roleModels).length === 0 ? {} : { roleModels }),
    ...chooseTokenCaps(
      forkedCaps(options, before, { agentModel, userModel, roleModels }, isSame ? strategy : {}),
      strategy,
      { agent: agentModel, user: userModel },
      roleModels,
    ),
    userModel,
    maxSteps: given.maxSteps === undefined ? before.maxSteps : options.maxSteps,
    seed: given.seed === undefined ? before.seed : options.seed,
  };
}

/**
 * The fork's models that are counted by the price list, where its origin's were counted at given prices: two costs that
 * do not compare.
 */
export function unpricedModels({ prices: before = [] }: EvaluationConfig, config: EvaluationConfig): string[] {
  if (before.length === 0) return [];
  const unpriced = modelsOf(config).filter((model) => givenPrice(config, model) === undefined);
  return [...new Set(unpriced.map(modelName))];
}

function withPrices(prices: readonly ModelPrice[]): Pick<EvaluationConfig, 'prices'> {
  return prices.length === 0 ? {} : { prices };
}

/** Another agent strategy has none of the agent's variants; the simulated user stays as it was. */
function keptVariants({ strategyOptions: { compat = [] }, userStrategy }: EvaluationConfig, isSame: boolean) {
  return isSame ? compat : compat.filter((name) => Object.hasOwn(userCompat[userStrategy] ?? {}, name));
}

/** One text for each thing that is another than in the origin: `agent_model.model: gpt-4o, now gpt-5`. */
function changesOf(
  before: EvaluationConfig,
  config: EvaluationConfig,
  atStep: number,
  observation: string | undefined,
): string[] {
  const plan = { taskIds: [], numTrials: 1, shuffle: false };
  const changes = runDifferences({ config: before, plan }, { config, plan });
  if (observation === undefined) return changes;
  const what = atStep === 1 ? "the user's first message" : `the observation of step ${atStep - 1}`;
  return [...changes, `${what}: ${JSON.stringify(observation)}`];
}

/**
 * A role that was sampled as the strategy's original does follows the fork's agent model, at its temperature unless the
 * fork names one for all; any other model of a role is kept.
 */
function forkedRoles(
  { roles, temperature }: RunOptions,
  before: EvaluationConfig,
  strategy: Pick<StrategyDefinition, 'modelRoles' | 'temperature'>,
): { readonly roles: RunOptions['roles']; readonly kept: NonNullable<EvaluationConfig['roleModels']> } {
  const kept = { ...before.roleModels };
  const forked: RunOptions['roles'] = { ...roles };
  for (const role of strategy.modelRoles ?? []) {
    const model = chosenRoleModel(role, before);
    if (model === undefined || !isSampledAsOriginal(before, strategy, role, model)) continue;
    for (const call of role.calls) Reflect.deleteProperty(kept, call);
    if (temperature === undefined) forked[role.name] = { temperature: model.temperature, ...roles[role.name] };
  }
  return { roles: forked, kept };
}

/** The cap that the flags give, else the origin's if its model stays. */
function forkedCaps(
  options: RunOptions,
  before: EvaluationConfig,
  now: Pick<EvaluationConfig, 'agentModel' | 'userModel' | 'roleModels'>,
  { modelRoles = [] }: Pick<StrategyDefinition, 'modelRoles'>,
) {
  const kept = (call: CallRole) => {
    const [model, other] = [modelOf(now, call), modelOf(before, call)];
    return model.provider === other.provider && model.model === other.model ? tokenCapOf(before, call) : undefined;
  };
  const { maxCompletionTokens = kept('agent'), userMaxCompletionTokens = kept('user') } = options;
  const roles: RunOptions['roles'] = { ...options.roles };
  for (const { name, calls } of modelRoles) {
    const [call] = calls;
    if (call === undefined || roles[name]?.maxCompletionTokens !== undefined) continue;
    // A role that had the agent's cap has what the agent has now.
    const hadOwn = before.roleModels?.[call] !== undefined || before.maxCompletionTokens?.[call] !== undefined;
    const cap = hadOwn ? kept(call) : undefined;
    if (cap !== undefined) roles[name] = { ...roles[name], maxCompletionTokens: cap };
  }
  return { maxCompletionTokens, userMaxCompletionTokens, roles };
}

/** The strategy's own options as the flags give them, else as they were. */
function forkedOptions(
  { own }: RunOptions,
  strategy: StrategyDefinition,
  before: Partial<StrategyOptions>,
  cwd: string,
): Record<string, unknown> {
  const { options = [] } = strategy;
  const values = new Map(options.map((option) => [option.key, optionValue(option, before)]));
  for (const [key, value] of chooseOwnValues(own, strategy, cwd)) values.set(key, value);
  return withOptionValues(options, values);
}

type Named<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function named<T extends object>(values: T): Named<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Named<T>;
}
