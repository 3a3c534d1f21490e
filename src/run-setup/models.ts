/** Models of a run, by side and by role of the strategy: requested ones, otherwise the scripted model. */

import {
  PROVIDERS,
  SCRIPTED,
  modelCapabilities,
  listProviderNames,
  providerModel,
  providerNames,
  providerRow,
  refusedEffort,
  refusedTemperature,
  takesTemperature,
} from '../models/providers.ts';
import { HUMAN, OUTSIDE } from '../agents/users/index.ts';
import {
  AGENT_SERVICE,
  AS_ASKED,
  NO_MODEL,
  USUAL_USER,
  isCalled,
  furtherSettings,
  type EvaluationConfig,
  type ModelSettings,
} from '../evaluation/index.ts';
import { modelSettings } from '../evaluation/kinds.schema.ts';
import type { GivenModel } from '../evaluation/model-settings.schema.ts';
import { contents } from '../benchmarks/contents.ts';
import { listWords } from '../benchmarks/packs/index.ts';
import { getBenchmark } from '../benchmarks/index.ts';
import { UsageError, withContext } from '../errors/index.ts';
import type { RunOptions } from './parse.ts';
import type { StrategyDefinition } from '../agents/index.ts';

/** Name of the scripted agent that never errs. */
const PERFECT = 'oracle';

export interface RunModels {
  /** Model of the agent; null: the agent calls its own models. */
  readonly agent: ModelSettings | null;
  readonly user: ModelSettings;
}

/** Temperature of the strategy's original. @default tau-bench's 0 */
type SampledStrategy = Pick<StrategyDefinition, 'temperature'> & Partial<Pick<StrategyDefinition, 'name'>>;

/** Returns the requested temperature; null for the provider's default. */
export function askedTemperature(
  { temperature: asked }: Pick<RunOptions, 'temperature'>,
  { temperature = 0 }: SampledStrategy,
) {
  return asked === undefined ? temperature : asked;
}

/**
 * @param strategy strategy whose temperature is the agent's default
 * @param recorded models of the resumed run, which keeps their settings
 * @throws UsageError for a model without a provider, or a provider without a model
 */
export function chooseModels(
  options: RunOptions,
  strategy: SampledStrategy = {},
  recorded: readonly ModelSettings[] = [],
): RunModels {
  const agent =
    strategy.name === AGENT_SERVICE && leavesAgentAlone(options) ? null : chooseAgent(options, strategy, recorded);
  // The reference accepts a user model here too, and ignores it.
  if (!isSimulated(options)) return { agent, user: NO_MODEL };
  const usual = agent?.provider === SCRIPTED && !options.userModel ? SCRIPTED : USUAL_USER.provider;
  const userProvider = namedUserProvider(options) ?? usual;
  const isUsual = options.userModel === undefined && userProvider !== SCRIPTED;
  const userModel = options.userModel ?? (isUsual ? USUAL_USER.model : PERFECT);
  const { userModelSettings: given = {} } = options;
  const user = checkedModel('--user-model-provider', userProvider, userModel, given.temperature ?? null);
  const effort = isUsual ? { reasoning_effort: USUAL_USER.reasoning_effort } : {};
  return { agent, user: toConfiguredModel({ ...user, ...effort, ...furtherGiven(given) }, recorded) };
}

/** Chooses the model of the agent, or of a command about one model. @throws UsageError like {@link chooseModels} */
export function chooseAgent(
  options: RunOptions,
  strategy: SampledStrategy = {},
  recorded: readonly ModelSettings[] = [],
): ModelSettings {
  const named = namedAgent(options, askedTemperature(options, strategy), strategy.name === AGENT_SERVICE);
  return toConfiguredModel({ ...named, ...furtherGiven(options.agentModelSettings) }, recorded);
}

/**
 * True if options name a real model for the simulated user, and none for the agent, so that a service calls its own
 * models.
 */
function leavesAgentAlone(options: RunOptions): boolean {
  if (options.model !== undefined || options.modelProvider !== undefined || !isSimulated(options)) return false;
  const provider = namedUserProvider(options);
  return provider !== SCRIPTED && (provider !== undefined || options.userModel !== undefined);
}

function isSimulated({ userStrategy }: RunOptions): boolean {
  return userStrategy !== HUMAN && userStrategy !== OUTSIDE;
}

function namedUserProvider({ userModel, userModelProvider }: RunOptions): string | undefined {
  return userModelProvider ?? (userModel === undefined ? undefined : impliedProvider(userModel));
}

