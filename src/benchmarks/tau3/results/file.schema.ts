/** Schemas of results files of τ³-bench (tau2-bench 1.x), for the used fields. */

import * as z from 'zod';
import { dictSchema, withOwnKeys } from '../../python/values.schema.ts';

const toolCallSchema = z.object({ id: z.string().nullish(), name: z.string(), arguments: dictSchema });

const messageSchema = z.object({
  role: z.string(),
  content: z.string().nullish(),
  tool_calls: z.array(toolCallSchema).nullish(),
  /** Id of the call that a tool's message answers. */
  id: z.string().nullish(),
});

const simulationSchema = z.object({
  task_id: z.union([z.string(), z.number().int().nonnegative()]),
  trial: z.number().int().nonnegative().nullish(),
  termination_reason: z.string(),
  reward_info: z
    .object({ reward: z.number(), nl_assertions: z.array(z.object({ met: z.boolean() })).nullish() })
    .nullish(),
  messages: z.array(messageSchema).nullish(),
  info: z.object({ error: z.unknown() }).nullish().catch(null),
});

const taskSchema = z.object({
  id: z.string(),
  user_scenario: z.object({ instructions: z.unknown() }).nullish().catch(null),
  evaluation_criteria: z
    .object({
      actions: z.array(z.object({ name: z.string(), arguments: dictSchema })).nullish(),
      communicate_info: z.array(z.string()).nullish(),
    })
    .nullish(),
});

export const tau2FileSchema = withOwnKeys(
  z.object({
    info: z
      .object({ environment_info: z.object({ domain_name: z.string() }) })
      .nullish()
      .catch(null),
    tasks: z.array(taskSchema),
    simulations: z.array(simulationSchema),
  }),
);

export type Tau2File = z.infer<typeof tau2FileSchema>;
