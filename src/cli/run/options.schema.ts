/** The flags of `run`, as one validated object. Config files and resumed runs fill in what the flags leave open. */

import { z } from 'zod';
import {
  DEFAULT_CALL_TIMEOUT_MS,
  DEFAULT_HEARTBEAT_TIMEOUT_MS,
  DEFAULT_OUTAGE_TIMEOUT_MS,
  DEFAULT_REPLY_LIMITS,
  type ModelPrice,
} from '../../wire/index.ts';
import { parseRateLimits } from '../rate-limit-flag.ts';

/** Numbers as a person writes them: `z.coerce` would take an empty text for 0, and `true` for 1. */
const number = (problem: string) =>
  z.preprocess(
    (value) =>
      typeof value === 'string' && /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(value) ? Number(value) : value,
    z.number({ error: problem }),
  );

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

/** `command=tool,…`, or an object of tools by command. */
const toolNames = z
  .union([z.string(), z.array(z.string()), z.record(z.string(), z.string())], {
    error: 'must be pairs such as command=tool, or an object of tools by command',
  })
  .transform((value, context) => {
    const given =
      typeof value === 'object' && !Array.isArray(value)
        ? Object.entries(value).map(([command, tool]) => `${command}=${tool}`)
        : wordsOf(value);
    const pairs: Record<string, string> = {};
    for (const pair of given) {
      const [, command, tool] = /^([\w.-]+)=([\w.-]+)$/.exec(pair) ?? [];
      if (command === undefined || tool === undefined) {
        context.addIssue({ code: 'custom', message: `must be pairs such as command=tool, not "${pair}"` });
        return z.NEVER;
      }
      if (Object.hasOwn(pairs, command) && pairs[command] !== tool) {
        context.addIssue({ code: 'custom', message: `gives the command ${command} two tools; name one` });
        return z.NEVER;
      }
      pairs[command] = tool;
    }
    return pairs;
  });

function wordsOf(value: string | readonly string[]): string[] {
  return [value]
    .flat()
    .flatMap((item) => item.split(/[\s,]+/))
    .filter((word) => word !== '');
}

const name = z.string({ error: 'must be a text' }).min(1, 'must not be empty');

const yesOrNo = z.boolean({ error: 'must be true or false' });

/** `default` leaves it to the provider. */
const temperature = wordOr(
  'default',
  number('must be a number, or default').pipe(z.number().min(0, 'must be at least 0')),
);

/** `none` leaves it to the provider; without a word it follows from the model. */
const tokenCap = wordOr('none', wholeNumber(1)).optional();

/** What `--<role>-model` and its kin say of one role. */
const roleSchema = z.strictObject({
  model: name.optional(),
  modelProvider: name.optional(),
  temperature: temperature.optional(),
  maxCompletionTokens: tokenCap,
});

/** Episodes open at once: a machine's memory holds about a thousand per GB, and more workers share them. */
const MAX_CONCURRENCY = 10_000;

/** As tau-bench's `run.py` has it. */
export const DEFAULT_ENV = 'retail';

export const runOptionsSchema = z.strictObject({
  env: name.default(DEFAULT_ENV),
  agentStrategy: name.default('tool-calling'),
  model: name.optional(),
  modelProvider: name.optional(),
  userModel: name.optional(),
  userModelProvider: name.optional(),
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
  temperature: temperature.default(0),
  seed: wholeNumber(0).default(10),
  shuffle: flag.default(false),
  fewShotDisplaysPath: name.optional(),
  fewShotLeaveOut: yesOrNo.default(false),
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
  clearCache: flag.default(false),
  compat: names.default([]),
  decisionOnly: yesOrNo.default(false),
  toolNames: toolNames.default({}),
  parameterTries: wholeNumber(1).default(1),
  intentRanker: z.enum(['lexical', 'llm'], { error: 'must be lexical or llm' }).default('lexical'),
  /** By role; on the command line and in config files each is a flag of its own. */
  roles: z.record(z.string(), roleSchema).default({}),
  maxCost: budget.optional(),
  /** A file's name; or those of the run that is taken up again. */
  prices: z.union([name, z.custom<readonly ModelPrice[]>(Array.isArray, 'must be a file')]).optional(),
  detach: yesOrNo.default(false),
  worker: yesOrNo.default(true),
  dryRun: yesOrNo.default(false),
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
/** What flags and config files give: values not yet checked, by name; those of roles under names such as `plannerModel`. */
export type RawRunOptions = Partial<Record<Exclude<keyof RunOptions, 'roles'>, unknown>> & Record<string, unknown>;
