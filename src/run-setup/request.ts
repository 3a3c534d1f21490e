/** Creates the request of a sweep from options. Finds all invalid input before the start. */

import {
  adaptStrategy,
  findStrategy,
  isAgentFile,
  strategies,
  type StrategyDefinition,
  type StrategyOptions,
} from '../agents/index.ts';
import { resolve } from 'node:path';
import { SCRIPTED } from '../models/providers.ts';
import { getContent, contents } from '../benchmarks/contents.ts';
import { countEpisodes, DEFAULTS, domains, isServiceDomain } from '../benchmarks/index.ts';
import { dumpJson } from '../benchmarks/python/index.ts';
import { loadAgent } from '../agents/from-file/index.ts';
import { configurationDigest, keepPricesIn, retirementWarnings } from '../models/index.ts';
import { listWords, resolvePack, toolName, type Pack, type PackRef } from '../benchmarks/packs/index.ts';
import { checkRunId, makeRunId, resolveLogPlace, storeAddress } from '../run-log/index.ts';
import { HUMAN, userStrategies } from '../agents/users/index.ts';
import {
  AGENT_SERVICE,
  CONFIG,
  MOST_UNASKED,
  NO_MODEL,
  OWN_MODELS,
  hasUser,
  listCalledModels,
  listCalledProviders,
  type EvaluationConfig,
  type SweepPlan,
  type SweepInput,
} from '../evaluation/index.ts';
import { UsageError } from '../errors/index.ts';
import { suggestName } from '../io/index.ts';
import { formatCount } from '../results/document/index.ts';
import { type RawRunOptions, DEFAULT_STRATEGY } from './options/index.ts';
import type { RunOptions } from './parse.ts';
import { keyedConfig } from './record.ts';
import { identified } from '../agent-service/index.ts';
import { chooseRequestTimeout, chooseStrategyOptions, requireDisplays } from './strategy-options.ts';
import { askedTemperature, chooseJudge, chooseModels, temperatureWarnings } from './models.ts';
import { chooseRoleModels, chooseTokenCaps } from './role-models.ts';
import { budgetWarnings, ownModelWarnings } from './model-warnings.ts';
import { judgeNote, listNotes } from './notes.ts';
import { choosePrices } from './prices.ts';
import { chooseConditions } from './conditions.ts';
import { chooseTasks } from './tasks.ts';

export interface RunRequest extends Pick<SweepInput, 'run' | 'config' | 'plan' | 'maxConcurrency' | 'maxCostUsd'> {
  readonly pack: Pack;
  readonly isScripted: boolean;
  /** Contradictions in the configuration, one sentence each, printed before the sweep starts. */
  readonly warnings: readonly string[];
  /** Notes for readers of the results, one sentence each, warnings included. */
  readonly notes: readonly string[];
}

interface RequestContext {
  readonly cwd: string;
  /** Folder of TAUFLOW_HOME. */
  readonly home: string;
  /** Environment with the key of an agent that is a service. @default none */
  readonly env?: NodeJS.ProcessEnv;
  readonly now: Date;
}

/**
 * Refuses an outside harness if the episode needs its own environment, or if the simulated user has tools. @throws
 * UsageError
 */
function requireOwnSteps({ ref, domain, userTools = [] }: Pack, { decisions, userStrategy }: RunOptions): void {
  const { title, allowsOutsideSteps } = getContent(domain);
  if (decisions === 'stdio' && !allowsOutsideSteps) {
    const allowing = contents.filter((benchmark) => benchmark.allowsOutsideSteps).map((benchmark) => benchmark.title);
    throw new UsageError(
      `--decisions stdio is for packs of ${listWords(allowing, 'or')}, and ${ref.name} is of ${title}; leave it out.`,
    );
  }
  if (userStrategy === HUMAN && !hasUser(ref)) {
    throw new UsageError(`the environment ${domain} has no user (rules solo); leave --user-strategy ${HUMAN} out.`);
  }
  if (userStrategy === HUMAN && userTools.length > 0) {
    throw new UsageError(
      `the user of the pack ${ref.name} calls tools, which a person cannot; leave --user-strategy ${HUMAN} out.`,
    );
  }
}

/** Values of a demonstration, a `run` without a model and a pack: several trials with a model that sometimes errs. */
const DEMO = { model: 'oracle:0.8', numTrials: 4, maxConcurrency: 8 } as const;

/** Fills in the demonstration's values for missing options; changes no other command line. */
export function demoOptions(raw: RawRunOptions): RawRunOptions {
  const isDemo =
    raw.model === undefined &&
    raw.modelProvider === undefined &&
    raw.pack === undefined &&
    raw['agentUrl'] === undefined &&
    // A human user does not want to talk through four trials of every task.
    raw.userStrategy !== HUMAN &&
    raw.decisions !== 'stdio' &&
    raw.roleModels === undefined;
  return isDemo ? DEMO : {};
}

