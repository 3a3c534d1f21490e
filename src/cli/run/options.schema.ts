/** The flags of `run`, as one validated object. Config files and resumed runs fill in what the flags leave open. */

import { z } from 'zod';

const wholeNumber = (least: number) =>
  z.coerce
    .number({ error: 'must be a whole number' })
    .int('must be a whole number')
    .min(least, `must be at least ${least}`);

/** `1.5`, `$20`: an amount of USD. */
const dollars = z.preprocess(
  (value) => (typeof value === 'string' ? value.replace(/^\$/, '') : value),
  z.coerce.number({ error: 'must be a number of USD' }).positive('must be more than 0'),
);

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
    const words = [value]
      .flat()
      .flatMap((item) => String(item).split(/[\s,]+/))
      .filter((word) => word !== '');
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

const name = z.string().min(1, 'must not be empty');

export const runOptionsSchema = z.strictObject({
  env: name.default('retail'),
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
  maxConcurrency: wholeNumber(1).optional(),
  temperature: z.coerce.number({ error: 'must be a number' }).min(0, 'must be at least 0').default(0),
  seed: wholeNumber(0).default(10),
  shuffle: flag.default(false),
  maxSteps: wholeNumber(1).default(30),
  useReasoning: z.boolean().default(true),
  logDir: name.default('results'),
  runId: name.optional(),
  pack: name.optional(),
  episodeTimeout: duration.default(7_200_000),
  maxRetries: wholeNumber(0).default(3),
  omitPolicy: z.boolean().default(false),
  maxCost: dollars.optional(),
  detach: z.boolean().default(false),
  worker: z.boolean().default(true),
  dryRun: z.boolean().default(false),
  json: z.boolean().default(false),
  failUnder: z.coerce
    .number({ error: 'must be a number' })
    .min(0, 'must lie between 0 and 1')
    .max(1, 'must lie between 0 and 1')
    .optional(),
  taskQueue: name.default('tauflow'),
  scriptedLatency: duration.optional(),
  scriptedFaults: z.string().optional(),
  debug: z.boolean().default(false),
});

/** Durations are in milliseconds. */
export type RunOptions = z.output<typeof runOptionsSchema>;
/** What flags and config files give: values not yet checked, by name. */
export type RawRunOptions = Partial<Record<keyof RunOptions, unknown>>;
