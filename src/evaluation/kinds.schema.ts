/**
 * Kinds of values of options and of `run.json`. The problem of an option's value is a phrase that follows the flag in a
 * sentence.
 */

import * as z from 'zod';
import { EPISODE_RULES } from '../benchmarks/pure.ts';
import { withOwnKeys } from '../benchmarks/python/values.schema.ts';
import { readNumeral, splitList, type CallRole, type StrategyOptions } from '../agents/index.ts';
import type { ConditionRef } from '../conditions/index.ts';
import {
  givenModelSchema,
  givenSettingsSchema,
  modelPriceSchema,
  modelSettingsSchema,
  type ModelPrice,
} from './model-settings.schema.ts';

/** Parses numbers strictly: `z.coerce` would convert an empty text to 0, and `true` to 1. */
const numeral = (problem: string) => z.preprocess(readNumeral, z.number({ error: problem }));

export const text = z.string();
export const name = z.string({ error: 'must be a text' }).min(1, 'must not be empty');
export const texts = z.union([name.transform((one) => [one]), z.array(name)], { error: 'must be texts' });
/** A switch, possibly with a word after the flag, as in `--use-reasoning true`. */
export const yesOrNo = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean({ error: 'must be true or false' }),
);

export const choice = (first: string, second: string) =>
  z.enum([first, second], { error: `must be ${first} or ${second}` });

export const wholeNumber = (least: number, most = Infinity) =>
  numeral('must be a whole number').pipe(
    z
      .number()
      .int('must be a whole number')
      .min(least, `must be at least ${least}`)
      .max(most, `must be at most ${most}`),
  );

/** Most episodes open at once. A machine has memory for about a thousand per GB; several workers share them. */
const MAX_CONCURRENCY = 10_000;

export const concurrency = wholeNumber(1).pipe(
  z.number().max(MAX_CONCURRENCY, `must be at most ${MAX_CONCURRENCY}: each open episode takes memory of a worker`),
);

export const share = numeral('must be a number from 0 to 1').pipe(
  z.number().min(0, 'must be a number from 0 to 1').max(1, 'must be a number from 0 to 1'),
);

/** Accepts a word that means null, or a value of the schema, whose problems it reports. */
function wordOr<T>(word: string, schema: z.ZodType<T>) {
  return z.unknown().transform((value, context): T | null => {
    if (value === word) return null;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    context.addIssue({ code: 'custom', message: parsed.error.issues[0]?.message ?? 'cannot be used' });
    return z.NEVER;
  });
}

/** An amount in USD: `1.5`, `$20`; `none` removes a run's limit. */
export const budget = wordOr(
  'none',
  z.preprocess(
    (value) => (typeof value === 'string' ? value.replace(/^\$/, '') : value),
    numeral('must be a number of USD, or none').pipe(z.number().positive('must be more than 0')),
  ),
);

/** A temperature; `default` leaves it to the provider. */
export const temperature = wordOr(
  'default',
  numeral('must be a number, or default').pipe(z.number().min(0, 'must be at least 0')),
);

/** A cap on tokens; `none` leaves it to the provider. */
export const tokenCap = wordOr('none', wholeNumber(1));

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A duration in milliseconds, from `90s`, `30m`, `2h`, or a number of seconds. */
export const duration = z.union([z.string(), z.number()]).transform((value, context) => {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?$/.exec(String(value).trim());
  if (match === null) {
    context.addIssue({ code: 'custom', message: 'must be a duration such as 90s, 30m or 2h' });
    return z.NEVER;
  }
  return Number(match[1]) * UNITS[(match[2] ?? 's') as keyof typeof UNITS];
});

export const durationFrom = (seconds: number) =>
  duration.refine((ms) => ms >= seconds * 1000, `must be at least ${seconds}s`);

/** A duration, or `none` for 0. */
export const durationOrNone = wordOr('none', duration).transform((ms) => ms ?? 0);

/** Most tasks in a range; more than any pack has. */
const MOST_IN_RANGE = 100_000;

/** Ids of tasks: `1 2 3`, `1,2,3`, `1-3`, or a mix. */
export const taskIds = z
  .union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))])
  .transform((value, context) => {
    const ids = new Set<number>();
    for (const word of splitList([value].flat().map(String))) {
      const [, from, to = from] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(word) ?? [];
      const [first, last] = [Number(from), Number(to)];
      const problem =
        from === undefined
          ? `must be task numbers such as 1 2 3, 1,2,3 or 1-3, not "${word}"`
          : last < first
            ? `has the range "${word}", which ends before it begins`
            : last - first >= MOST_IN_RANGE
              ? `has the range "${word}", which is longer than ${MOST_IN_RANGE} tasks`
              : null;
      if (problem !== null) {
        context.addIssue({ code: 'custom', message: problem });
        return z.NEVER;
      }
      for (let id = first; id <= last; id++) ids.add(id);
    }
    return [...ids];
  });

