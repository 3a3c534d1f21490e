/**
 * What a results file must have to be read. Tools differ in what they add (`function_call`, `annotations`) and leave
 * out, so only what is used is looked at, and only the reward and the task's number are indispensable.
 */

import { z } from 'zod';

import type { PyDict } from '../../benchmark/python/index.ts';
import { taskSchema } from '../log/index.ts';

const dict = z.custom<PyDict>((value) => value instanceof Map, 'must be an object');
const index = z.number().int().nonnegative();

const toolCallSchema = z.object({
  id: z.string().nullish(),
  function: z.object({ name: z.string(), arguments: z.string() }).nullish(),
});

const messageSchema = z.object({
  role: z.string(),
  /** Text, null, or a provider's list of parts. */
  content: z.unknown().optional(),
  tool_calls: z.array(toolCallSchema).nullish(),
  tool_call_id: z.string().nullish(),
  name: z.string().nullish(),
});

/** `success` is what the agent was told of the call, which need not be what the benchmark's tool answers. */
const executedActionSchema = z.object({
  name: z.string(),
  kwargs: dict,
  response_text: z.string().nullish(),
  success: z.boolean().nullish(),
});

const rewardInfoSchema = z.object({
  reward: z.number(),
  info: z
    .object({
      r_actions: z.union([z.number(), z.boolean()]).nullish(),
      gt_data_hash: z.string().nullish(),
      r_outputs: z.union([z.number(), z.boolean()]).nullish(),
      outputs: z.unknown().optional(),
    })
    .nullish(),
  /** The ground truth; of another shape it tells nothing. */
  actions: z
    .array(z.object({ name: z.string(), kwargs: dict }))
    .nullish()
    .catch(null),
});

const infoSchema = z.object({
  task: taskSchema.partial({ outputs: true, user_id: true }).nullish(),
  source: z.string().nullish(),
  user_cost: z.number().nullish(),
  reward_info: rewardInfoSchema.nullish(),
  error: z.string().nullish(),
  traceback: z.string().nullish(),
  /** FastWorkflow's files. */
  task_index: index.nullish(),
  executed_actions: z.array(executedActionSchema).nullish(),
});

export const resultsEntrySchema = z.object({
  task_id: index,
  reward: z.number(),
  trial: index.nullish(),
  info: infoSchema.nullish(),
  traj: z.array(messageSchema).nullish(),
});

export type ResultsFileEntry = z.infer<typeof resultsEntrySchema>;
export type ResultsFileMessage = z.infer<typeof messageSchema>;
