/**
 * Finds the data to regrade a results file on: by flags, otherwise by the run's log, otherwise by the file's content.
 */

import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DEFAULTS, domains, isServiceDomain, type Task } from '../../benchmarks/index.ts';
import { changedFields, recordedSteps, type RecordingForm, type ResultsFileEntry } from '../../benchmarks/results.ts';
import { findPackByRef, listPacks, listWords, tasksOfSplit, type Pack } from '../../benchmarks/packs/index.ts';
import { measureFit, namesTasks, namesUsers } from '../../results/regrade/index.ts';
import type { PyValue } from '../../benchmarks/python/index.ts';
import { defaultSplit, resolveNamed, type NamedFlags } from '../../run-setup/index.ts';
import type { CliContext } from '../context.ts';
import { RunLog, type RecordedEntry, type RunManifest } from '../../run-log/index.ts';
import { UsageError } from '../../errors/index.ts';

export interface SubjectFlags extends NamedFlags {
  readonly taskSplit?: string;
}

export interface RegradedTasks {
  readonly pack: Pack;
  readonly split: string;
  /** Tasks of the split, by number. */
  readonly tasks: readonly Task[];
}

/** @param file absolute path @throws UsageError, PackError without such data, or if the file clearly has other tasks */
export async function findRegradedTasks(
  file: string,
  entries: readonly ResultsFileEntry[],
  form: RecordingForm,
  flags: SubjectFlags,
  context: Pick<CliContext, 'cwd' | 'env' | 'home'>,
): Promise<RegradedTasks> {
  const { home } = context;
  const run = await readOwnRun(file);
  const isPack = flags.envUrl === undefined && !isServiceDomain(flags.env ?? '');
  const [first]: readonly RecordedEntry[] = entries;
  if (first?.recorded !== undefined && flags.pack === undefined && flags.env === undefined) {
    throw new UsageError(
      `this is a file of ${first.origin?.benchmark ?? 'another tool'}, which has no ground truth of its tasks; if a pack ` +
        'has them, name it with --pack and --task-split.',
    );
  }
  if (run === null && isPack && flags.pack === undefined && namesTasks(entries)) {
    const fitting = await findFitting(entries, flags, home);
    const [only, other] = fitting;
    if (only !== undefined && other === undefined) return only;
    if (other !== undefined) throw new UsageError(ambiguityError(fitting));
    // If the file names users, the check below reports what does not fit.
    if (!namesUsers(entries)) {
      throw new UsageError(
        'no pack here has the tasks of this file; import tau-bench’s own with `npx tauflow data import`, or name a ' +
          'pack with --pack.',
      );
    }
  }
  const pack = await findSubjectPack(run, entries, form, flags, context);
  const split = flags.taskSplit ?? run?.config.split ?? defaultSplit(pack);
  const tasks = matchTasks(entries, tasksOfSplit(pack, split));
  requireTasks(entries, { pack, split, tasks });
  return { pack, split, tasks };
}

/**
 * Finds the shipped and imported packs, with their split, that have most of the file's ground truths. Of equal packs,
 * it returns only the first.
 */
export async function findFitting(
  entries: readonly ResultsFileEntry[],
  { env, taskSplit }: Omit<SubjectFlags, 'pack'>,
  home: string,
): Promise<RegradedTasks[]> {
  const found = new Map<string, RegradedTasks & { readonly fit: number }>();
  for (const listed of await listPacks({ home })) {
    if (listed.kind === 'broken' || (env !== undefined && listed.pack.domain !== env)) continue;
    const { pack } = listed;
    for (const [split, tasks] of Object.entries(pack.splits)) {
      const fit = taskSplit === undefined || taskSplit === split ? measureFit(entries, tasks) : null;
      const key = `${pack.ref.digest} ${split}`;
      if (fit !== null && !found.has(key)) found.set(key, { pack, split, tasks, fit });
    }
  }
  const most = Math.max(0, ...Array.from(found.values(), ({ fit }) => fit));
  return [...found.values()].filter(({ fit }) => fit === most);
}

