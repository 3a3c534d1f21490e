/** The shape of a condition in a user's file. */

import * as z from 'zod';
import { isConditionName, type Condition } from '../../conditions/index.ts';

const aFunction = <T>() => z.custom<T>((value) => typeof value === 'function', 'must be a function').optional();
const text = z.string({ error: 'must be a text' }).min(1, 'must not be empty');

export const conditionSchema = z.strictObject(
  {
    name: text.refine(isConditionName, 'must be small letters, digits and -, at most 40, and not base or errors'),
    summary: text,
    rate: z.number({ error: 'must be a number' }).gt(0, 'must be above 0').max(1, 'must be at most 1').optional(),
    texts: aFunction<NonNullable<Condition['texts']>>(),
    names: aFunction<NonNullable<Condition['names']>>(),
    call: aFunction<NonNullable<Condition['call']>>(),
    observation: aFunction<NonNullable<Condition['observation']>>(),
    persona: text.optional(),
  },
  { error: (issue) => (issue.code === 'unrecognized_keys' ? undefined : 'must be an object with name and summary') },
) satisfies z.ZodType<Condition>;
