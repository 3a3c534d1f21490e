/** The shape of `tasks.json`: what the pack's audit knows of the tasks of a run. */

import { z } from 'zod';

export const taskNotesSchema = z.object({
  formatVersion: z.literal(1),
  env: z.string(),
  split: z.string(),
  pack: z.object({ name: z.string(), digest: z.string() }),
  /** Ids of the planned tasks that are solved by doing and saying nothing. */
  doNothing: z.array(z.number().int()),
  /** Share of these among the planned tasks, in [0, 1]. */
  floor: z.number(),
  /** Share of the planned tasks whose ground truth the audit does not call wrong, in [0, 1]. */
  ceiling: z.number(),
  /** Of the planned tasks, in the order of tasks. Remarks are left out. */
  defects: z.array(
    z.object({
      taskId: z.number().int(),
      kind: z.string(),
      severity: z.enum(['wrong', 'suspicious']),
      sentence: z.string(),
    }),
  ),
  /** Of a few-shot agent, where its displays are known. */
  displays: z
    .object({
      total: z.number().int(),
      /** Tasks with displays about their own customer or records, and how many. */
      own: z.array(z.object({ taskId: z.number().int(), count: z.number().int() })),
      /** Whether these were left out. */
      leftOut: z.boolean(),
    })
    .exactOptional(),
});

export type TaskNotes = z.infer<typeof taskNotesSchema>;
export type TaskDefect = TaskNotes['defects'][number];
