/** The shapes of a pack's JSON files. Extra keys are allowed everywhere, because the domain defines the tables. */

import * as z from 'zod';
import type { Shape } from '../../domain.ts';
import { domains } from '../domains.ts';

const text = z.string();
const filledText = z.string().regex(/\S/, 'is empty; it must have a text');

export const textListSchema = z.array(text);

export const tasksSchema = z
  .array(
    z.looseObject({
      user_id: filledText,
      instruction: filledText,
      actions: z.array(z.looseObject({ name: filledText, kwargs: z.record(text, z.unknown()) })),
      outputs: z.array(text),
    }),
  )
  .min(1, 'is empty; a split needs at least one task');

const withMark = (mark: string): z.ZodType =>
  text.refine((value) => value.includes(mark), `must contain ${mark}, the place where the text goes`);

export const userPromptsSchema = z.looseObject({
  first_user_message: filledText,
  strategies: z.record(
    text,
    z.looseObject({ system_prompt: withMark('{instruction}'), system_prompt_without_instruction: filledText }),
  ),
  verify_prompt: text.optional(),
  reflect_prompt: text.optional(),
});

export const agentPromptsSchema = z.looseObject({ act_instruction: filledText, react_instruction: filledText });

/**
 * Returns the schema of a table's records by key. Tables that the domain does not describe must be objects of objects.
 */
export function tableSchema(domain: string, table: string): z.ZodType {
  const shapes = domains.get(domain)?.shapes ?? {};
  const shape = Object.hasOwn(shapes, table) ? shapes[table] : undefined;
  return z.record(text, shape === undefined ? z.record(text, z.unknown()) : toSchema(shape));
}

function toSchema(shape: Shape): z.ZodType {
  if (shape === 'text') return text;
  if (shape === 'number') return z.number();
  if (shape === 'boolean') return z.boolean();
  if ('listOf' in shape) return z.array(toSchema(shape.listOf));
  if ('mapOf' in shape) return z.record(text, toSchema(shape.mapOf));
  const entries = (fields: Readonly<Record<string, Shape>>, wrap: (schema: z.ZodType) => z.ZodType) =>
    Object.entries(fields).map(([name, field]) => [name, wrap(toSchema(field))] as const);
  return z.looseObject(
    Object.fromEntries([
      ...entries(shape.fields, (schema) => schema),
      ...entries(shape.optional ?? {}, (schema) => schema.optional()),
    ]),
  );
}
