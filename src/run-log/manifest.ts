/** `run.json`: a run's settings, versions and progress. */

import * as z from 'zod';
import * as kinds from '../evaluation/kinds.schema.ts';
import { modelSettingsSchema } from '../evaluation/model-settings.schema.ts';
import { type CallRole, findStrategy, optionVariants, serviceOptions } from '../agents/index.ts';
import {
  CONFIG_FIELDS,
  LIMIT_KEYS,
  RUN_ENDS,
  describeRemovedVariants,
  configShape,
  pickLimits,
  type ConfigLimits,
  episodeName,
  isSampledAsOriginal,
  withAgentUrl,
  type CloseRunInput,
  type ConfigKey,
  type EpisodeKey,
  type EvaluationConfig,
  type RunEnd,
  type RunInput,
  type SweepPlan,
  type ModelSettings,
  listModelDifferences,
  formatModel,
  USUAL_USER,
} from '../evaluation/index.ts';
import { formatVersion, jsonCodec, snakeKeys } from './codec.ts';
import { toSnake, withOwnKeys } from '../benchmarks/python/values.schema.ts';
import { ResultsError, ResultsProblem } from './files.ts';
import type { RunPaths } from './paths.ts';
import { SweepOrder, countEpisodes } from '../benchmarks/index.ts';
import { makeOpenFolders } from './open-episodes.ts';

// Settings of models are spelled as the API spells them.
withOwnKeys(modelSettingsSchema);

const configSchema = z.object(configShape(kinds)) satisfies z.ZodType<EvaluationConfig>;

const planSchema = z.object({
  taskIds: z.array(z.number().int().nonnegative()),
  numTrials: z.number().int().positive(),
  shuffle: z.boolean(),
  conditions: z.array(z.string()).readonly().optional(),
}) satisfies z.ZodType<SweepPlan>;

/** Endpoint of a provider's calls: a base URL without a query, or the scripted model's pack. */
const endpointSchema = z.object({ provider: z.string(), address: z.string() });
type RunEndpoint = z.infer<typeof endpointSchema>;

const runManifestSchema = z.object({
  formatVersion: formatVersion(1),
  runId: z.string(),
  status: z.enum(['running', ...RUN_ENDS]),
  /** Start of the run, ISO 8601, UTC. */
  startedAt: z.string(),
  /** End of the run; null while it is in progress. */
  endedAt: z.string().nullable(),
  /** Name of the strategy on a leaderboard, such as `TC`. */
  label: z.string(),
  config: configSchema,
  plan: planSchema,
  maxConcurrency: z.number().int(),
  /** Budget in USD; null: no bound. */
  maxCostUsd: z.number().nullable(),
  /** Versions of the program, of Node and of the Temporal SDK, by name. */
  versions: z.record(z.string(), z.string()),
  /** The run's workflow on its server; null if unknown. */
  temporal: z.object({ address: z.string(), namespace: z.string(), workflowId: z.string() }).nullable(),
  /** Notes for readers of the figures, one sentence each. */
  notes: z.array(z.string()),
  /** Endpoints of the models; several per provider if the run was resumed with another address. @default unknown */
  endpoints: z.array(endpointSchema).optional(),
  /** Behavior of the scripted model when the run was last started or resumed. @default the normal behavior */
  scripted: z.object({ latencyMs: z.number().optional(), faults: z.string().optional() }).optional(),
  /** Names of tasks by number, for tasks with a name. */
  taskNames: z.record(z.string(), z.string()).optional(),
});

export type RunManifest = z.infer<typeof runManifestSchema>;
export type RunStatus = RunManifest['status'];

export const manifestCodec = jsonCodec(runManifestSchema);

/** The part of a run that must be the same for a resumed run. */
export interface RunIdentity {
  readonly config: EvaluationConfig;
  readonly plan: SweepPlan;
}

/**
 * Lists the settings that differ, as `num_trials: 4, now 5`; none if the runs are the same. Packs, displays and agents
 * are compared by digest, not by path. The URL of an agent with a name is not compared, and of the response cache only
 * whether it is used. Limits are not compared, because a resumed run may change them.
 */
export function runDifferences(recorded: RunIdentity, asked: RunIdentity): string[] {
  const before = flattenSettings(recorded);
  const now = flattenSettings(asked);
  const isNamed = [before, now].every((settings) => settings.has(AGENT_NAME));
  const limits: ReadonlySet<string> = new Set(LIMIT_KEYS.map(toSnake));
  return [...new Set([...before.keys(), ...now.keys()])]
    .filter((name) => !limits.has(name) && before.get(name) !== now.get(name) && !(isNamed && name === AGENT_URL))
    .map((name) => `${name}: ${before.get(name) ?? 'none'}, now ${now.get(name) ?? 'none'}`);
}

