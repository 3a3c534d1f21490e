/**
 * Entries of results files. Tools add and leave out different fields, so only used fields are checked, and only the
 * reward and the task's number are required.
 */

import * as z from 'zod';
import { dictSchema, floatSchema, withOwnKeys } from '../../python/values.schema.ts';

const index = z.number().int().nonnegative();

const actionSchema = z.object({ name: z.string(), kwargs: dictSchema });

const toolCallSchema = z.object({
  id: z.string().nullish(),
  function: z.object({ name: z.string(), arguments: z.string() }).nullish(),
});

const messageSchema = z.object({
  role: z.string(),
  /** Text of the message, null, or a provider's list of parts. */
  content: z.unknown().optional(),
  tool_calls: z.array(toolCallSchema).nullish(),
  tool_call_id: z.string().nullish(),
  name: z.string().nullish(),
});

/**
 * A call of the log. `success` is the result that the agent received, which may differ from the answer of the
 * benchmark's tool.
 */
const executedActionSchema = actionSchema.extend({
  response_text: z.string().nullish(),
  success: z.boolean().nullish(),
});

export const rewardInfoSchema = withOwnKeys(
  z.object({
    reward: floatSchema,
    info: z
      .object({
        r_actions: z.union([floatSchema, z.boolean()]).nullish(),
        gt_data_hash: z.string().nullish(),
        r_outputs: z.union([floatSchema, z.boolean()]).nullish(),
        outputs: z.custom<unknown>().optional(),
      })
      .nullish(),
    /** The ground truth; ignored if it has another shape. */
    actions: z.array(actionSchema).nullish().catch(null),
  }),
);

const infoSchema = z.object({
  task: z
    .object({
      user_id: z.string().optional(),
      actions: z.array(actionSchema),
      instruction: z.string(),
      outputs: z.array(z.string()).optional(),
    })
    .nullish(),
  source: z.string().nullish(),
  user_cost: z.number().nullish(),
  reward_info: rewardInfoSchema.nullish(),
  error: z.string().nullish(),
  traceback: z.string().nullish(),
  /** End of the episode, and a judge's verdicts on the task's sentences, for benchmarks that have them. */
  termination_reason: z.string().nullish().catch(null),
  nl_assertions: z
    .array(z.object({ met: z.boolean() }))
    .nullish()
    .catch(null),
  /** Number of the task in FastWorkflow's files. */
  task_index: index.nullish(),
  executed_actions: z.array(executedActionSchema).nullish(),
});

export const resultsEntrySchema = withOwnKeys(
  z.object({
    task_id: index,
    reward: z.number(),
    trial: index.nullish(),
    info: infoSchema.nullish(),
    traj: z.array(messageSchema).nullish(),
  }),
);

export type ResultsFileEntry = z.infer<typeof resultsEntrySchema> & {
  /** Set for a file of another benchmark's tools, where tasks have ids. */
  readonly origin?: {
    /** The benchmark whose metrics apply to the result. */
    readonly benchmark: string;
    readonly taskId: string;
    readonly domain: string | null;
  };
};
export type ResultsFileMessage = z.infer<typeof messageSchema>;
