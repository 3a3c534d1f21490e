/** The shape of a stored completion. What is stored is what a model said and how long that was, nothing of the request. */

import { z } from 'zod';

import type { ModelReply } from '../reply.ts';

/** Raised when a reply's shape changes in a way that older entries do not have. */
export const ENTRY_FORMAT = 1;

const count = z.int().nonnegative();

const toolCallSchema = z.strictObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
});

/** Strict: a field that this version does not know belongs to another version. */
const replySchema = z.strictObject({
  message: z.strictObject({
    role: z.literal('assistant'),
    content: z.string().nullable(),
    tool_calls: z.array(toolCallSchema).exactOptional(),
  }),
  finishReason: z.string(),
  usage: z.strictObject({
    promptTokens: count,
    completionTokens: count,
    cachedTokens: count,
    reasoningTokens: count,
  }),
  usageReported: z.boolean(),
  servedModel: z.string(),
  fingerprint: z.string().nullable(),
  requestId: z.string().nullable(),
  latencyMs: z.number().nonnegative(),
}) satisfies z.ZodType<ModelReply>;

export const entrySchema = z.strictObject({
  format: z.literal(ENTRY_FORMAT),
  /** The entry's own key: a file that was renamed or copied is not believed. */
  key: z.string(),
  /** {@link digestOf} the reply. */
  digest: z.string(),
  reply: replySchema,
});