/**
 * Refuses another configuration under the same run id, which would mix two experiments in one log. A different number
 * of trials is the same experiment.
 * @param there beginning of the sentence: `the run mine exists`
 * @param wayOut remedy, other than choosing another id
 * @throws ResultsError (`other_configuration`) that lists the differences
 */
export function refuseOtherConfiguration(before: RunIdentity, asked: RunIdentity, there: string, wayOut = ''): void {
  const removed = describeRemovedVariants(before.config.strategyOptions);
  if (removed !== null) {
    throw new ResultsError(
      ResultsProblem.OtherConfiguration,
      `${there} and ${removed}; finish it with that version, or choose another --run-id.`,
    );
  }
  const differences = differencesBesidesTrials(before, asked);
  if (differences.length === 0) return;
  throw new ResultsError(
    ResultsProblem.OtherConfiguration,
    `${there} with another configuration (${differences.join('; ')}); choose another --run-id${wayOut}.`,
  );
}

function differencesBesidesTrials(before: RunIdentity, { config, plan }: RunIdentity): string[] {
  return runDifferences(before, { config, plan: { ...plan, numTrials: before.plan.numTrials } });
}

/** Settings of an agent that is a service: its URL and name. */
export const AGENT_URL = 'strategy_options.agent_url';
export const AGENT_NAME = 'strategy_options.agent_name';

/** Returns every setting by its name in `run.json`, as text, without paths on disk. */
export function flattenSettings({ config, plan: { conditions: _, ...order } }: RunIdentity): Map<string, string> {
  const counted = (Object.keys(config) as ConfigKey[]).flatMap((key) => {
    const { is, compared = (value: unknown) => value } = CONFIG_FIELDS.get(key) ?? {};
    return is === 'note' || config[key] === undefined ? [] : [[key, compared(config[key] as never)] as const];
  });
  const flat = new Map<string, string>();
  const visit = (prefix: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      flat.set(prefix, Array.isArray(value) ? value.map(itemText).join(' ') : String(value));
      return;
    }
    for (const [key, item] of Object.entries(value)) {
      if (item !== undefined) visit(prefix === '' ? key : `${prefix}.${key}`, item);
    }
  };
  visit('', snakeKeys({ ...Object.fromEntries(counted), ...order }));
  // A file in the strategy's options is compared by the digest beside its path.
  for (const name of [...flat.keys()]) {
    const [, file] = /^(strategy_options\..+)\.path$/.exec(name) ?? [];
    if (file !== undefined && flat.has(`${file}.digest`)) flat.delete(name);
  }
  return flat;
}

/** Formats an item of a list: a text unchanged, or the fields of an object. */
function itemText(item: unknown): string {
  return typeof item === 'string' ? item : JSON.stringify(item);
}

/** Facts about the process that opens the run, beyond the sweep's input. */
export interface RunFacts {
  readonly label: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly temporal: RunManifest['temporal'];
  /** Notes for readers of the figures, one sentence each. */
  readonly notes: readonly string[];
  /** Known endpoints of the models at the start of the run. @default none */
  readonly endpoints?: readonly RunEndpoint[];
  /** Behavior of the scripted model. @default the earlier behavior */
  readonly scripted?: NonNullable<RunManifest['scripted']>;
  /** Names of tasks by number. @default the earlier names */
  readonly taskNames?: RunManifest['taskNames'];
}

/** The part of a run log that is needed to open it. */
interface ManifestLog {
  readonly runId: string;
  readonly paths: RunPaths;
  readRun(): Promise<RunManifest | null>;
  writeRun(manifest: RunManifest): Promise<void>;
  createRun(manifest: RunManifest): Promise<boolean>;
  removeStale(): Promise<void>;
}

interface OpenedRun {
  readonly manifest: RunManifest;
  /** True if `run.json` did not exist before. */
  readonly isNew: boolean;
}

/**
 * Marks the run as running. An earlier manifest keeps its start and its configuration, and its plan unless only trials
 * are added. Of several processes that open a new run at the same time, one makes its manifest.
 * @throws ResultsError (`other_configuration`) when the run exists with other settings
 */
