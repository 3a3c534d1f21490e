/**
 * The configuration of a run, each field once. From this table derive its type, the schema of `run.json`, flags,
 * `--help`, config files, the response cache's key, forks, and which values a resumed run keeps or may change.
 *
 * Zod is imported as a type only: workflows and `--help` read the table without the library.
 */

import type * as z from 'zod';
import { BASE, DEFAULTS } from '../benchmarks/pure.ts';
import type { ConditionRef } from '../conditions/index.ts';
import { userStrategies } from '../agents/users/index.ts';
import type * as kinds from './kinds.schema.ts';

type Kinds = typeof kinds;

/**
 * - `identity`: two runs are the same only if it is equal; a resumed run must have the same value.
 * - `limit`: a resumed run may have another value, and `tauflow set` changes that of a run in progress.
 * - `note`: shown, never compared.
 */
type Mark =
  | {
      readonly is: 'identity' | 'note';
      /** The option with exactly this value. @default several options make the value */
      readonly option?: ConfigOption;
    }
  | { readonly is: 'limit'; readonly option: LimitOption };

type ConfigField = Mark & {
  readonly type: (as: Kinds) => z.ZodType;
  /** True if the configuration omits the field at its default. */
  readonly isOptional?: true;
  /** Unit of a number. @default none */
  readonly unit?: 'ms';
  /** Returns the part of the value that is compared between two runs. @default all of it */
  readonly compared?: (value: never) => unknown;
  /**
   * Returns the part of the value that can change a prompt or a completion, and so belongs to the response cache's key.
   * Limits of an episode or its calls do not belong to it, so that a run with more steps finds the completions of a
   * shorter one.
   * @default all of an identity's value, nothing of a limit's or a note's
   */
  readonly cached?: (value: never) => unknown;
};

interface ConfigOption {
  /** Name in the program; config files have it in snake_case or kebab-case. */
  readonly name: string;
  readonly flag: string;
  readonly help: string;
  /** Help in commands that use the option differently. @default {@link help} */
  readonly helpIn?: Readonly<Partial<Record<OtherCommand, string>>>;
  readonly default: string | number | boolean;
  /** Text after the default in `--help`. */
  readonly defaultNote?: string;
  /** True if `--help` shows the option; otherwise only `--help-all` does. */
  readonly isEssential?: true;
  readonly read: (as: Kinds) => z.ZodType;
  /** Values that a shell suggests. */
  readonly suggested?: () => readonly string[];
}

interface LimitOption extends ConfigOption {
  /** Messages of `tauflow set`. */
  readonly set: {
    /** Describes the effect of a new value. */
    readonly effect: (value: string) => string;
    /** Advice for the value 0, a sentence without its full stop. */
    readonly zero: string;
  };
}

/** Commands that have some options of `run`, with a different use. */
export type OtherCommand = 'fork' | 'errors' | 'serve' | 'set';

/** Most repetitions. A user that is suspect more often has a wrong model, or the task is wrong. */
const MOST_REPEATS = 20;

const nothing = () => undefined;
const HOUR_MS = 3_600_000;
/** Time limit of a call with a high effort, for which a model may be silent longer than usual. */
export const HIGH_EFFORT_TIMEOUT_MS = HOUR_MS / 2;

