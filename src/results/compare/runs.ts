/** The runs of a comparison: their figures, different settings, and warnings. Pure. */

import type { EvaluationConfig, RunComparison } from '../../evaluation/index.ts';
import {
  averageReward,
  leavesErrorsOut,
  isRagged,
  computePassHats,
  plannedEpisodes,
  scoredRows,
  summarizeCosts,
  trialsPerTask,
  unfinishedWork,
} from '../metrics/index.ts';
import {
  AGENT_NAME,
  AGENT_URL,
  flattenSettings,
  type EpisodeRow,
  type RunManifest,
  type RunStatus,
} from '../../run-log/index.ts';
import { LEAST_TASKS } from '../../stats/index.ts';
import { formatAmount } from '../document/index.ts';
import { describeRagged } from '../report/index.ts';

export interface ComparedRun {
  readonly runId: string;
  /** Episodes under `base`. */
  readonly rows: readonly EpisodeRow[];
  /** Episodes under the run's conditions. @default none */
  readonly conditionRows?: readonly EpisodeRow[];
  /** Manifest of the run; null for a results file without a run log. */
  readonly manifest: RunManifest | null;
  /** Name of the tasks in another tool's file; null if unknown. @default null */
  readonly benchmark?: string | null;
  /** Status of the run; null if unknown. @default the manifest's */
  readonly status?: RunStatus | null;
  /** Number of planned episodes; null if unknown. @default the manifest's */
  readonly planned?: number | null;
  /** True if links can lead to records of the episodes. @default true with a manifest */
  readonly hasRecords?: boolean;
  /** Address of the server's Temporal UI; null if unknown. @default null */
  readonly uiUrl?: string | null;
}

export interface RunSide extends Pick<RunComparison, 'runId' | 'averageReward' | 'costUsd' | 'unfinished'> {
  readonly status: RunStatus | null;
  readonly episodes: number;
  readonly passHat1: number | null;
}

export function toRunSide(run: ComparedRun): RunSide {
  const { runId, rows, conditionRows = [], manifest } = run;
  const scored = scoredRows(rows);
  const { status = manifest?.status ?? null, planned = plannedEpisodes(manifest) } = run;
  return {
    runId,
    status,
    episodes: rows.filter(({ outcome }) => outcome !== 'cancelled').length,
    averageReward: averageReward(scored),
    passHat1: computePassHats(scored)[0]?.value ?? null,
    costUsd: summarizeCosts(rows).totalUsd,
    unfinished: unfinishedWork([...rows, ...conditionRows], planned),
  };
}

/**
 * Explains why equal task numbers mean different tasks: another env, pack or split, or, for a results file, other users
 * in most tasks. Returns null if they mean the same tasks, or if a run's tasks are unknown.
 */
export function explainOtherTasks(baseline: ComparedRun, run: ComparedRun): string | null {
  const [before, after] = [baseline.manifest, run.manifest];
  if (before === null || after === null) {
    const [a = null, b = null] = [baseline.benchmark, run.benchmark];
    return a === null || b === null || a === b
      ? explainOtherUsers(baseline.rows, run.rows)
      : `the tasks were of ${a} and are of ${b}`;
  }
  const [a, b] = [before.config, after.config];
  const reasons = [
    a.env === b.env ? null : `the env was ${a.env} and is ${b.env}`,
    a.pack.digest === b.pack.digest ? null : `the pack was ${formatPack(a)} and is ${formatPack(b)}`,
    a.split === b.split ? null : `the task split was ${a.split} and is ${b.split}`,
  ].filter((reason) => reason !== null);
  return reasons.length === 0 ? null : reasons.join(', and ');
}

/**
 * Returns a reason if most tasks have other users. A few may differ, because a later version of a task may have another
 * user.
 */
function explainOtherUsers(before: readonly EpisodeRow[], after: readonly EpisodeRow[]): string | null {
  const [a, b] = [usersByTask(before), usersByTask(after)];
  const common = [...a.keys()].filter((taskId) => b.has(taskId));
  const other = common.filter((taskId) => a.get(taskId) !== b.get(taskId)).length;
  if (2 * other <= common.length) return null;
  return `${String(other)} of the ${String(common.length)} common tasks have other users`;
}