/**
 * Chooses the judge of sentences in tasks; none unless one is named.
 * @throws UsageError for a benchmark without such sentences, or a model without a provider
 */
export function chooseJudge(
  { env, judgeModel, judgeModelProvider, judgeModelSettings: given }: RunOptions,
  agent: ModelSettings | null,
  recorded: readonly ModelSettings[],
): Pick<EvaluationConfig, 'judgeModel'> {
  if (judgeModel === undefined && judgeModelProvider === undefined) {
    if (given === undefined) return {};
    throw new UsageError('--judge-model-settings needs a --judge-model, such as --judge-model gpt-6-luna.');
  }
  if (!hasSentences(env)) {
    const judged = contents.filter(({ domains }) => [...domains.keys()].some(hasSentences));
    throw new UsageError(
      `--judge-model is for ${listWords(judged.map(({ title }) => title))}, whose tasks have sentences to judge; the env ${env} has none. ` +
        '`npx tauflow errors RUN` asks a judge why episodes failed.',
    );
  }
  const named = { temperature: 0, ...given, model: judgeModel, provider: judgeModelProvider };
  const usual = isCalled(agent) ? agent : NO_MODEL;
  return { judgeModel: otherModel(formatModelFlags('judge-'), named, usual, recorded) };
}

function hasSentences(env: string): boolean {
  return getBenchmark(env).grading.judging !== undefined;
}

/**
 * Returns a model's settings for a configuration: without a temperature that the model refuses, and with the model's
 * default wire.
 */
function toConfiguredModel(asked: ModelSettings, recorded: readonly ModelSettings[] = []): ModelSettings {
  const { wire: _, ...settings } = asked;
  const { provider, model, reasoning_effort: effort } = asked;
  const before = recorded.filter(({ provider, model }) => provider === asked.provider && model === asked.model);
  const usual = before[0] === undefined ? modelCapabilities(asked.provider, asked.model) : before[0];
  const wire = asked.wire ?? usual.wire ?? 'chat';
  const refused = effort === undefined ? null : refusedEffort(provider, model, effort);
  if (refused !== null && !before.some(({ reasoning_effort: old }) => old === effort)) throw new UsageError(refused);
  const isAsRecorded = before.some(({ temperature }) => temperature === asked.temperature);
  const temperature = isAsRecorded ? asked.temperature : takenTemperature(asked);
  const outside = temperature === null || isAsRecorded ? null : refusedTemperature(provider, model, temperature);
  if (outside !== null) throw new UsageError(outside);
  return {
    ...settings,
    temperature,
    // In runs of every version, an absent wire means chat completions.
    ...(wire === 'chat' ? {} : { wire }),
  };
}

/** Returns the temperature that the model accepts; null: none is sent. */
function takenTemperature({ provider, model, temperature, reasoning_effort: effort }: ModelSettings): number | null {
  return takesTemperature(provider, model, effort) ? temperature : null;
}

/** Returns the settings other than model, provider, temperature and the token cap. */
function furtherGiven({
  model: _,
  provider: __,
  temperature: ___,
  max_completion_tokens: ____,
  ...further
}: GivenModel = {}) {
  return Object.fromEntries(Object.entries(further).filter(([, value]) => value !== undefined)) as FurtherSettings;
}
type FurtherSettings = ReturnType<typeof furtherSettings>;

function namedAgent(
  { model, modelProvider }: RunOptions,
  temperature: number | null,
  isService: boolean,
): ModelSettings {
  if (model === undefined) {
    if (modelProvider === undefined || modelProvider === SCRIPTED) {
      return { provider: SCRIPTED, model: PERFECT, temperature };
    }
    if (isService) return checkedModel('--model-provider', modelProvider, AS_ASKED, temperature);
    throw new UsageError(`--model-provider ${modelProvider} needs a --model, such as --model gpt-4o.`);
  }
  const provider = modelProvider ?? impliedProvider(model);
  if (provider !== undefined) return checkedModel('--model-provider', provider, model, temperature);
  throw new UsageError(`--model ${model} needs a --model-provider; ${providersSentence()}.`);
}

/** Returns the provider that a model's name implies: LiteLLM's `openai/gpt-4o`, and the scripted model's own name. */
export function impliedProvider(model: string): string | undefined {
  const prefix = PROVIDERS.find((row) => listProviderNames(row).some((name) => model.startsWith(`${name}/`)));
  if (prefix !== undefined) return prefix.name;
  if (/^oracle(?:$|[:+])/.test(model)) return SCRIPTED;
  return undefined;
}

function providersSentence(): string {
  return `known are: ${providerNames()}`;
}

