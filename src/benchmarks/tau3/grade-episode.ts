/** Grades τ³-bench's episodes by their tasks' basis; a judge decides on sentences. */

import type { GradeResult } from '../grade.ts';
import type { GradeDeps, GradedConversation } from '../grading.ts';
import type { EnvData } from '../overlay.ts';
import type { Task } from '../types.ts';
import { tau3Domains } from './domains.ts';
import { episodeMessages } from './episode.ts';
import { toGrade } from './grade-parts.ts';
import { gradeTau3, prepareTask, type PreparedTask } from './grade.ts';

const prepared = new WeakMap<Task, PreparedTask>();

/** Prepares a task once for all trials, because it costs more than a grade. */
export function preparedTask(data: EnvData, task: Task): PreparedTask {
  let known = prepared.get(task);
  if (known === undefined) {
    const domain = tau3Domains.get(data.domain);
    if (domain === undefined) throw new Error(`this version has no domain ${data.domain}`);
    prepared.set(task, (known = prepareTask(domain, data, task.content ?? new Map())));
  }
  return known;
}

export function gradeConversation(
  data: EnvData,
  task: Task,
  { messages }: GradedConversation,
  { hash }: GradeDeps,
): GradeResult {
  const known = preparedTask(data, task);
  const graded = gradeTau3(known, { messages: episodeMessages(messages()), termination: 'user_stop' });
  return { kind: 'graded', grade: toGrade(known, graded, hash) };
}