function usersByTask(rows: readonly EpisodeRow[]): Map<number, string> {
  return new Map(rows.flatMap(({ taskId, userId }) => (userId === undefined ? [] : [[taskId, userId] as const])));
}

function formatPack({ pack }: EvaluationConfig): string {
  return `${pack.name} ${pack.digest.slice(0, 12)}`;
}

/**
 * - `agent`: a compared setting, such as the agent's strategy or its model.
 * - `conditions`: a setting that should be the same, such as the simulated user's model.
 * - `sample`: a setting that changes scores by chance only, such as the seed and the number of trials.
 */
export type Concern = 'agent' | 'conditions' | 'sample';

export interface SettingDifference {
  /** Name in `run.json`: `user_model.model`. */
  readonly name: string;
  readonly concern: Concern;
  /** One text per run, in the given order; `none` if the run lacks the setting. */
  readonly values: readonly string[];
}

/**
 * Settings that decide which episodes are run. They are left out here, because {@link explainOtherTasks}, unpaired
 * tasks and conditions cover them.
 */
const TASK_SETTINGS = ['env', 'split', 'pack.name', 'pack.digest', 'task_ids', 'conditions'];

const SAMPLE = ['seed', 'num_trials', 'shuffle'];

/** Setting that leaves out displays about users of test tasks. Such displays raise the score of any agent. */
const LEAVE_OUT = 'strategy_options.few_shots.leave_out';

const NONE = 'none';
const NOT_KNOWN = 'not known';

/** Compares the runs whose settings are known. */
export function findSettingDifferences(runs: readonly ComparedRun[]): SettingDifference[] {
  const known = runs.map(knownSettings);
  const names = new Set(known.flatMap((settings) => [...(settings?.keys() ?? [])]));
  const differences = [...names]
    .filter((name) => !TASK_SETTINGS.includes(name))
    // The name and version of an agent service identify it, not its address.
    .filter((name) => name !== AGENT_URL || !known.every((settings) => settings?.has(AGENT_NAME) ?? true))
    .flatMap((name) => {
      const values = known.map((settings) => (settings === null ? null : (settings.get(name) ?? NONE)));
      return toDifference(name, findConcern(name), values);
    });
  return [...differences, ...endpointDifferences(runs), ...servedDifference(runs)].sort(
    (a, b) => CONCERNS.indexOf(a.concern) - CONCERNS.indexOf(b.concern),
  );
}

/** Returns a difference; none if all known values (not null) are the same. */
function toDifference(name: string, concern: Concern, values: readonly (string | null)[]): SettingDifference[] {
  const isSame = new Set(values.filter((value) => value !== null)).size < 2;
  return isSame ? [] : [{ name, concern, values: values.map((value) => value ?? NOT_KNOWN) }];
}

const CONCERNS: readonly Concern[] = ['agent', 'conditions', 'sample'];

function findConcern(name: string): Concern {
  if (SAMPLE.includes(name)) return 'sample';
  if (name === LEAVE_OUT) return 'conditions';
  return /^(strategy|strategy_options|agent_model|role_models\.agent|max_completion_tokens\.agent)\b/.test(name)
    ? 'agent'
    : 'conditions';
}

/** Returns the settings of `run.json`, and the version of the program. */
function knownSettings({ manifest }: ComparedRun): ReadonlyMap<string, string> | null {
  if (manifest === null) return null;
  return flattenSettings(manifest).set('versions.tauflow', manifest.versions['tauflow'] ?? NOT_KNOWN);
}

/** Returns the different addresses at which the same provider was called. */
function endpointDifferences(runs: readonly ComparedRun[]): SettingDifference[] {
  const called = runs.map(({ manifest }) => manifest?.endpoints ?? []);
  const providers = new Set(called.flat().map(({ provider }) => provider));
  // The scripted model's address is its pack, which is another setting.
  providers.delete('scripted');
  return [...providers].flatMap((provider) => {
    const values = called.map((endpoints) => {
      const addresses = endpoints.filter((each) => each.provider === provider).map(({ address }) => address);
      return addresses.length === 0 ? null : addresses.sort().join(', ');
    });
    return toDifference(`endpoints.${provider}`, 'conditions', values);
  });
}

/**
 * Finds models that differ in providers' reports for the same configured names, because `gpt-4o` changes over time.
 * Fingerprints are left out, because they differ from call to call.
 */