function withRequestTimeout(ref: PackRef, requestTimeout: number | undefined): PackRef {
  const { environment } = ref;
  return environment === undefined ? ref : { ...ref, environment: { ...environment, requestTimeout } };
}

/**
 * @param recorded configuration of the resumed run
 * @throws UsageError, PackError, ResultsError with one sentence each
 */
export async function resolveRequest(
  options: RunOptions,
  context: RequestContext,
  recorded?: EvaluationConfig,
): Promise<RunRequest> {
  if (!isServiceDomain(options.env)) requireKnown('--env', options.env, [...domains.keys()]);
  const { strategy, ...agent } = await chooseStrategy(strategyWord(options), context.cwd);
  const isOutside = options.decisions === 'stdio';
  if (!isOutside) requireKnown('--user-strategy', options.userStrategy, Object.keys(userStrategies));
  const isAdapted = isServiceDomain(options.env) && strategy.commandsOfTools !== undefined;
  if (!isAdapted) requireDomain(strategy, options.env);
  const chosen = chooseStrategyOptions(options, strategy, context.cwd);
  const ownOptions = strategy.name === AGENT_SERVICE ? await identified(chosen, { env: {}, ...context }) : chosen;
  const kept = recorded === undefined ? [] : listCalledModels(recorded);
  const before = recorded?.strategy === strategy.name ? recorded : undefined;
  const named = chooseModels(options, strategy, kept);
  const roleModels = chooseRoleModels(options, strategy, named.agent, before);
  const judge = chooseJudge(options, named.agent, kept);
  const others = [...Object.values(roleModels), judge.judgeModel].filter((model) => model !== undefined);
  const logDir = resolveLogPlace(options.logDir, context.cwd);
  if (options.keepRequests && storeAddress(logDir) !== null) {
    throw new UsageError(
      `--keep-requests keeps them on disks only, and the log is in ${logDir}; leave one of them out.`,
    );
  }
  keepPricesIn(context.home);
  const service = { url: options.envUrl, options: options.envOptions, replays: options.envReplays };
  const pack = await resolvePack(options.env, options.pack, { home: context.home, environ: context.env }, service);
  // Earlier versions recorded a user model that a run without a user never calls.
  const models = hasUser(pack.ref) ? named : { ...named, user: recorded?.userModel ?? NO_MODEL };
  const commands = isAdapted ? strategy.commandsOfTools?.make(dumpJson([...pack.tools])) : undefined;
  // A run keeps its commands, which another version of this program may make otherwise.
  const toolCommands = before?.strategyOptions.toolCommands ?? commands;
  const strategyOptions = commands === undefined ? ownOptions : { ...ownOptions, toolCommands };
  const isSimulated = !isOutside && options.userStrategy !== HUMAN;
  if (isSimulated && !Object.hasOwn(pack.userPrompts.strategies, options.userStrategy)) {
    throw new UsageError(`the pack ${pack.ref.name} has no prompts for the user strategy "${options.userStrategy}".`);
  }
  const conditions = await chooseConditions(options.conditions, {
    ...{ pack, strategyOptions, isSimulated, isOutside, recorded },
    seed: options.seed,
    cwd: context.cwd,
  });
  const plan: SweepPlan = {
    taskIds: chooseTasks(pack, options),
    numTrials: options.numTrials ?? 1,
    shuffle: options.shuffle,
    conditions: conditions.length === 0 ? undefined : conditions.map(({ name }) => name),
  };
  requireOwnSteps(pack, options);
  requireDisplays(strategyOptions, { pack, taskSplit: options.taskSplit, taskIds: plan.taskIds });
  const fresh: EvaluationConfig = {
    ...keyedConfig(options),
    pack: withRequestTimeout(pack.ref, chooseRequestTimeout(options) ?? recorded?.pack.environment?.requestTimeout),
    strategy: strategy.name,
    strategyOptions: { ...strategyOptions, ...agent },
    agentModel: models.agent,
    ...(Object.keys(roleModels).length === 0 ? {} : { roleModels }),
    userModel: models.user,
    ...judge,
    conditions: plan.conditions && conditions,
    ...chooseTokenCaps(options, strategy, models, roleModels, judge.judgeModel, before),
    ...choosePrices(
      options.prices,
      [...(models.agent === null ? [] : [models.agent]), models.user, ...others],
      context.cwd,
    ),
  };
  const config = options.responseCache ? { ...fresh, responseCache: configurationDigest(fresh) } : fresh;
  const runId =
    options.runId === undefined ? makeRunId(runIdWords(options, config), context.now) : checkRunId(options.runId);
  const warnings = [
    ...(adaptStrategy(strategy, strategyOptions).check?.({
      env: config.env,
      tools: pack.tools.map(toolName),
      options: strategyOptions,
    }) ?? []),
    ...(commands === undefined
      ? []
      : [
          `${strategy.name} has no trained commands for ${pack.domain}: its ${commands.length} are made of the tools' schemas.`,
        ]),
    ...ownModelWarnings(options, models.agent),
    ...temperatureWarnings([models.agent, ...others], askedTemperature(options, strategy)),
    ...temperatureWarnings([models.user], options.userModelSettings?.temperature ?? null),
    ...budgetWarnings(config, options.maxCost),
  ];
  const isScripted = listCalledProviders(config).includes(SCRIPTED);
  const sentences = judgeNote(config, pack, { split: config.split, taskIds: plan.taskIds });
  return {
    run: { runId, logDir },
    config,
    plan,
    maxConcurrency: options.maxConcurrency ?? 1,
    maxCostUsd: options.maxCost ?? null,
    pack,
    isScripted,
    // Notes stay with the results, but these warnings change with time.
    warnings: [...warnings, ...(await retirementWarnings(config, context.home, context.now))],
    notes: [...listNotes(config, strategy, pack, warnings), ...(sentences === null ? [] : [sentences])],
  };
}

