/** The shape of a strategy that a person has written; what the compiler promises of the program's own is checked here. */

import { z } from 'zod';
import type { ConversationName, Strategy, StrategyDefinition, StrategySetting } from '../index.ts';

const aFunction = <T>() => z.custom<T>((value) => typeof value === 'function', 'must be a function');
const text = z.string({ error: 'must be a text' }).min(1, 'must not be empty');
const texts = z.array(text, { error: 'must be a list of texts' }).readonly();

/** Names files, flags and roles: `agent`, `agent/planner`. */
const role = z.custom<ConversationName['role']>(
  (value) => typeof value === 'string' && /^agent(\/[a-z0-9_-]+)?$/.test(value),
  'must be agent, or begin with agent/',
);

const modelRole = z.strictObject({ name: text, description: text, calls: z.array(role).nonempty().readonly() });

const settings = ['toolNames', 'parameterTries', 'intentRanker', 'fewShots'] as const satisfies StrategySetting[];

export const definitionSchema = z.strictObject(
  {
    name: text.regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be small letters, digits and -, at most 40'),
    label: text.max(40, 'must have at most 40 characters'),
    solve: aFunction<Strategy>(),
    takeOver: aFunction<Strategy>().exactOptional(),
    conversation: z.strictObject({ role, thread: text }).exactOptional(),
    form: z.enum(['tools', 'text'], { error: 'must be tools or text' }).exactOptional(),
    modelRoles: z.array(modelRole, { error: 'must be a list of roles' }).readonly().exactOptional(),
    compat: z.record(z.string(), text).readonly().exactOptional(),
    decisionOnly: z.literal(true, { error: 'must be true, or be left out' }).exactOptional(),
    settings: z
      .array(z.enum(settings, { error: `must be of ${settings.join(', ')}` }))
      .readonly()
      .exactOptional(),
    leastCalls: aFunction<NonNullable<StrategyDefinition['leastCalls']>>().exactOptional(),
    notes: texts.exactOptional(),
    check: aFunction<NonNullable<StrategyDefinition['check']>>().exactOptional(),
    replyFields: aFunction<NonNullable<StrategyDefinition['replyFields']>>().exactOptional(),
    texts: z
      .record(z.string(), aFunction<NonNullable<StrategyDefinition['texts']>[string]>())
      .readonly()
      .exactOptional(),
    domains: texts.exactOptional(),
  },
  {
    error: (issue) => (issue.code === 'unrecognized_keys' ? undefined : 'must be an object with name, label and solve'),
  },
) satisfies z.ZodType<StrategyDefinition>;