export async function openRun(log: ManifestLog, input: RunInput, facts: RunFacts): Promise<OpenedRun> {
  for (;;) {
    const before = await log.readRun();
    if (before !== null) refuseOtherConfiguration(before, input, `the run ${log.runId} exists`);
    const manifest = openedManifest(log.runId, before, input, facts);
    await log.removeStale();
    await makeOpenFolders(log.paths, input.config);
    if (before !== null) await log.writeRun(manifest);
    else if (!(await log.createRun(manifest))) continue;
    return { manifest, isNew: before === null };
  }
}

function openedManifest(runId: string, before: RunManifest | null, input: RunInput, facts: RunFacts): RunManifest {
  const { config, plan, maxConcurrency, maxCostUsd } = input;
  return {
    formatVersion: 1,
    runId,
    startedAt: new Date().toISOString(),
    label: facts.label,
    config: { ...config, pack: { ...config.pack } },
    versions: { ...facts.versions },
    notes: [...facts.notes],
    ...before,
    ...mergeEndpoints(before, facts),
    ...(facts.scripted === undefined ? {} : { scripted: facts.scripted }),
    ...(facts.taskNames === undefined ? {} : { taskNames: facts.taskNames }),
    ...(before === null ? {} : { config: resumedConfig(before.config, config) }),
    plan: mergePlans(before, plan),
    temporal: facts.temporal ?? before?.temporal ?? null,
    maxConcurrency,
    maxCostUsd,
    status: 'running',
    endedAt: null,
  };
}

/** Returns the earlier configuration with the requested limits and the current address of an agent service. */
function resumedConfig(before: EvaluationConfig, asked: EvaluationConfig): EvaluationConfig {
  return withAgentUrl(withLimits(before, asked), serviceOptions(asked.strategyOptions).agentUrl);
}

export type RunEnding = Pick<CloseRunInput, 'config' | 'plan' | 'maxConcurrency' | 'maxCostUsd' | 'status' | 'ended'>;

/** Returns the manifest of an ended run, with its final plan and limits and the recorded figures. */
export function endedManifest(before: RunManifest, ending: RunEnding, recorded: readonly EpisodeKey[]): RunManifest {
  const { plan, maxConcurrency, maxCostUsd } = ending;
  const ended = {
    ...before,
    plan: mergePlans(before, plan),
    ...restoreManifest(before, ending),
    maxConcurrency,
    maxCostUsd,
  };
  return { ...ended, status: endStatus(ended, ending, recorded), endedAt: new Date().toISOString() };
}

/** Returns the settings that the sweep used, with a note, if `run.json` now has other ones. */
function restoreManifest(before: RunManifest, { config, plan }: RunEnding): Partial<RunManifest> {
  const differences = differencesBesidesTrials({ config, plan }, before);
  if (differences.length === 0) return {};
  const note =
    `run.json had other settings when the run ended (${differences.join('; ')}); ` +
    'those that the run was made with were written back.';
  return {
    config: { ...config, pack: { ...config.pack } },
    plan: { ...plan, taskIds: [...plan.taskIds] },
    notes: [...before.notes, note],
  };
}

/**
 * Returns `incomplete` if a completed run lacks records. A canceled or failed run lacks episodes anyway, and can be
 * resumed too.
 */
function endStatus(manifest: RunManifest, { status, ended }: RunEnding, recorded: readonly EpisodeKey[]): RunEnd {
  const planned = countEpisodes(manifest.plan);
  const has = planned - missingEpisodes(manifest, recorded).length;
  switch (status) {
    case 'completed':
      return has < planned ? 'incomplete' : status;
    case 'budget_reached':
      return has < ended ? 'incomplete' : status;
    case 'cancelled':
    case 'failed':
      return status;
  }
}

/** Returns the episodes of a run's plan without a readable record, in the plan's order. */
export function missingEpisodes(
  { plan, config }: Pick<RunManifest, 'plan' | 'config'>,
  recorded: readonly EpisodeKey[],
): EpisodeKey[] {
  const names = new Set(recorded.map(episodeName));
  return planOrder(plan, config.seed).filter((key) => !names.has(episodeName(key)));
}

/** Returns episodes in the reference's order of results: by trial, and within a trial in the order of their runs. */
export function planOrder(plan: SweepPlan, seed: number): EpisodeKey[] {
  const order = new SweepOrder(plan, seed);
  return Array.from({ length: order.length }, (_, position) => order.at(position));
}