/**
 * Refuses a run with far more episodes than a benchmark has, because it is usually a typing mistake.
 * @param before the plan of an existing run, which may continue
 * @throws UsageError
 */
export function requireYes({ plan, config }: RunRequest, { yes }: RunOptions, before: SweepPlan | null = null): void {
  const [asked, has] = [plan, before].map((each) => (each === null ? 0 : countEpisodes(each)));
  if (yes || asked === undefined || asked <= Math.max(MOST_UNASKED, has ?? 0)) return;
  const { taskIds, numTrials } = plan;
  throw new UsageError(
    `this would run ${formatCount(asked)} episodes (${taskIds.length} tasks × ${numTrials} trials) with ` +
      `${config.agentModel?.model ?? OWN_MODELS}, more than ${formatCount(MOST_UNASKED)}; see its cost with --dry-run, and give --yes to start it.`,
  );
}

function requireKnown(flag: string, name: string, known: readonly string[]): void {
  if (!known.includes(name)) throw unknownName(flag, name, known);
}

function unknownName(flag: string, name: string, known: readonly string[]): UsageError {
  return new UsageError(`unknown ${flag} "${name}"${suggestName(name, known)}; this version has: ${known.join(', ')}.`);
}

function requireStrategy(name: string): StrategyDefinition {
  const strategy = findStrategy(name);
  if (strategy === undefined) throw unknownName('--agent-strategy', name, Object.keys(strategies));
  return strategy;
}

export interface ChosenStrategy extends Pick<StrategyOptions, 'agentFile'> {
  readonly strategy: StrategyDefinition;
}

/** Returns the requested agent strategy; for a service's URL the strategy of services. */
function strategyWord({ agentStrategy, own }: Pick<RunOptions, 'agentStrategy' | 'own'>): string {
  return own['agentUrl'] !== undefined && agentStrategy === DEFAULT_STRATEGY ? AGENT_SERVICE : agentStrategy;
}

/**
 * @param word the name of a strategy, or the path of a file with one
 * @throws UsageError, AgentFileError
 */
export async function chooseStrategy(word: string, cwd: string): Promise<ChosenStrategy> {
  if (Object.hasOwn(strategies, word) || !isAgentFile(word)) return { strategy: requireStrategy(word) };
  const { strategy, file } = await loadAgent(resolve(cwd, word));
  return { strategy, agentFile: file };
}

export function requireDomain({ name, domains: made }: StrategyDefinition, env: string): void {
  if (made === undefined || made.includes(env)) return;
  throw new UsageError(`the agent strategy ${name} is made for ${made.join(', ')}, not for the env ${env}.`);
}

/** Returns the words of a run id: the strategy, the agent's model, and other given settings. */
function runIdWords(options: RunOptions, { env, strategy, agentModel }: EvaluationConfig): string[] {
  const { temperature, startIndex, endIndex, userModel, userStrategy } = options;
  return [
    ...(env === DEFAULTS.env ? [] : [env]),
    strategy,
    ...(agentModel === null ? [] : [lastSegment(agentModel.model)]),
    ...(temperature === undefined ? [] : [`t${temperature ?? 'default'}`]),
    ...(startIndex === 0 && endIndex === -1 ? [] : [`tasks-${startIndex}-${endIndex === -1 ? 'end' : endIndex}`]),
    // A human user is no model, whatever the flag says.
    ...(userModel === undefined || userStrategy === 'human' ? [] : [`user-${lastSegment(userModel)}`]),
    ...(userStrategy === CONFIG.userStrategy.option.default ? [] : [userStrategy]),
  ];
}

function lastSegment(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1);
}
