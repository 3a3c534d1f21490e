/** Sources of `run`'s options: the flags, then the config file, then the run that is resumed, then defaults. */

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as z from 'zod';
import {
  DEFAULT_CALL_TIMEOUT_MS,
  DEFAULT_HEARTBEAT_TIMEOUT_MS,
  DEFAULT_OUTAGE_TIMEOUT_MS,
  DEFAULT_REPLY_LIMITS,
  type ModelPrice,
} from '../../wire/index.ts';
import { givenSettingsSchema, type GivenSettings } from '../../wire/model-settings.schema.ts';
import { parseRateLimits } from '../flag-values.ts';
import { UsageError } from '../../errors/index.ts';
import { loadAgent } from '../../agents/from-file/index.ts';
import { isAgentFile, strategies, type StrategyDefinition } from '../../agents/index.ts';
import { name, number, settingFlags, withCallTimeout, withSettingFlags } from './setting-flags.ts';
import { ALIASES, roleFlag, splitStrategyValues, strategyNames, type RunFlags } from './flags.ts';

const wholeNumber = (least: number) =>
  number('must be a whole number').pipe(
    z.number().int('must be a whole number').min(least, `must be at least ${least}`),
  );

/** A word that means that there is none (null), or what the schema takes; its problems are the schema's. */
function wordOr<T>(word: string, schema: z.ZodType<T>) {
  return z.unknown().transform((value, context): T | null => {
    if (value === word) return null;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    context.addIssue({ code: 'custom', message: parsed.error.issues[0]?.message ?? 'cannot be used' });
    return z.NEVER;
  });
}

/** `1.5`, `$20`: an amount of USD; `none` lifts the bound that a run was started with. */
const dollars = z.preprocess(
  (value) => (typeof value === 'string' ? value.replace(/^\$/, '') : value),
  number('must be a number of USD, or none').pipe(z.number().positive('must be more than 0')),
);
const budget = wordOr('none', dollars);

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `90s`, `30m`, `2h`; a bare number counts seconds. In milliseconds. */
export const duration = z.union([z.string(), z.number()]).transform((value, context) => {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?$/.exec(String(value).trim());
  if (match === null) {
    context.addIssue({ code: 'custom', message: 'must be a duration such as 90s, 30m or 2h' });
    return z.NEVER;
  }
  return Number(match[1]) * UNITS[(match[2] ?? 's') as keyof typeof UNITS];
});

/** `1 2 3`, `1,2,3`, or both mixed. */
const taskIds = z
  .union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))])
  .transform((value, context) => {
    const words = wordsOf([value].flat().map(String));
    const wrong = words.find((word) => !/^\d+$/.test(word));
    if (wrong !== undefined) {
      context.addIssue({ code: 'custom', message: `must be task numbers such as 1 2 3 or 1,2,3, not "${wrong}"` });
      return z.NEVER;
    }
    return [...new Set(words.map(Number))];
  });

/** 0/1 as tau-bench's `run.py` has it, or true/false. */
const flag = z
  .union([z.boolean(), z.enum(['0', '1', 'true', 'false']), z.literal(0), z.literal(1)], {
    error: 'must be 0 or 1',
  })
  .transform((value) => value === true || value === 1 || value === '1' || value === 'true');

/** `a b c`, `a,b,c`, or both mixed; sorted, so that the order of flags makes no other run. */
const names = z
  .union([z.string(), z.array(z.string())], { error: 'must be names such as a b or a,b' })
  .transform((value) => [...new Set(wordsOf(value))].sort());

function wordsOf(value: string | readonly string[]): string[] {
  return [value]
    .flat()
    .flatMap((item) => item.split(/[\s,]+/))
    .filter((word) => word !== '');
}

const yesOrNo = z.boolean({ error: 'must be true or false' });

/** `default` leaves it to the provider. */
const temperature = wordOr(
  'default',
  number('must be a number, or default').pipe(z.number().min(0, 'must be at least 0')),
);