/** Returns all addresses with which a run was started and resumed. */
function mergeEndpoints(before: RunManifest | null, facts: RunFacts): Pick<RunManifest, 'endpoints'> {
  const all = [...(before?.endpoints ?? []), ...(facts.endpoints ?? [])];
  const distinct = new Map(all.map((endpoint) => [`${endpoint.provider} ${endpoint.address}`, { ...endpoint }]));
  return distinct.size === 0 ? {} : { endpoints: [...distinct.values()] };
}

function mergePlans(before: RunManifest | null, plan: SweepPlan): RunManifest['plan'] {
  const asked = { ...plan, taskIds: [...plan.taskIds] };
  return before === null || isExtended(before.plan, plan) ? asked : before.plan;
}

/** True if the plans differ only in added trials, which keep the place of every planned episode. */
function isExtended(before: SweepPlan, plan: SweepPlan): boolean {
  const isSame =
    before.shuffle === plan.shuffle &&
    before.taskIds.length === plan.taskIds.length &&
    before.taskIds.every((taskId, index) => taskId === plan.taskIds[index]) &&
    String(before.conditions) === String(plan.conditions);
  return isSame && plan.numTrials > before.numTrials;
}

/**
 * Describes the differences of a configuration from its plain strategy, in a few words each, for display with its
 * figures.
 */
export function describeVariants(config: EvaluationConfig): string[] {
  const { strategyOptions: options } = config;
  const variants: string[] = [];
  if (options.omitPolicy) variants.push('no policy');
  if (!options.useReasoning) variants.push('no reasoning');
  variants.push(...(options.compat ?? []));
  variants.push(...optionVariants(options, findStrategy(config.strategy, options.agentFile)));
  variants.push(...givenSettings(config.agentModel));
  variants.push(...roleVariants(config));
  variants.push(...givenSettings(config.userModel, usualSettings(config.userModel)).map((words) => `user ${words}`));
  if (config.judgeModel !== undefined) variants.push(`judge ${formatModel(config.judgeModel)}`);
  if (options.decisionOnly === true) variants.push('decisions only');
  return variants;
}

/** Describes settings other than the temperature, which every run has: `reasoning_effort low`, `wire responses`. */
function givenSettings(given: ModelSettings | null, usual: Partial<ModelSettings> = {}): string[] {
  if (given === null) return [];
  const { provider, model, temperature, ...settings } = given;
  const plain = { provider, model, temperature, ...usual };
  return listModelDifferences({ ...plain, ...settings }, plain);
}

/** Returns the default settings of a user's model. */
function usualSettings({ provider, model, wire }: ModelSettings): Partial<ModelSettings> {
  const isUsual = provider === USUAL_USER.provider && model === USUAL_USER.model;
  return isUsual ? { reasoning_effort: USUAL_USER.reasoning_effort, wire } : {};
}

/**
 * Describes roles, grouped by model, by the differences from the agent's model: `planner+summary gpt-4o-mini at 0.5`.
 */
function roleVariants(config: EvaluationConfig): string[] {
  const { roleModels = {}, agentModel, strategyOptions } = config;
  const strategy = findStrategy(config.strategy, strategyOptions.agentFile);
  const byModel = new Map<string, string[]>();
  for (const [role, model] of Object.entries(roleModels) as [CallRole, ModelSettings][]) {
    const defined = strategy?.modelRoles?.find(({ calls }) => calls.includes(role));
    if (strategy && defined && isSampledAsOriginal(config, strategy, defined, model)) continue;
    const words = modelWords(model, agentModel);
    byModel.set(words, [...(byModel.get(words) ?? []), role.replace(/^agent\//, '')]);
  }
  return Array.from(byModel, ([words, roles]) => `${roles.join('+')} ${words}`);
}

function modelWords(model: ModelSettings, agent: ModelSettings | null): string {
  if (agent === null) return formatModel(model);
  const words: string[] = [];
  if (model.provider !== agent.provider) words.push(`${model.provider}/${model.model}`);
  else if (model.model !== agent.model) words.push(model.model);
  words.push(...listModelDifferences(model, agent));
  return words.length === 0 ? model.model : words.join(' ');
}

/** Returns the configuration of a resumed run with the requested limits. */
function withLimits(before: EvaluationConfig, asked: ConfigLimits): EvaluationConfig {
  const rest = Object.entries(before).filter(([key]) => !LIMIT_KEYS.some((limit) => limit === key));
  return { ...(Object.fromEntries(rest) as EvaluationConfig), ...pickLimits(asked) };
}