function servedDifference(runs: readonly ComparedRun[]): SettingDifference[] {
  const asked = runs.map(({ manifest }) => {
    const settings = manifest === null ? [] : [...flattenSettings(manifest)];
    return JSON.stringify(settings.filter(([name]) => /model/.test(name)));
  });
  const served = runs.map(({ rows }) => {
    const models = rows.flatMap(({ servedModels = [] }) => servedModels.map((model) => model.replace(/ \(.*\)$/, '')));
    return [...new Set(models)].sort().join(', ');
  });
  const isConclusive = new Set(asked).size === 1 && !served.includes('') && new Set(served).size > 1;
  return isConclusive ? [{ name: 'served models', concern: 'conditions', values: served }] : [];
}

interface WarningFacts {
  readonly runs: readonly ComparedRun[];
  /** Reason why equal task numbers mean different tasks; null if they mean the same. */
  readonly otherTasks: string | null;
  readonly settings: readonly SettingDifference[];
  /** Number of common tasks. */
  readonly tasks: number;
  /** True if the compared setting is the model of the user or the judge. */
  readonly isStudy: boolean;
}

export function* findWarnings({ runs, otherTasks, settings, tasks, isStudy }: WarningFacts): Iterable<string> {
  const of = (concern: Concern) => settings.filter((setting) => setting.concern === concern);
  const unknown = runs.filter(({ manifest }) => manifest === null).map(({ runId }) => runId);
  if (otherTasks !== null) {
    yield (
      `DIFFERENT TASKS, compared because of --allow-different: ${otherTasks}. Tasks are matched by number and may be ` +
      'different tasks.'
    );
  }
  if (of('conditions').length > 0 && !isStudy) {
    const names = of('conditions').map(({ name }) => name);
    yield `Not only the agents differ: ${names.join(', ')}. The difference of the scores may come from these settings.`;
  }
  const isOtherStrategy = settings.some(({ name }) => name === 'strategy');
  const agentModels = settings.find(({ name }) => name === 'agent_model.model')?.values ?? [];
  const parts = new Set(of('agent').map((setting) => groupSetting(setting, isOtherStrategy, agentModels)));
  if (parts.size > 1) {
    yield `The agents differ in several settings at once (${[...parts].join(', ')}): the effect of each is not known.`;
  }
  if (settings.some(({ name }) => name === 'num_trials')) {
    yield 'The numbers of trials differ: each task still counts once, and the k of pass^k differs.';
  }
  for (const { runId, rows } of runs) {
    const scored = scoredRows(rows);
    if (leavesErrorsOut(rows[0])) continue;
    const ragged = { trials: new Set(scored.map(({ trial }) => trial)).size, trialsPerTask: trialsPerTask(scored) };
    if (ragged.trialsPerTask === null || !isRagged(ragged)) continue;
    yield `${runId}: ${describeRagged(ragged.trialsPerTask, ragged.trials)} The verdict is over the existing trials.`;
  }
  if (unknown.length > 0) {
    yield `Only results are known of ${unknown.join(', ')}: tasks, simulated user and settings may differ.`;
  }
  if (tasks > 0 && tasks < LEAST_TASKS) {
    yield (
      `With ${formatAmount(tasks, 'task')} no difference is significant, whatever the rewards: it takes at least ` +
      `${String(LEAST_TASKS)}.`
    );
  }
}

/**
 * Groups settings that change together: a model and its temperature, a strategy and the models of roles that only it has,
 * the agent's model and the same model of another role.
 * @param agentModels the agent's model in each run; empty if they do not differ
 */
function groupSetting(
  { name, values }: SettingDifference,
  isOtherStrategy: boolean,
  agentModels: readonly string[],
): string {
  if (isOtherStrategy && name.startsWith('role_models.') && values.includes(NONE)) return 'strategy';
  if (/^role_models\..*\.model$/.test(name) && values.join() === agentModels.join()) return 'agent_model';
  if (name === 'strategy' || /^strategy_options\.agent_(file|url|name)\b/.test(name)) return 'strategy';
  const [first = '', second = ''] = name.split('.');
  return first === 'strategy_options' || first === 'role_models' ? `${first}.${second}` : first;
}