/** Fields of a configuration in the order of `run.json`. */
export const CONFIG = {
  env: {
    is: 'identity',
    type: (as) => as.text,
    option: {
      name: 'env',
      flag: '--env <env>',
      help: 'domain; tau2:banking_knowledge; or a folder with a benchmark, such as ./my-tasks',
      helpIn: { errors: "domain of a file's tasks (default: recognized by its tools)" },
      default: DEFAULTS.env,
      isEssential: true,
      read: (as) => as.name,
    },
  },
  split: {
    is: 'identity',
    type: (as) => as.text,
    option: {
      name: 'taskSplit',
      flag: '--task-split <split>',
      help: 'train, test or dev, as the pack has them',
      helpIn: { errors: `split of a file's tasks (default: ${DEFAULTS.taskSplit})` },
      default: DEFAULTS.taskSplit,
      isEssential: true,
      read: (as) => as.name,
    },
  },
  pack: {
    is: 'identity',
    type: (as) => as.packRef,
    compared: ({ name, digest, environment }: z.output<Kinds['packRef']>) =>
      environment === undefined
        ? { name, digest }
        : { name, digest, version: environment.version, options: environment.options },
    cached: ({ digest }: z.output<Kinds['packRef']>) => digest,
  },
  strategy: { is: 'identity', type: (as) => as.text },
  strategyOptions: { is: 'identity', type: (as) => as.strategyOptions },
  /** The model that answers the agent's calls; null: the agent, a service or a function, calls its own models. */
  agentModel: { is: 'identity', type: (as) => as.model.nullable() },
  /** Models of the agent's calls that do not use `agentModel`; absent: all calls use it. */
  roleModels: { is: 'identity', type: (as) => as.roleModels, isOptional: true },
  userStrategy: {
    is: 'identity',
    type: (as) => as.text,
    option: {
      name: 'userStrategy',
      flag: '--user-strategy <name>',
      help: `how the user is simulated: ${Object.keys(userStrategies).join(', ')}`,
      default: 'llm',
      isEssential: true,
      read: (as) => as.name,
      suggested: () => Object.keys(userStrategies),
    },
  },
  userModel: { is: 'identity', type: (as) => as.model },
  /** The judge of sentences in tasks; absent: these sentences are not judged. */
  judgeModel: { is: 'identity', type: (as) => as.model, isOptional: true },
  maxSteps: {
    is: 'identity',
    type: (as) => as.int,
    cached: nothing,
    option: {
      name: 'maxSteps',
      flag: '--max-steps <n>',
      help: 'environment steps per episode',
      helpIn: { fork: 'environment steps of the episode, including replayed ones' },
      default: DEFAULTS.maxSteps,
      read: (as) => as.wholeNumber(1),
    },
  },
  /** Conditions under which every episode is played beside `base`; absent: none. */
  conditions: {
    is: 'identity',
    type: (as) => as.conditions,
    isOptional: true,
    compared: (conditions: z.output<Kinds['conditions']>) => conditions.map(formatCondition),
  },
  /** Seed of the order of tasks and, per task and trial, of the calls of providers that accept a seed. */
  seed: {
    is: 'identity',
    type: (as) => as.int,
    option: {
      name: 'seed',
      flag: '--seed <n>',
      help: 'order of shuffled tasks, and seeds for providers that take one',
      helpIn: { fork: 'another seed, for providers that take one' },
      default: 10,
      read: (as) => as.wholeNumber(0),
    },
  },
  maxRetries: {
    is: 'identity',
    type: (as) => as.int,
    cached: nothing,
    option: {
      name: 'maxRetries',
      flag: '--max-retries <n>',
      help: 'retries of one model call after API failures',
      helpIn: { fork: "retries of one model call after API failures (default: the origin's)" },
      default: 3,
      read: (as) => as.wholeNumber(0),
    },
  },
  /** Timeout of one attempt of a model call: long enough for a reasoning model. */
  callTimeoutMs: {
    is: 'identity',
    type: (as) => as.number,
    isOptional: true,
    unit: 'ms',
    cached: nothing,
    option: {
      name: 'callTimeout',
      flag: '--call-timeout <duration>',
      help: 'time limit of one model call',
      helpIn: { errors: 'how long one model call may take before it is tried again (default: 10m)' },
      default: HOUR_MS / 6,
      defaultNote: `${formatMs(HIGH_EFFORT_TIMEOUT_MS)} with a high effort`,
      read: (as) => as.durationFrom(1),
    },
  },
  /** Time that calls wait in their episodes while a provider is away; 0: they do not wait. */
  outageTimeoutMs: {
    is: 'limit',
    type: (as) => as.number,
    isOptional: true,
    unit: 'ms',
    option: {
      name: 'outageTimeout',
      flag: '--outage-timeout <duration>',
      help: 'how long to wait for a provider that is down; none: do not wait',
      helpIn: { set: 'how long to wait for a provider that is down' },
      default: 6 * HOUR_MS,
      read: (as) => as.durationOrNone,
      set: {
        effect: (value) => `waits ${value} for a provider or agent that is down`,
        zero: '`tauflow cancel RUN EPISODE` ends an episode that waits',
      },
    },
  },
  /** Most repetitions of an episode with a suspect simulated user, each with another seed. */
  repeatSuspect: {
    is: 'limit',
    type: (as) => as.int,
    isOptional: true,
    option: {
      name: 'repeatSuspect',
      flag: '--repeat-suspect <n>',
      help: 'play an episode with a suspect user again, up to n times',
      default: 0,
      read: (as) => as.wholeNumber(0, MOST_REPEATS),
      set: {
        effect: (value) => `plays episodes with a suspect user again up to ${value} times`,
        zero: 'repeats that have begun go on to their end',
      },
    },
  },
  episodeTimeoutMs: {
    is: 'identity',
    type: (as) => as.number,
    unit: 'ms',
    cached: nothing,
    option: {
      name: 'episodeTimeout',
      flag: '--episode-timeout <duration>',
      help: "an episode's deadline",
      default: 2 * HOUR_MS,
      read: (as) => as.duration,
    },
  },
  /**
   * Most tokens of a completion, reasoning included, by role; null: no cap. A missing role has the cap of its side
   * (`agent`, `user`), and no cap if that is missing too.
   */
  maxCompletionTokens: { is: 'identity', type: (as) => as.tokenCaps, isOptional: true },
  /** Prices of the run's models that replace those of the price list; absent: none. */
  prices: { is: 'identity', type: (as) => as.modelPrices, isOptional: true, cached: nothing },
  /**
   * Digest under which a worker's response cache stores the completions of this configuration absent: every call is
   * made.
   */
  responseCache: { is: 'identity', type: (as) => as.text, isOptional: true, compared: () => true, cached: nothing },
  /** True if the bodies of every model call are stored beside the records. @default false */
  keepRequests: {
    is: 'note',
    type: (as) => as.onlyTrue,
    isOptional: true,
    option: {
      name: 'keepRequests',
      flag: '--keep-requests',
      help: 'keep the raw request and reply of every model call in the run log',
      default: false,
      read: (as) => as.yesOrNo,
    },
  },
} as const satisfies Readonly<Record<string, ConfigField>>;