/** Returns the reason why none of several packs is chosen. */
export function ambiguityError(fitting: readonly RegradedTasks[]): string {
  const names = fitting.map(({ pack, split }) => `${pack.ref.name} (${split})`);
  return `the tasks of this file are in ${listWords(names)}; name one with --pack and --task-split.`;
}

/** Gives the tasks the file's numbers, because files of some benchmarks have ids of tasks. */
function matchTasks(entries: readonly ResultsFileEntry[], tasks: readonly Task[]): readonly Task[] {
  const byId = new Map<PyValue, Task>(
    tasks.flatMap((task) => {
      const id = task.name ?? task.content?.get('id');
      return id === undefined ? [] : [[id, task] as const];
    }),
  );
  if (byId.size === 0 || entries.every(({ origin }) => origin === undefined)) return tasks;
  const found: Task[] = [];
  for (const { task_id: number, origin } of entries) {
    const task = byId.get(origin?.taskId ?? null);
    if (task !== undefined) found[number] = task;
  }
  return found;
}

/** Returns the manifest of the run that wrote the file; null for files of other tools. */
async function readOwnRun(file: string): Promise<RunManifest | null> {
  const folder = file.replace(/\.json$/, '');
  if (folder === file || !existsSync(folder)) return null;
  return new RunLog({ runId: basename(folder), logDir: dirname(folder) }).readRun();
}

async function findSubjectPack(
  run: RunManifest | null,
  entries: readonly ResultsFileEntry[],
  form: RecordingForm,
  flags: SubjectFlags,
  context: Pick<CliContext, 'cwd' | 'env' | 'home'>,
): Promise<Pack> {
  const env = flags.env ?? run?.config.env ?? likelyEnv(entries, form);
  if (run === null || flags.pack !== undefined || flags.envUrl !== undefined || env !== run.config.env) {
    return resolveNamed({ ...flags, env: flags.envUrl === undefined ? env : flags.env }, context);
  }
  const { name, digest } = run.config.pack;
  const pack = await findPackByRef(run.config.pack, { home: context.home });
  if (pack !== undefined) return pack;
  throw new UsageError(
    `the pack ${name} of this run (digest ${digest.slice(0, 12)}) is not here any more; name one with --pack.`,
  );
}

/** Returns the domain that has most of the called tools; the first domain if no tool was called. */
function likelyEnv(entries: readonly ResultsFileEntry[], form: RecordingForm): string {
  const named = entries[0]?.origin?.domain ?? null;
  if (named !== null && domains.has(named)) return named;
  const called = new Set<string>();
  for (const entry of entries) {
    for (const { action } of recordedSteps(entry, form).steps) called.add(action.name);
  }
  let best = { env: DEFAULTS.env as string, known: 0 };
  for (const [env, { tools }] of domains) {
    const known = Array.from(called).filter((name) => tools.has(name)).length;
    if (known > best.known) best = { env, known };
  }
  return best.env;
}

/** @throws UsageError if the split lacks a task of the file, or all tasks have other users than the file */
function requireTasks(entries: readonly ResultsFileEntry[], { pack, split, tasks }: RegradedTasks): void {
  const place = `split ${split} of the pack ${pack.ref.name}`;
  const others = [];
  for (const entry of entries) {
    const task = tasks[entry.task_id];
    if (task === undefined) {
      throw new UsageError(
        `the file has results of task ${entry.task_id}, but ${place} has the tasks 0 to ${tasks.length - 1}; ` +
          'name the right data with --env, --task-split and --pack.',
      );
    }
    const recorded = entry.info?.task;
    if (recorded === undefined || recorded === null) continue;
    if (!changedFields(recorded, task).includes('user_id')) return;
    others.push({ taskId: entry.task_id, user: recorded.user_id, ours: task.userId });
  }
  const [other] = others;
  if (other === undefined) return;
  throw new UsageError(
    `the file is of other tasks than ${place}: its task ${other.taskId} is of ${String(other.user)}, there it is of ` +
      `${other.ours}; name the right data with --env, --task-split and --pack.`,
  );
}
