/** Checks what flags, config files and recorded runs give, and fills in defaults. */

import * as z from 'zod';
import { UsageError } from '../../errors/index.ts';
import { HIGH_EFFORT_TIMEOUT_MS } from '../../evaluation/index.ts';
import * as kinds from '../../evaluation/kinds.schema.ts';
import type { GivenSettings } from '../../evaluation/model-settings.schema.ts';
import { withEnv } from './benchmark.ts';
import {
  MODEL_FIELDS,
  agentOption,
  flagOf,
  modelFlag,
  modelOption,
  runOptions,
  splitStrategyValues,
  type AgentOption,
  type ModelField,
  type OptionName,
  type RawRunOptions,
} from './names.ts';
import { RUN_OPTIONS } from './table.ts';

type Table = typeof RUN_OPTIONS;
type Values = { [Name in OptionName]: z.output<ReturnType<Table[Name]['schema']>> };
type Given<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: T[K];
};

/** Options of a role's model. */
export type RoleOptions = { readonly [Field in ModelField]?: Values[AgentOption<Field>] | undefined };

/** Durations are in milliseconds. */
export type RunOptions = Given<Values> & {
  /** Models by role; on the command line and in config files each is a flag of its own. */
  roles: Record<string, RoleOptions>;
  /** Values of strategies' options by name, which their descriptors check; likewise. */
  own: Record<string, unknown>;
};

const schemas = Object.fromEntries(runOptions.map(([name, { schema }]) => [name, schema(kinds)])) as Record<
  OptionName,
  z.ZodType
>;
const roleSchema = z.strictObject(
  Object.fromEntries(MODEL_FIELDS.map((field) => [field, schemas[agentOption(field)].optional()])),
);
const runOptionsSchema = z.strictObject({
  ...schemas,
  roles: z.record(z.string(), roleSchema).default({}),
  own: z.record(z.string(), z.unknown()).default({}),
});

/** @returns undefined for an option without a default */
export function defaultOf(name: OptionName): unknown {
  return schemas[name].parse(undefined);
}

/**
 * @param typed those of the command line, where `raw` has a config file's and a recorded run's as well
 * @throws UsageError with one sentence that names the flag
 */
export function parseRunOptions(raw: RawRunOptions, typed: RawRunOptions = raw): RunOptions {
  const { rest, ...values } = splitStrategyValues(raw);
  const parsed = runOptionsSchema.safeParse({ ...withEnv(rest), ...values });
  if (!parsed.success) throw new UsageError(`${issueSentence(parsed.error.issues[0])}.`);
  return withCallTimeout(withSettings(parsed.data as unknown as RunOptions, typed), rest);
}

/** Returns what is wrong with values, one phrase for each option: `--max-steps must be at least 1`. */
export function findProblems(raw: RawRunOptions): string[] {
  const { rest, ...values } = splitStrategyValues(raw);
  const parsed = runOptionsSchema.safeParse({ ...withEnv(rest), ...values });
  return parsed.success ? [] : parsed.error.issues.map(issueSentence);
}

function issueSentence(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'the options cannot be used';
  if (issue.code === 'unrecognized_keys') return `unknown option ${issue.keys.map(flagOf).join(', ')}`;
  const [option = '', role = '', field] = issue.path.map(String);
  const flag = option === 'roles' ? modelFlag(role, field as ModelField) : flagOf(option);
  return `${flag} ${issue.message}`;
}

/** Merges each model's settings with the flags that are other spellings of them. */
function withSettings(options: RunOptions, typed: RawRunOptions): RunOptions {
  const values: Readonly<Record<string, unknown>> = options;
  const merged: Record<string, unknown> = { ...options };
  for (const nameOf of [agentOption, (field: ModelField) => modelOption('user', field)]) {
    const given = Object.fromEntries(MODEL_FIELDS.map((field) => [field, values[nameOf(field)]]));
    const model = mergeSettings(
      given,
      (field) => flagOf(nameOf(field)),
      (field) => typed[nameOf(field)] !== undefined,
    );
    for (const field of ['temperature', 'maxCompletionTokens', 'modelSettings'] as const) {
      if (model[field] !== undefined && Object.hasOwn(RUN_OPTIONS, nameOf(field))) merged[nameOf(field)] = model[field];
    }
  }
  const { roles: typedRoles } = splitStrategyValues(typed);
  const roles = Object.entries(options.roles).map(([role, given]) => {
    const {
      reasoningEffort: _,
      topP: __,
      wire: ___,
      extraBody: ____,
      ...model
    } = mergeSettings(
      given,
      (field) => modelFlag(role, field),
      (field) => typedRoles[role]?.[field] !== undefined,
    );
    return [role, model] as const;
  });
  return { ...(merged as RunOptions), roles: Object.fromEntries(roles) };
}

/** Settings that have a flag of their own each. */
const SETTINGS = [
  ['temperature', 'temperature'],
  ['maxCompletionTokens', 'max_completion_tokens'],
  ['reasoningEffort', 'reasoning_effort'],
  ['topP', 'top_p'],
  ['wire', 'wire'],
  ['extraBody', 'extra_body'],
] as const;

/**
 * @param isTyped only flags of the command line can contradict each other; over a config file's settings a flag wins
 * @throws UsageError where a flag and a JSON object of settings say different things
 */
function mergeSettings(
  model: RoleOptions,
  flagName: (field: ModelField) => string,
  isTyped: (field: ModelField) => boolean,
): RoleOptions {
  const { modelSettings: before = {} } = model;
  const flags: Record<string, unknown> = {};
  for (const [field, key] of SETTINGS) {
    const value = model[field];
    if (value === undefined) continue;
    if (field !== 'temperature' && field !== 'maxCompletionTokens') flags[key] = value;
    const [first, second] = [JSON.stringify(value), JSON.stringify(before[key])];
    if (!isTyped('modelSettings') || !isTyped(field) || before[key] === undefined || first === second) continue;
    const [flag, settings] = [flagName(field), flagName('modelSettings')];
    throw new UsageError(
      `${flag} and the ${key} of ${settings} differ: ${first} and ${second}; leave one of them out.`,
    );
  }
  const { temperature = before.temperature, maxCompletionTokens = before.max_completion_tokens } = model;
  const merged = { ...before, ...(flags as GivenSettings) };
  return {
    ...model,
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxCompletionTokens === undefined ? {} : { maxCompletionTokens }),
    ...(Object.keys(merged).length === 0 ? {} : { modelSettings: merged }),
  };
}

/** Efforts with which a model may be silent for longer than the usual time limit of a call. */
const HIGH_EFFORTS: ReadonlySet<string | undefined> = new Set(['high', 'xhigh', 'max']);

/** Returns the options with a time limit of calls that suits the efforts, where none is given. */
function withCallTimeout(options: RunOptions, given: Readonly<Record<string, unknown>>): RunOptions {
  const { agentModelSettings: agent, userModelSettings: user, roles } = options;
  const settings = [agent, user, ...Object.values(roles).map(({ modelSettings }) => modelSettings)];
  const isLong = settings.some((one) => HIGH_EFFORTS.has(one?.reasoning_effort));
  return isLong && given['callTimeout'] === undefined ? { ...options, callTimeout: HIGH_EFFORT_TIMEOUT_MS } : options;
}