/** A switch: 0 or 1 as in tau-bench's `run.py`, or true or false. */
export const zeroOrOne = z
  .union([z.boolean(), z.enum(['0', '1', 'true', 'false']), z.literal(0), z.literal(1)], {
    error: 'must be 0 or 1',
  })
  .transform((value) => value === true || value === 1 || value === '1' || value === 'true');

/** A list of words: `a b c`, `a,b,c`, or a mix, each once and in order. */
export const words = z
  .union([z.string(), z.array(z.string())], { error: 'must be names such as a b or a,b' })
  .transform((value) => [...new Set(splitList(value))]);

/** A list of words as in {@link words}, sorted, so that the order of flags does not matter. */
export const names = words.transform((value) => value.sort());

/** Name of a prices file, or the prices of a resumed run. */
export const prices = z.union([name, z.custom<readonly ModelPrice[]>(Array.isArray, 'must be a file')]);

/** Parses JSON as text, or an object in a config file. @param names names that the schema accepts, for messages */
function json<T>(schema: z.ZodType<T>, names: object, example: string) {
  return z.unknown().transform((value, context): T => {
    let given = value;
    try {
      given = typeof value === 'string' ? JSON.parse(value) : value;
    } catch {
      given = undefined;
    }
    const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
    const parsed = isObject ? schema.safeParse(given) : null;
    if (parsed?.success === true) return parsed.data;
    context.addIssue({ code: 'custom', message: describe(parsed?.error.issues[0]) });
    return z.NEVER;
  });

  function describe(issue: z.core.$ZodIssue | undefined): string {
    if (issue === undefined) return `must be a JSON object such as ${example}`;
    const place = issue.path.join('.');
    if (issue.code !== 'unrecognized_keys') return `has ${place} that ${issue.message}`;
    const keys = issue.keys.map((key) => (place === '' ? key : `${place}.${key}`));
    return `has ${keys.join(', ')}; settings are ${Object.keys(names).join(', ')}, and extra_body takes any other`;
  }
}

export const modelSettings = json(givenSettingsSchema, givenSettingsSchema.shape, '{"top_p": 0.9}');
export const givenRoleModels = json(
  z.record(z.string(), givenModelSchema),
  givenModelSchema.shape,
  '{"planner": {"model": "gpt-4o"}}',
);

/** Options that an environment service checks itself. */
export const environmentOptions = json(z.record(z.string(), z.unknown()), {}, '{"size": 3}');

// Kinds of `run.json`

export const number = z.number();
export const int = z.number().int();
export const onlyTrue = z.literal(true);
const environmentRef = z.object({
  source: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('url'), url: z.string(), replays: onlyTrue.optional() }),
    z.object({ kind: z.literal('folder'), path: z.string() }),
    z.object({ kind: z.literal('adapter'), name: z.string() }),
  ]),
  name: z.string(),
  version: z.string(),
  domain: z.string(),
  options: withOwnKeys(z.record(z.string(), z.unknown())),
  rules: z.enum(EPISODE_RULES),
  replays: z.boolean(),
  requestTimeout: number.optional(),
});
export const packRef = z.object({
  name: z.string(),
  digest: z.string(),
  path: z.string(),
  environment: environmentRef.optional(),
});
const conditionRef: z.ZodType<ConditionRef> = z.object({
  name: z.string(),
  rate: z.number().optional(),
  file: z.object({ path: z.string(), digest: z.string() }).optional(),
  names: withOwnKeys(z.record(z.string(), z.string())).optional(),
});
export const conditions = z.array(conditionRef).readonly();
export const model = modelSettingsSchema;
export const modelPrices = z.array(modelPriceSchema).readonly();

/** Options of strategies. Absent options have their defaults; options of other strategies stay unchanged. */
export const strategyOptions: z.ZodType<StrategyOptions> = z.looseObject({
  omitPolicy: z.boolean(),
  useReasoning: z.boolean(),
  compat: z.array(z.string()).readonly().optional(),
  decisionOnly: z.boolean().optional(),
  agentFile: z.object({ path: z.string(), digest: z.string() }).optional(),
  toolCommands: z.unknown().optional(),
});

const role = z.custom<CallRole>((value) => typeof value === 'string');
export const roleModels = z.partialRecord(role, modelSettingsSchema).readonly();
export const tokenCaps = z.partialRecord(role, int.nullable()).readonly();
