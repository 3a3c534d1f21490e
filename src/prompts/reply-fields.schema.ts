/**
 * The form of a reply whose fields are named in advance, made from their definitions. What arrives are the values as
 * they were read, what comes out is the text of each.
 */

import { z } from 'zod';
import type { ReplyFieldDefinition, ReplyFieldValues } from '../agents/index.ts';
import { dumpJson, isList, type PyValue } from '../benchmark/python/index.ts';

/** Anything that JSON can say; the values were read by `parseJson` and are not looked at again. */
const anyValue = z.custom<PyValue>((value) => value !== undefined);

const textField = anyValue
  .nullish()
  .transform((value) => (value === undefined || value === null ? null : asText(value)));

/** One text stays one item: whether it holds a whole list is for the reader to say, who knows the field. */
const listField = anyValue.nullish().transform((value) => {
  if (value === undefined || value === null) return null;
  return (isList(value) ? value : [value]).filter((item) => item !== null).map(asText);
});

/** An object without any of the fields is no answer; one without some of them leaves these null. */
export function replyFieldsSchema(definitions: readonly ReplyFieldDefinition[]): z.ZodType<ReplyFieldValues> {
  const shape = definitions.map(({ name, type }) => [name, type === 'list' ? listField : textField] as const);
  const names = definitions.map(({ name }) => name);
  return z
    .record(z.string(), z.unknown())
    .refine((reply) => names.length === 0 || names.some((name) => Object.hasOwn(reply, name)), {
      error: `has none of the fields ${names.join(', ')}`,
    })
    .pipe(z.object(Object.fromEntries(shape)));
}

function asText(value: PyValue): string {
  return typeof value === 'string' ? value : dumpJson(value);
}