/**
 * @returns the model under its provider's own names
 * @throws ProviderError for an unknown provider
 */
function checkedModel(flag: string, provider: string, model: string, temperature: number | null): ModelSettings {
  return withContext(flag, () => {
    const { name } = providerRow(provider);
    return { provider: name, model: providerModel(name, model), temperature };
  });
}

/** Flags of commands that are about one model. */
export interface OneModelFlags {
  readonly model?: string;
  readonly modelProvider?: string;
  readonly reasoningEffort?: string;
  /** Settings of the model, as JSON. */
  readonly modelSettings?: string;
}

/**
 * Returns the one model that a command is about, with only the settings that it accepts. `words` are the words of the
 * command line that name it, for messages.
 *
 * @throws UsageError for an unknown provider or setting, and for a model without a provider
 */
export function usualModel(
  { name, words }: { readonly name: string; readonly words: string },
  { modelProvider, reasoningEffort: reasoning_effort, modelSettings: json }: OneModelFlags,
): ModelSettings {
  const provider = modelProvider ?? impliedProvider(name);
  if (provider === undefined) throw new UsageError(`${words} needs a --model-provider; ${providersSentence()}.`);
  const given = modelSettings.optional().safeParse(json);
  if (!given.success) throw new UsageError(`--model-settings ${String(given.error.issues[0]?.message)}.`);
  const { temperature = 0 } = given.data ?? {};
  return toConfiguredModel({
    ...checkedModel('--model-provider', provider, name, temperature),
    ...furtherGiven({ reasoning_effort, ...given.data }),
  });
}

const OWN_TEMPERATURE = 1;

/** Returns a sentence for each model that is called without the requested temperature. */
export function temperatureWarnings(models: readonly (ModelSettings | null)[], temperature: number | null): string[] {
  if (temperature === null || temperature === OWN_TEMPERATURE) return [];
  return models
    .filter((model) => model !== null)
    .filter(({ temperature: sent }) => sent === null)
    .filter(({ provider, model, reasoning_effort: effort }) => !takesTemperature(provider, model, effort))
    .map(({ provider, model }) => `${provider}/${model} takes no temperature but its own: none is sent.`);
}

/**
 * Returns the model that flags name instead of the default one. Missing settings come from the default model, for
 * another model only the temperature.
 * @param names names of model and provider, for messages
 * @throws UsageError for a model without a provider, or a provider without a model
 */
export function otherModel<T extends ModelSettings | null>(
  names: ModelNames,
  given: GivenModel,
  usual: T,
  recorded: readonly ModelSettings[] = [],
): ModelSettings | T {
  if (usual === null && given.model === undefined && given.provider === undefined) return usual;
  const named = namedModel(names, given, usual);
  const isOther = named.provider !== usual?.provider || named.model !== usual.model;
  const { provider, model, temperature } = named;
  const further = furtherGiven(given);
  if (isOther) return toConfiguredModel({ provider, model, temperature, ...further }, recorded);
  const same = { provider, model, temperature, wire: usual.wire ?? 'chat', ...furtherSettings(usual), ...further };
  return toConfiguredModel(same, same.reasoning_effort === usual.reasoning_effort ? [usual] : []);
}

interface ModelNames {
  readonly model: string;
  readonly provider: string;
}

/** @param prefix `user-`, or empty for `--model` */
export function formatModelFlags(prefix: string): ModelNames {
  return { model: `--${prefix}model`, provider: `--${prefix}model-provider` };
}

function namedModel(
  names: ModelNames,
  { model, provider: given, temperature }: GivenModel,
  usual: ModelSettings | null,
) {
  const sampled = temperature === undefined ? (usual?.temperature ?? null) : temperature;
  if (model !== undefined) {
    // Without a named provider, the default model's is meant, unless that is the scripted model, which has no other
    // models.
    const meant = usual?.provider === SCRIPTED || !isCalled(usual) ? undefined : usual.provider;
    const provider = given ?? impliedProvider(model) ?? meant;
    if (provider !== undefined) return checkedModel(names.provider, provider, model, sampled);
    throw new UsageError(`${names.model} ${model} needs a ${names.provider}; ${providersSentence()}.`);
  }
  if (usual !== null && (given === undefined || given === usual.provider)) return { ...usual, temperature: sampled };
  if (given === undefined) throw new UsageError(`${names.provider} needs a provider, such as openai.`);
  const perfect = checkedModel(names.provider, given, PERFECT, sampled);
  if (given === SCRIPTED) return perfect;
  throw new UsageError(`${names.provider} ${given} needs a ${names.model}, such as ${names.model} gpt-4o.`);
}
