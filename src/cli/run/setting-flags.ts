/** Flags of a model that are other spellings of its settings: `--reasoning-effort`, `--top-p` and their kin. */

import * as z from 'zod';
import { UsageError } from '../../errors/index.ts';
import { wireSchema, type GivenSettings } from '../../wire/model-settings.schema.ts';
import { roleFlag, splitStrategyValues } from './flags.ts';
import type { RawRunOptions, RunOptions } from './options.ts';

/** Numbers as a person writes them: `z.coerce` would take an empty text for 0, and `true` for 1. */
export const number = (problem: string) =>
  z.preprocess(
    (value) =>
      typeof value === 'string' && /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(value) ? Number(value) : value,
    z.number({ error: problem }),
  );

export const name = z.string({ error: 'must be a text' }).min(1, 'must not be empty');

/** A JSON object, as text or in a config file. */
const jsonObject = z.unknown().transform((value, context): Readonly<Record<string, unknown>> => {
  try {
    const parsed = z.record(z.string(), z.unknown()).safeParse(typeof value === 'string' ? JSON.parse(value) : value);
    if (parsed.success) return parsed.data;
  } catch {
    // Said below, as for JSON that is no object.
  }
  context.addIssue({ code: 'custom', message: 'must be a JSON object such as {"service_tier": "flex"}' });
  return z.NEVER;
});

const share = number('must be a number from 0 to 1').pipe(
  z.number().min(0, 'must be a number from 0 to 1').max(1, 'must be a number from 0 to 1'),
);

/** Flags of a model that are other spellings of its settings. */
export const settingFlags = {
  reasoningEffort: name.optional(),
  topP: share.optional(),
  wire: wireSchema.optional(),
  extraBody: jsonObject.optional(),
};
type SettingFlags = z.output<z.ZodObject<typeof settingFlags>>;

/**
 * @param typed flags of the command line: only they can contradict each other; over a config file's settings a flag wins
 * @throws UsageError where a flag and a JSON object of settings say different things
 */
export function withSettingFlags(options: RunOptions, typed: RawRunOptions): RunOptions {
  refuseContradictions(options, typed);
  const { userReasoningEffort, userTopP, userWire, userExtraBody } = options;
  const ofUser = { reasoningEffort: userReasoningEffort, topP: userTopP, wire: userWire, extraBody: userExtraBody };
  const agent = mergeSettings(options.agentModelSettings, options);
  const user = mergeSettings(options.userModelSettings, ofUser);
  const roles = Object.entries(options.roles).map(([role, values]) => {
    const { reasoningEffort: _, topP: __, wire: ___, extraBody: ____, modelSettings: given, ...rest } = values;
    const merged = mergeSettings(given, values);
    return [role, { ...rest, ...(merged === undefined ? {} : { modelSettings: merged }) }] as const;
  });
  return {
    ...options,
    ...(agent === undefined ? {} : { agentModelSettings: agent }),
    ...(user === undefined ? {} : { userModelSettings: user }),
    roles: Object.fromEntries(roles),
  };
}

function mergeSettings(
  given: GivenSettings | undefined,
  { reasoningEffort, topP, wire: chosen, extraBody }: SettingFlags,
): GivenSettings | undefined {
  const flags = { reasoning_effort: reasoningEffort, top_p: topP, wire: chosen, extra_body: extraBody };
  const said = Object.entries(flags).filter(([, value]) => value !== undefined);
  return said.length === 0 ? given : { ...given, ...(Object.fromEntries(said) as GivenSettings) };
}

/** Settings with a flag of their own each, by the name that the flag's option has. */
const OWN_FLAGS = {
  temperature: 'temperature',
  maxCompletionTokens: 'max_completion_tokens',
  reasoningEffort: 'reasoning_effort',
  topP: 'top_p',
  wire: 'wire',
  extraBody: 'extra_body',
} as const;
type OwnFlags = Partial<Record<keyof typeof OWN_FLAGS, unknown>>;

function refuseContradictions(options: RunOptions, typed: RawRunOptions): void {
  const isTyped = (option: string) => typed[option] !== undefined;
  const { userReasoningEffort, userTopP, userWire, userExtraBody, userMaxCompletionTokens } = options;
  if (isTyped('agentModelSettings')) {
    compare(options.agentModelSettings, options, '--', '--agent-model-settings', isTyped);
  }
  if (isTyped('userModelSettings')) {
    const flags = {
      maxCompletionTokens: userMaxCompletionTokens,
      reasoningEffort: userReasoningEffort,
      topP: userTopP,
      wire: userWire,
      extraBody: userExtraBody,
    };
    const isUserTyped = (option: string) => isTyped(`user${option.charAt(0).toUpperCase()}${option.slice(1)}`);
    compare(options.userModelSettings, flags, '--user-', '--user-model-settings', isUserTyped);
  }
  const { roles: typedRoles } = splitStrategyValues(typed);
  for (const [role, { modelSettings: settings, ...flags }] of Object.entries(options.roles)) {
    const words: Readonly<Record<string, unknown>> = typedRoles[role] ?? {};
    if (words['modelSettings'] === undefined) continue;
    compare(settings, flags, `--${role}-`, roleFlag(role, 'modelSettings'), (option) => words[option] !== undefined);
  }
}

function compare(
  settings: GivenSettings | undefined,
  flags: OwnFlags,
  prefix: string,
  settingsFlag: string,
  isTyped: (option: string) => boolean,
): void {
  const before: Readonly<Record<string, unknown>> = settings ?? {};
  for (const [option, key] of Object.entries(OWN_FLAGS)) {
    const value = flags[option as keyof typeof OWN_FLAGS];
    if (!isTyped(option) || value === undefined || before[key] === undefined) continue;
    if (JSON.stringify(before[key]) === JSON.stringify(value)) continue;
    throw new UsageError(
      `${prefix}${key.replaceAll('_', '-')} and the ${key} of ${settingsFlag} differ: ${JSON.stringify(value)} and ` +
        `${JSON.stringify(before[key])}; leave one of them out.`,
    );
  }
}

/** Efforts with which a model may be silent for longer than the usual time limit of a call. */
const HIGH_EFFORTS: ReadonlySet<string | undefined> = new Set(['high', 'xhigh', 'max']);
const HIGH_EFFORT_TIMEOUT_MS = 1_800_000;

/** The options with a time limit of calls that suits the efforts, where none is given. */
export function withCallTimeout(options: RunOptions, given: Readonly<Record<string, unknown>>): RunOptions {
  const { agentModelSettings: agent, userModelSettings: user, roles } = options;
  const settings = [agent, user, ...Object.values(roles).map(({ modelSettings: ofRole }) => ofRole)];
  const isLong = settings.some((one) => HIGH_EFFORTS.has(one?.reasoning_effort));
  return isLong && given['callTimeout'] === undefined ? { ...options, callTimeout: HIGH_EFFORT_TIMEOUT_MS } : options;
}
