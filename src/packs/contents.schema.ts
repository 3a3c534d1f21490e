/** The shapes of a pack's JSON files. Extra keys are allowed everywhere: the tables belong to the domain. */

import { z } from 'zod';

const text = z.string();
const filledText = z.string().regex(/\S/, 'is empty; it must have a text');

export const toolsSchema = z
  .array(
    z.looseObject({
      type: z.literal('function'),
      function: z.looseObject({
        name: filledText,
        description: text,
        parameters: z.looseObject({ type: z.literal('object'), properties: z.record(text, z.unknown()) }),
      }),
    }),
  )
  .min(1, 'is empty; a pack needs at least one tool');

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

/** What is `state` today was called `province` until January 2025: tau-bench's older data are packs too. */
const address = z.looseObject({ address1: text, address2: text, city: text, country: text, zip: text });
const options = z.record(text, text);

const retailTables = {
  users: z.record(
    text,
    z.looseObject({
      name: z.looseObject({ first_name: text, last_name: text }),
      address,
      email: text,
      payment_methods: z.record(text, z.looseObject({ source: text, id: text, balance: z.number().optional() })),
      orders: z.array(text),
    }),
  ),
  orders: z.record(
    text,
    z.looseObject({
      order_id: text,
      user_id: text,
      address,
      items: z.array(z.looseObject({ name: text, product_id: text, item_id: text, price: z.number(), options })),
      fulfillments: z.array(z.looseObject({ tracking_id: z.array(text), item_ids: z.array(text) })),
      status: text,
      payment_history: z.array(z.looseObject({ transaction_type: text, amount: z.number(), payment_method_id: text })),
    }),
  ),
  products: z.record(
    text,
    z.looseObject({
      name: text,
      product_id: text,
      variants: z.record(text, z.looseObject({ item_id: text, options, available: z.boolean(), price: z.number() })),
    }),
  ),
} as const satisfies Readonly<Record<string, z.ZodType>>;

const anyTable = z.record(text, z.record(text, z.unknown()));

/** A table's records by key. Tables without a schema of their own must at least be objects of objects. */
export function tableSchema(domain: string, table: string): z.ZodType {
  const known: Readonly<Record<string, z.ZodType>> = domain === 'retail' ? retailTables : {};
  return Object.hasOwn(known, table) ? (known[table] ?? anyTable) : anyTable;
}