/** `none` leaves it to the provider; without a word it follows from the model. */
const tokenCap = wordOr('none', wholeNumber(1)).optional();

/** A JSON object of settings, as text or in a config file. */
const modelSettings = z.unknown().transform((value, context): GivenSettings => {
  let given = value;
  try {
    if (typeof value === 'string') given = JSON.parse(value);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be a JSON object such as {"top_p": 0.9}' });
    return z.NEVER;
  }
  const parsed = givenSettingsSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const known = Object.keys(givenSettingsSchema.shape).join(', ');
  const message =
    issue?.code === 'unrecognized_keys'
      ? `has ${issue.keys.join(', ')}; settings are ${known}, and extra_body takes any other`
      : `has ${issue?.path.join('.') || 'a value'} that ${issue?.message ?? 'cannot be used'}`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** Values of `--<role>-model` and its kin for one role. */
const roleSchema = z.strictObject({
  ...settingFlags,
  model: name.optional(),
  modelProvider: name.optional(),
  temperature: temperature.optional(),
  maxCompletionTokens: tokenCap,
  modelSettings: modelSettings.optional(),
});

/** Episodes open at once: a machine's memory holds about a thousand per GB, and more workers share them. */
const MAX_CONCURRENCY = 10_000;

/** As tau-bench's `run.py` has it. */
export const DEFAULT_ENV = 'retail';

const runOptionsSchema = z.strictObject({
  env: name.default(DEFAULT_ENV),
  agentStrategy: name.default('tool-calling'),
  model: name.optional(),
  modelProvider: name.optional(),
  userModel: name.optional(),
  userModelProvider: name.optional(),
  agentModelSettings: modelSettings.optional(),
  userModelSettings: modelSettings.optional(),
  ...settingFlags,
  userReasoningEffort: settingFlags.reasoningEffort,
  userTopP: settingFlags.topP,
  userWire: settingFlags.wire,
  userExtraBody: settingFlags.extraBody,
  userStrategy: name.default('llm'),
  taskSplit: name.default('test'),
  taskIds: taskIds.optional(),
  startIndex: wholeNumber(0).default(0),
  endIndex: wholeNumber(-1).default(-1),
  numTrials: wholeNumber(1).optional(),
  maxConcurrency: wholeNumber(1)
    .pipe(
      z.number().max(MAX_CONCURRENCY, `must be at most ${MAX_CONCURRENCY}: each open episode takes memory of a worker`),
    )
    .optional(),
  /** null: none is sent; absent: what the strategy's original sends. */
  temperature: temperature.optional(),
  seed: wholeNumber(0).default(10),
  shuffle: flag.default(false),
  maxSteps: wholeNumber(1).default(30),
  useReasoning: yesOrNo.default(true),
  logDir: name.default('results'),
  runId: name.optional(),
  pack: name.optional(),
  episodeTimeout: duration.default(7_200_000),
  maxRetries: wholeNumber(0).default(3),
  callTimeout: duration.refine((ms) => ms >= 1000, 'must be at least 1s').default(DEFAULT_CALL_TIMEOUT_MS),
  /** `none` is 0. */
  outageTimeout: wordOr('none', duration)
    .transform((ms) => ms ?? 0)
    .default(DEFAULT_OUTAGE_TIMEOUT_MS),
  maxCompletionTokens: tokenCap,
  userMaxCompletionTokens: tokenCap,
  maxReplyChars: wholeNumber(1_000).default(DEFAULT_REPLY_LIMITS.contentChars),
  maxToolArgumentChars: wholeNumber(1_000).default(DEFAULT_REPLY_LIMITS.toolArgumentChars),
  heartbeatTimeout: duration.refine((ms) => ms >= 2000, 'must be at least 2s').default(DEFAULT_HEARTBEAT_TIMEOUT_MS),
  omitPolicy: yesOrNo.default(false),
  responseCache: yesOrNo.default(false),
  keepRequests: yesOrNo.default(false),
  clearCache: flag.default(false),
  compat: names.default([]),
  decisionOnly: yesOrNo.default(false),
  decisions: z.enum(['list', 'stdio'], { error: 'must be list or stdio' }).default('list'),
  /** By role; on the command line and in config files each is a flag of its own. */
  roles: z.record(z.string(), roleSchema).default({}),
  /** Values of strategies' options by name, which their descriptors check; likewise. */
  own: z.record(z.string(), z.unknown()).default({}),
  maxCost: budget.optional(),
  /** A file's name; or those of the run that is resumed. */
  prices: z.union([name, z.custom<readonly ModelPrice[]>(Array.isArray, 'must be a file')]).optional(),
  detach: yesOrNo.default(false),
  worker: yesOrNo.default(true),
  dryRun: yesOrNo.default(false),
  all: yesOrNo.default(false),
  json: yesOrNo.default(false),
  failUnder: number('must be a number from 0 to 1')
    .pipe(z.number().min(0, 'must be a number from 0 to 1').max(1, 'must be a number from 0 to 1'))
    .optional(),
  taskQueue: name.default('tauflow'),
  maxLlmCallsPerSecond: names.default([]).transform(parseRateLimits),
  scriptedLatency: duration.optional(),
  scriptedFaults: z.string().optional(),
});

/** Durations are in milliseconds. */
export type RunOptions = z.output<typeof runOptionsSchema>;
export type RoleOptions = z.output<typeof roleSchema>;
/** Values of flags and config files, not yet checked, by name; those of roles under names such as `plannerModel`. */
export type RawRunOptions = Partial<Record<Exclude<keyof RunOptions, 'roles' | 'own'>, unknown>> &
  Record<string, unknown>;

const NAMES: readonly string[] = Object.keys(runOptionsSchema.shape).filter(
  (option) => option !== 'roles' && option !== 'own',
);

/**
 * Checks options and fills in defaults.
 * @param typed those of the command line, where `raw` has a config file's and a recorded run's as well
 * @throws UsageError with one sentence that names the flag
 */
export function parseRunOptions(raw: RawRunOptions, typed: RawRunOptions = raw): RunOptions {
  const { rest, ...values } = splitStrategyValues(raw);
  const parsed = runOptionsSchema.safeParse({ ...rest, ...values });
  if (parsed.success) return withCallTimeout(withSettings(withSettingFlags(parsed.data, typed), rest), rest);
  const [issue] = parsed.error.issues;
  throw new UsageError(`${issueSentence(issue)}.`);
}

/** Settings that have flags of their own count where these flags are not given. */
function withSettings(options: RunOptions, given: Readonly<Record<string, unknown>>): RunOptions {
  const { agentModelSettings: agent = {}, userModelSettings: user = {} } = options;
  const roles = Object.entries(options.roles).map(([name, role]) => {
    const { temperature, max_completion_tokens: maxCompletionTokens } = role.modelSettings ?? {};
    const own = {
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxCompletionTokens === undefined ? {} : { maxCompletionTokens }),
    };
    return [name, { ...own, ...role }] as const;
  });
  return {
    ...options,
    roles: Object.fromEntries(roles),
    ...(given['temperature'] === undefined && agent.temperature !== undefined
      ? { temperature: agent.temperature }
      : {}),
    ...(given['maxCompletionTokens'] === undefined && agent.max_completion_tokens !== undefined
      ? { maxCompletionTokens: agent.max_completion_tokens }
      : {}),
    ...(given['userMaxCompletionTokens'] === undefined && user.max_completion_tokens !== undefined
      ? { userMaxCompletionTokens: user.max_completion_tokens }
      : {}),
  };
}

function issueSentence(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'the options cannot be used';
  if (issue.code === 'unrecognized_keys') return `unknown option ${issue.keys.map(flagOf).join(', ')}`;
  const [option = '', role, field] = issue.path.map(String);
  const name = option === 'roles' ? roleFlag(String(role), String(field)) : flagOf(option);
  return `${name} ${issue.message}`;
}

/** `maxConcurrency` → `--max-concurrency`. */
export function flagOf(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** `--config`: a JSON object with the flags' names in snake_case or kebab-case. */
interface ConfigFile {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Options needed before the whole command line can be read: the agent's file may have flags and keys of its own. */
export interface EarlyOptions {
  readonly runId: unknown;
  readonly logDir: unknown;
  readonly agentStrategy: unknown;
  /**
   * Reads all that was given, flags before the config file.
   * @param recordedAgent the agent's file of the run that is resumed
   * @throws UsageError, AgentFileError; CommanderError for an unknown flag
   */
  readonly readAll: (recordedAgent?: string) => Promise<GivenOptions>;
}

interface GivenOptions {
  readonly given: RawRunOptions;
  /** The strategy of an agent's file. */
  readonly fromFile: StrategyDefinition | undefined;
}

/** @throws UsageError when the config file cannot be read, or is no such object */
export async function readEarlyOptions(flags: RunFlags, cwd: string): Promise<EarlyOptions> {
  const file = flags.config === undefined ? null : await readConfigFile(resolve(cwd, flags.config));
  const early = (option: string, key: string) =>
    flags.options[option] ?? file?.values[key] ?? file?.values[key.replaceAll('_', '-')] ?? undefined;
  const agentStrategy = early('agentStrategy', 'agent_strategy');
  return {
    runId: early('runId', 'run_id'),
    logDir: early('logDir', 'log_dir'),
    agentStrategy,
    async readAll(recordedAgent) {
      const word = agentStrategy ?? recordedAgent;
      const isFile = typeof word === 'string' && isAgentFile(word) && !Object.hasOwn(strategies, word);
      const fromFile = isFile ? (await loadAgent(resolve(cwd, word))).strategy : undefined;
      const own = flags.readOwn?.(fromFile) ?? {};
      return { given: { ...(file === null ? {} : nameOptions(file)), ...flags.options, ...own }, fromFile };
    },
  };
}

async function readConfigFile(path: string): Promise<ConfigFile> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    throw new UsageError(`the config file ${path} cannot be read; check the path given with --config.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`the config file ${path} is not JSON: ${(error as Error).message}.`);
  }
  const parsed = z.record(z.string(), z.unknown()).safeParse(value);
  if (!parsed.success) throw new UsageError(`the config file ${path} must hold a JSON object of flags.`);
  return { path, values: parsed.data };
}

/** @throws UsageError for an unknown option */
function nameOptions({ path, values }: ConfigFile): RawRunOptions {
  const options: RawRunOptions = {};
  for (const [key, item] of Object.entries(values)) {
    const { option, isNegated } = named(key.replaceAll('-', '_'));
    if (option === undefined) throw new UsageError(`the config file ${path} has the unknown option "${key}".`);
    // Programs that write such files write null for what was not given.
    if (item === null) continue;
    if (isNegated && typeof item !== 'boolean') {
      throw new UsageError(`the config file ${path} has "${key}": ${JSON.stringify(item)}; it must be true or false.`);
    }
    options[option] = isNegated ? item === false : item;
  }
  return options;
}

/** The option that a key in snake_case means; `no_worker` is `worker` the other way round. */
function named(key: string): { option: string | undefined; isNegated: boolean } {
  const find = (snake: string) => {
    const camel = snake.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    return ALIASES[camel] ?? [...NAMES, ...strategyNames()].find((option) => option === camel);
  };
  const option = find(key);
  if (option !== undefined || !key.startsWith('no_')) return { option, isNegated: false };
  return { option: find(key.slice('no_'.length)), isNegated: true };
}
