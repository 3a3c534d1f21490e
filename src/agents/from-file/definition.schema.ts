/**
 * The shape of a strategy in a user's file. The compiler checks the program's own strategies; this schema checks
 * others.
 */

import * as z from 'zod';
import type { ConversationName, Strategy, StrategyDefinition, StrategyOption, StrategyOptions } from '../index.ts';

const aFunction = <T>() => z.custom<T>((value) => typeof value === 'function', 'must be a function');
const text = z.string({ error: 'must be a text' }).min(1, 'must not be empty');
const texts = z.array(text, { error: 'must be a list of texts' }).readonly();

/** Name of a role, from which names of files and flags derive: `agent`, `agent/planner`. */
const role = z.custom<ConversationName['role']>(
  (value) => typeof value === 'string' && /^agent(\/[a-z0-9_-]+)?$/.test(value),
  'must be agent, or begin with agent/',
);

const flagName = text.regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be small letters, digits and -, at most 40');
const count = z.number({ error: 'must be a number' });

const temperature = count.min(0, 'must be at least 0').nullable();

const modelRole = z.strictObject({
  name: flagName,
  description: text,
  calls: z.array(role).nonempty().readonly(),
  fallback: text.optional(),
  temperature: temperature.optional(),
});

/** Matches keys of options that mean the same for every strategy. */
const TAKEN = /^(omitPolicy|useReasoning|compat|decisionOnly|agentFile|toolCommands)(\.|$)/;

const option = z.strictObject({
  key: text
    .regex(/^[a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9]*)?$/, 'must be a name such as planLines')
    .refine((key) => !TAKEN.test(key), 'is the name of an option that every strategy has'),
  flag: flagName.optional(),
  help: text,
  value: z.discriminatedUnion(
    'kind',
    [
      z
        .strictObject({ kind: z.literal('choice'), choices: z.array(text).nonempty().readonly(), default: text })
        .refine((value) => value.choices.includes(value.default), 'must have one of its choices as default'),
      z.strictObject({
        kind: z.enum(['integer', 'number']),
        min: count.optional(),
        max: count.optional(),
        default: count,
      }),
      z.strictObject({ kind: z.enum(['boolean', 'text', 'list', 'file']) }),
      z.strictObject({ kind: z.literal('pairs'), of: text, to: text }),
    ],
    { error: 'must be an object with a kind: choice, integer, number, boolean, text, list, pairs or file' },
  ),
  variant: text.nullable().optional(),
  ignoredElsewhere: z.literal(true).optional(),
}) satisfies z.ZodType<StrategyOption>;

/** Schema of roles: each name occurs once; a fallback must be an earlier role. */
const modelRoles = z
  .array(modelRole, { error: 'must be a list of roles' })
  .refine((roles) => new Set(roles.map(({ name }) => name)).size === roles.length, 'must have each role once')
  .refine(
    (roles) =>
      roles.every(({ fallback }, at) => fallback === undefined || roles.slice(0, at).some((r) => r.name === fallback)),
    'must have a role’s fallback before it',
  )
  .readonly();

const options = z
  .array(option, { error: 'must be a list of options' })
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'must have each option once')
  .readonly();

export const definitionSchema = z.strictObject(
  {
    name: text.regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be small letters, digits and -, at most 40'),
    label: text.max(40, 'must have at most 40 characters'),
    solve: aFunction<Strategy>(),
    takeOver: aFunction<Strategy>().optional(),
    conversation: z.strictObject({ role, thread: text }).optional(),
    form: z.enum(['tools', 'text'], { error: 'must be tools or text' }).optional(),
    temperature: temperature.optional(),
    modelRoles: modelRoles.optional(),
    decisionOnly: z.literal(true, { error: 'must be true, or be left out' }).optional(),
    options: options.optional(),
    leastCalls: aFunction<NonNullable<StrategyDefinition['leastCalls']>>().optional(),
    notes: z
      .union([texts, aFunction<(given: StrategyOptions) => readonly string[]>()], {
        error: 'must be a list of texts, or a function that returns one',
      })
      .optional(),
    check: aFunction<NonNullable<StrategyDefinition['check']>>().optional(),
    replyFields: aFunction<NonNullable<StrategyDefinition['replyFields']>>().optional(),
    texts: z.record(z.string(), aFunction<NonNullable<StrategyDefinition['texts']>[string]>()).readonly().optional(),
    withTools: aFunction<NonNullable<StrategyDefinition['withTools']>>().optional(),
    domains: texts.optional(),
  },
  {
    error: (issue) => (issue.code === 'unrecognized_keys' ? undefined : 'must be an object with name, label and solve'),
  },
) satisfies z.ZodType<StrategyDefinition>;
