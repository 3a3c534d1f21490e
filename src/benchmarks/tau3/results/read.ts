/**
 * Reads results files of τ³-bench's tools. A task's number is its id. If ids are not numbers, as in telecom, it is the
 * task's position in the file's list. A message with several calls becomes several steps.
 */

import { dumpJson, isDict, isList, type PyValue } from '../../python/index.ts';
import { describeMismatch, fromFile } from '../../python/values.schema.ts';
import type { ResultsFileEntry, ResultsFileMessage } from '../../tau-bench/results/entry.schema.ts';
import { tau2FileSchema, type Tau2File } from './file.schema.ts';

/** Finds the simulations of a document, which files of tau-bench lack. */
export function simulationsIn(value: PyValue): readonly PyValue[] | undefined {
  const simulations = isDict(value) ? value.get('simulations') : undefined;
  return isList(simulations) ? simulations : undefined;
}

/** @returns the results in the file's order; or a text that names a problem and its place */
export function readSimulations(value: PyValue): readonly ResultsFileEntry[] | string {
  const parsed = tau2FileSchema.safeParse(fromFile(value, tau2FileSchema));
  if (!parsed.success) return describeMismatch(parsed.error);
  const { tasks, simulations, info: about } = parsed.data;
  const domain = about?.environment_info.domain_name ?? null;
  const numberOf = taskNumbers(parsed.data);
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return simulations.map((simulation) => {
    const { trial, termination_reason, reward_info: info, messages } = simulation;
    const id = String(simulation.task_id);
    const isError = termination_reason === 'infrastructure_error';
    return {
      task_id: numberOf(id),
      reward: info?.reward ?? 0,
      trial: trial ?? 0,
      info: {
        task: toRecordedTask(byId.get(id)),
        termination_reason,
        nl_assertions: info?.nl_assertions ?? null,
        ...(isError ? { error: findError(simulation) } : {}),
      },
      traj: toTrajectory(messages ?? []),
      origin: { benchmark: 'tau3', taskId: id, domain: domain === null ? null : `tau3-${domain}` },
    };
  });
}

type Simulation = Tau2File['simulations'][number];
type Tau2Message = NonNullable<Simulation['messages']>[number];
type Tau2Task = Tau2File['tasks'][number];

function taskNumbers({ tasks, simulations }: Tau2File): (id: string) => number {
  const ids = [...tasks.map(({ id }) => id), ...simulations.map(({ task_id: id }) => String(id))];
  if (ids.every((id) => /^(?:0|[1-9]\d{0,8})$/.test(id))) return Number;
  const places = new Map<string, number>();
  for (const id of ids) if (!places.has(id)) places.set(id, places.size);
  return (id) => places.get(id) ?? 0;
}

function findError({ info }: Simulation): string {
  return typeof info?.error === 'string' ? info.error : 'infrastructure error';
}

/** Reads the task; instructions in parts, which tau-bench lacks, are left to the pack. */
function toRecordedTask(task: Tau2Task | undefined) {
  const instruction = task?.user_scenario?.instructions;
  if (typeof instruction !== 'string') return null;
  const criteria = task?.evaluation_criteria;
  return {
    instruction,
    actions: (criteria?.actions ?? []).map(({ name, arguments: kwargs }) => ({ name, kwargs })),
    outputs: criteria?.communicate_info ?? [],
  };
}

/** Splits messages with several calls into one message and result per call, as tau-bench's agents make them. */
function toTrajectory(messages: readonly Tau2Message[]): ResultsFileMessage[] {
  const trajectory: ResultsFileMessage[] = [];
  const waiting: ResultsFileMessage[] = [];
  for (const { role, content = null, tool_calls: calls, id } of messages) {
    if (role === 'tool') {
      const next = waiting.shift();
      if (next !== undefined) trajectory.push(next);
      trajectory.push({ role, content, tool_call_id: id ?? null });
      continue;
    }
    trajectory.push(...waiting.splice(0));
    const made = (calls ?? []).map((call): ResultsFileMessage => {
      const named = { name: call.name, arguments: dumpJson(call.arguments) };
      return { role, content, tool_calls: [{ id: call.id ?? null, function: named }] };
    });
    if (made.length === 0) trajectory.push({ role, content });
    else waiting.push(...made);
  }
  return [...trajectory, ...waiting];
}