type ConfigFields = typeof CONFIG;
export type ConfigKey = keyof ConfigFields;
type ConfigShape = {
  [K in ConfigKey]: ConfigFields[K] extends { isOptional: true }
    ? z.ZodExactOptional<ReturnType<ConfigFields[K]['type']>>
    : ReturnType<ConfigFields[K]['type']>;
};

/** The settings that affect an episode; part of every sweep's and episode's input, and of `run.json`. */
export type EvaluationConfig = Readonly<z.output<z.ZodObject<ConfigShape>>>;

export const CONFIG_FIELDS: ReadonlyMap<ConfigKey, ConfigField> = new Map(
  Object.entries(CONFIG) as [ConfigKey, ConfigField][],
);

/** Returns the schema of a configuration, for `z.object`. */
export function configShape(as: Kinds): ConfigShape {
  return Object.fromEntries(
    Array.from(CONFIG_FIELDS, ([key, { type, isOptional }]) => [
      key,
      isOptional === true ? type(as).optional() : type(as),
    ]),
  ) as ConfigShape;
}

export type LimitKey = { [K in ConfigKey]: ConfigFields[K]['is'] extends 'limit' ? K : never }[ConfigKey];

/** Limits that a command has changed. @default as in the configuration */
export type ConfigLimits = Partial<Pick<EvaluationConfig, LimitKey>>;

export const LIMIT_KEYS = [...CONFIG_FIELDS].flatMap(([key, { is }]) => (is === 'limit' ? [key] : [])) as LimitKey[];

/** Picks the limits that are given among other values. */
export function pickLimits(values: ConfigLimits): ConfigLimits {
  return Object.fromEntries(
    LIMIT_KEYS.flatMap((key) => (values[key] === undefined ? [] : [[key, values[key]] as const])),
  );
}

/** @returns the problem of the first invalid limit, in a sentence without its full stop; null if all are valid */
export function findLimitProblem(limits: ConfigLimits): string | null {
  for (const [key, value] of Object.entries(pickLimits(limits)) as [LimitKey, unknown][]) {
    const { unit, option }: { unit?: 'ms'; option: LimitOption } = CONFIG[key];
    const isCount = unit === undefined && value === 0;
    if (isCount || (typeof value === 'number' && Number.isSafeInteger(value) && value > 0)) continue;
    const words = option.name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    const number = unit === 'ms' ? 'a whole number of milliseconds above 0' : 'a whole number of at least 0';
    return `the ${words} must be ${number}, not ${JSON.stringify(value)}`;
  }
  return null;
}

type OptionKey = { [K in ConfigKey]: ConfigFields[K] extends { option: object } ? K : never }[ConfigKey];

/** Returns the value of a setting, or its default if the configuration has none. */
export function getSetting<K extends OptionKey>(
  config: Partial<Pick<EvaluationConfig, K>>,
  key: K,
): NonNullable<EvaluationConfig[K]> {
  return config[key] ?? (CONFIG[key].option.default as NonNullable<EvaluationConfig[K]>);
}

/** @returns the help line of an option, with its default and note */
export function formatHelp({ help, default: value, defaultNote }: ConfigOption, unit: ConfigField['unit']): string {
  if (typeof value === 'boolean') return help;
  const shown = unit === 'ms' ? formatMs(Number(value)) : String(value);
  return `${help} (default: ${shown}${defaultNote === undefined ? '' : `; ${defaultNote}`})`;
}

/** Formats a condition: `tool-errors=0.2`, `my-condition@4f1c09a2be33`. */
export function formatCondition({ name, rate, file }: ConditionRef): string {
  return `${name}${rate === undefined ? '' : `=${rate}`}${file === undefined ? '' : `@${file.digest.slice(0, 12)}`}`;
}

/**
 * Describes a run's conditions: `base, tool-errors=0.2, busy-tools (/home/ann/busy-tools.ts, 4f1c09a2be33)`; null for a
 * run without conditions.
 */
export function describeConditions({ conditions }: Pick<EvaluationConfig, 'conditions'>): string | null {
  if (conditions === undefined) return null;
  const words = conditions.map((each) => {
    const { file } = each;
    return file === undefined ? formatCondition(each) : `${each.name} (${file.path}, ${file.digest.slice(0, 12)})`;
  });
  return [BASE, ...words].join(', ');
}

/** Formats a duration: `6h`, `30s`. */
function formatMs(ms: number): string {
  const units = { h: HOUR_MS, m: 60_000, s: 1_000 };
  const [unit, size] = Object.entries(units).find(([, length]) => ms % length === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}
