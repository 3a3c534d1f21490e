/**
 * Job folders of Harbor: a summary, and a folder per trial with its result and the agent's trajectory. An error without
 * rewards has reward 0, as in Harbor's figures.
 */

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { findStats } from '../../io/index.ts';
import { openContent } from './file.ts';
import { readItems } from './items.ts';
import { parseValue } from './json-parts.ts';
import { readTrajectories, type Trajectory } from './atif.ts';
import type { ReadOptions, RecordedRun, RecordedTrial } from './model.ts';

const rewards = z.object({ rewards: z.record(z.string(), z.number()).nullish() }).nullish();
const exception = z.object({ exception_type: z.string(), exception_message: z.string() }).nullish();
const agentResult = z
  .object({
    n_input_tokens: z.number().nullish(),
    n_cache_tokens: z.number().nullish(),
    n_output_tokens: z.number().nullish(),
    cost_usd: z.number().nullish(),
  })
  .nullish();

const trialSchema = z.object({
  task_name: z.string(),
  trial_name: z.string(),
  source: z.string().nullish(),
  agent_info: z.object({ name: z.string(), model_info: z.object({ name: z.string() }).nullish() }),
  agent_result: agentResult,
  verifier_result: rewards,
  exception_info: exception,
  /** Results of the steps of a task with several steps, which has no result of its own. */
  step_results: z.array(z.object({ agent_result: agentResult, exception_info: exception })).nullish(),
  started_at: z.string().nullish(),
  finished_at: z.string().nullish(),
});

const jobSchema = z.object({
  n_total_trials: z.number(),
  stats: z.object({
    evals: z.record(
      z.string(),
      z.object({
        metrics: z.array(z.record(z.string(), z.unknown())).nullish(),
        pass_at_k: z.record(z.string(), z.number()).nullish(),
      }),
    ),
  }),
});

type Trial = z.infer<typeof trialSchema>;

const RESULT = 'result.json';

export function isHarborJob(names: readonly string[]): boolean {
  return names.includes(RESULT);
}

/** @returns null for a folder whose `result.json` has another form. @throws ResultsError */
export async function readHarborJob(folder: string, options: ReadOptions): Promise<RecordedRun[] | null> {
  const job = jobSchema.safeParse(await readJson(path.join(folder, RESULT)));
  if (!job.success) return null;
  const runs = new Map<string, { first: Trial; trials: RecordedTrial[] }>();
  const counts = new Map<string, number>();
  for (const name of (await readdir(folder)).sort()) {
    const file = path.join(folder, name, RESULT);
    if (findStats(file) === undefined) continue;
    const trial = parseValue(trialSchema, await readJson(file), file, 'a result of Harbor');
    const key = toKey(trial);
    const number = counts.get(`${key} ${trial.task_name}`) ?? 0;
    counts.set(`${key} ${trial.task_name}`, number + 1);
    const trajectory = path.join(folder, name, 'agent', 'trajectory.json');
    const read = findStats(trajectory) === undefined ? null : await readFirst(trajectory, options);
    const run = runs.get(key) ?? { first: trial, trials: [] };
    run.trials.push(toTrial(trial, number, read));
    runs.set(key, run);
  }
  const missing = job.data.n_total_trials - [...runs.values()].reduce((sum, { trials }) => sum + trials.length, 0);
  const unfinished =
    missing > 0 ? [`${String(missing)} of ${String(job.data.n_total_trials)} trials have no result.`] : [];
  return Array.from(runs, ([key, { first, trials }]) => ({
    name: key,
    format: 'Harbor',
    benchmark: first.source ?? null,
    agent: first.agent_info.name,
    agentModel: first.agent_info.model_info?.name ?? null,
    mainScore: trials.some(({ scores }) => 'reward' in scores) ? 'reward' : null,
    notes: [...describeFigures(job.data.stats.evals[key]), ...unfinished],
    trials,
  }));
}

async function readFirst(file: string, options: ReadOptions): Promise<Trajectory | null> {
  for await (const trajectory of readTrajectories(file, options)) return trajectory;
  return null;
}

async function readJson(file: string): Promise<unknown> {
  for await (const part of readItems(openContent(file), file, { list: null })) return part.value;
  return null;
}

/** Returns Harbor's own key of an agent, a model and a data set. */
function toKey({ agent_info: { name, model_info: model }, source }: Trial): string {
  return [name, ...(model ? [model.name] : []), source ?? 'adhoc'].join('__');
}

function toTrial(trial: Trial, number: number, trajectory: Trajectory | null): RecordedTrial {
  const { verifier_result: verified, step_results: steps } = trial;
  const contexts = trial.agent_result ? [trial.agent_result] : (steps ?? []).map(({ agent_result: each }) => each);
  const sum = (figure: (each: NonNullable<Trial['agent_result']>) => number | null | undefined): number | null => {
    const known = contexts.flatMap((each) => (each ? (figure(each) ?? []) : []));
    return known.length === 0 ? null : known.reduce((total, each) => total + each, 0);
  };
  const error = [trial.exception_info, ...(steps ?? []).map(({ exception_info: each }) => each)].find(Boolean);
  const [prompt, completion] = [sum((each) => each.n_input_tokens), sum((each) => each.n_output_tokens)];
  const calls = trajectory?.trial.tokens?.calls;
  return {
    task: trial.task_name,
    trial: number,
    scores: verified?.rewards ?? {},
    outcome: error !== undefined && !verified?.rewards ? 'agent_error' : 'unknown',
    error: !error ? null : `${error.exception_type}: ${error.exception_message}`,
    tokens:
      prompt === null || completion === null || calls === undefined
        ? null
        : { calls, prompt, completion, cached: sum((each) => each.n_cache_tokens) },
    costUsd: sum((each) => each.cost_usd),
    steps: trajectory?.trial.steps ?? null,
    turns: trajectory?.trial.turns ?? null,
    tools: trajectory?.trial.tools ?? [],
    messages: trajectory?.trial.messages ?? [],
    durationMs: Date.parse(trial.finished_at ?? '') - Date.parse(trial.started_at ?? ''),
  };
}

function describeFigures(evals: z.infer<typeof jobSchema>['stats']['evals'][string] | undefined): string[] {
  const metrics = (evals?.metrics ?? []).flatMap((each) => Object.entries(each));
  const shares = Object.entries(evals?.pass_at_k ?? {}).map(([k, value]) => [`pass@${k}`, value] as const);
  const figures = [...metrics, ...shares].flatMap(([name, value]) =>
    typeof value === 'number' ? [`${name} ${value.toFixed(3)}`] : [],
  );
  return figures.length === 0 ? [] : [`Harbor's own figures: ${figures.join(', ')}.`];
}
