/** Checks the values from flags, config files and recorded runs, and fills in defaults. */

import * as z from 'zod';
import { UsageError } from '../errors/index.ts';
import { HIGH_EFFORT_TIMEOUT_MS } from '../evaluation/index.ts';
import * as kinds from '../evaluation/kinds.schema.ts';
import {
  formatFlag,
  runOptions,
  splitStrategyValues,
  type OptionName,
  type RawRunOptions,
  type RUN_OPTIONS,
} from './options/index.ts';
import { withEnv } from './env.ts';

type Table = typeof RUN_OPTIONS;
type Values = { [Name in OptionName]: z.output<ReturnType<Table[Name]['schema']>> };
type OptionalFields<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: T[K];
};

/** Checked options of a run. Durations are in milliseconds. */
export type RunOptions = OptionalFields<Values> & {
  /** Values of strategies' options by name, which their descriptors check. */
  own: Record<string, unknown>;
};

const schemas = Object.fromEntries(runOptions.map(([name, { schema }]) => [name, schema(kinds)])) as Record<
  OptionName,
  z.ZodType
>;
const runOptionsSchema = z.strictObject({
  ...schemas,
  own: z.record(z.string(), z.unknown()).default({}),
});

/** @returns undefined for an option without a default */
export function getDefault(name: OptionName): unknown {
  return schemas[name].parse(undefined);
}

/**
 * @param typed options of the command line; `raw` also has options of a config file and of a recorded run
 * @throws UsageError with one sentence that names the flag
 */
export function parseRunOptions(raw: RawRunOptions, typed: RawRunOptions = raw): RunOptions {
  const { rest, own } = splitStrategyValues(raw);
  const parsed = runOptionsSchema.safeParse({ ...withEnv(rest), own });
  if (!parsed.success) throw new UsageError(`${issueSentence(parsed.error.issues[0])}.`);
  return withCallTimeout(withSettings(parsed.data as unknown as RunOptions, typed), rest);
}

/** Returns a phrase for each invalid option: `--max-steps must be at least 1`. */
export function findProblems(raw: RawRunOptions): string[] {
  const { rest, own } = splitStrategyValues(raw);
  const parsed = runOptionsSchema.safeParse({ ...withEnv(rest), own });
  return parsed.success ? [] : parsed.error.issues.map(issueSentence);
}

function issueSentence(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'the options cannot be used';
  if (issue.code === 'unrecognized_keys') return `unknown option ${issue.keys.map(formatFlag).join(', ')}`;
  return `${formatFlag(String(issue.path[0]))} ${issue.message}`;
}

/** Settings of a model that have their own flags. */
const SPELLINGS = {
  agentModelSettings: {
    temperature: 'temperature',
    max_completion_tokens: 'maxCompletionTokens',
    reasoning_effort: 'reasoningEffort',
  },
  userModelSettings: { max_completion_tokens: 'userMaxCompletionTokens', reasoning_effort: 'userReasoningEffort' },
} as const satisfies Partial<Record<OptionName, Readonly<Record<string, OptionName>>>>;

/**
 * Merges each model's settings with the flags for single settings. Only flags of the command line can contradict each
 * other; a flag replaces a config file's setting.
 * @throws UsageError if a flag and a JSON object of settings differ
 */
function withSettings(options: RunOptions, typed: RawRunOptions): RunOptions {
  const merged: Record<string, unknown> = { ...options };
  for (const [name, spellings] of Object.entries(SPELLINGS)) {
    const settings = { ...(merged[name] as Record<string, unknown> | undefined) };
    for (const [key, option] of Object.entries(spellings)) {
      const [given, before] = [merged[option], settings[key]];
      if (typed[name] !== undefined && typed[option] !== undefined && before !== undefined && given !== before) {
        const values = [given, before].map((value) => JSON.stringify(value)).join(' and ');
        throw new UsageError(
          `${formatFlag(option)} and the ${key} of ${formatFlag(name)} differ: ${values}; leave one of them out.`,
        );
      }
      const value = given === undefined ? before : given;
      if (value !== undefined) merged[option] = settings[key] = value;
    }
    if (Object.keys(settings).length > 0) merged[name] = settings;
  }
  return merged as RunOptions;
}

/** Efforts for which a model may be silent longer than the default time limit of a call. */
const HIGH_EFFORTS: ReadonlySet<string | undefined> = new Set(['high', 'xhigh', 'max']);

/** Sets a time limit of calls that suits the efforts, unless one is given. */
function withCallTimeout(options: RunOptions, given: Readonly<Record<string, unknown>>): RunOptions {
  const { agentModelSettings: agent, userModelSettings: user, roleModels } = options;
  const settings = [agent, user, ...Object.values(roleModels)];
  const isLong = settings.some((one) => HIGH_EFFORTS.has(one?.reasoning_effort));
  return isLong && given['callTimeout'] === undefined ? { ...options, callTimeout: HIGH_EFFORT_TIMEOUT_MS } : options;
}
