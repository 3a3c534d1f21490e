/** The part of a chat-completions request that the scripted model reads. What it does not know it lets pass. */

import { z } from 'zod';

const content = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  z.null(),
]);

const toolCall = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});

const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: content.optional(),
  tool_calls: z.array(toolCall).nullish(),
});

export const chatRequestSchema = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  /** Only their presence matters, so their schemas are not looked into: they are the larger part of a request. */
  tools: z.array(z.unknown()).nullish(),
  response_format: z.looseObject({ type: z.string() }).nullish(),
  seed: z.int().nullish(),
  stream: z.boolean().nullish(),
  n: z.int().nullish(),
});

export type ChatRequest = z.infer<typeof chatRequestSchema>;
