/**
 * What is read of a chat completion. Providers differ in what they leave out, so all but the first choice's message
 * may be missing; what is there must have its type, because a guess would be booked as a fact.
 */

import { z } from 'zod';

const tokens = z
  .int()
  .nonnegative()
  .nullish()
  .transform((count) => count ?? 0);

const toolCall = z.looseObject({
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }).nullish(),
});

const choice = z.looseObject({
  finish_reason: z.string().nullish(),
  message: z.looseObject({
    /** Some servers answer in parts; only text can be one. */
    content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().nullish() }))]).nullish(),
    tool_calls: z.array(toolCall).nullish(),
  }),
});

export const replySchema = z.looseObject({
  choices: z.tuple([choice], z.unknown()),
  model: z.string().nullish(),
  system_fingerprint: z.string().nullish(),
  usage: z
    .looseObject({
      prompt_tokens: tokens,
      completion_tokens: tokens,
      total_tokens: tokens,
      /** DeepSeek's name for the cached part of the prompt. */
      prompt_cache_hit_tokens: tokens,
      prompt_tokens_details: z.looseObject({ cached_tokens: tokens }).nullish(),
      completion_tokens_details: z.looseObject({ reasoning_tokens: tokens }).nullish(),
    })
    .nullish(),
});

export type ReplyBody = z.infer<typeof replySchema>;
