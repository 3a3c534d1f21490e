/** What differs in the settings of runs, and what that does to a comparison of their scores. Pure. */

import { settingsOf } from '../log/index.ts';
import type { ComparedRun } from './run.ts';

/**
 * - `agent`: what a comparison is for, such as the agent's strategy or its model.
 * - `conditions`: what should be the same, such as the simulated user's model; where it is not, the difference of the
 *   scores is also theirs.
 * - `sample`: which episodes were drawn, such as the seed and the number of trials; it moves scores by chance only.
 */
export type Concern = 'agent' | 'conditions' | 'sample';

export interface SettingDifference {
  /** As in `run.json`: `user_model.model`. */
  readonly name: string;
  readonly concern: Concern;
  /** One text a run, in the runs' order; `none` where a run has no such setting. */
  readonly values: readonly string[];
}

/** What the tasks are is {@link otherTasks}' business, and which were run is told as tasks of one run only. */
const TOLD_ELSEWHERE = ['env', 'split', 'pack.name', 'pack.digest', 'task_ids'];

const SAMPLE = ['seed', 'num_trials', 'shuffle'];

/** Displays that share a customer with a test task make any score higher, whatever the agent. */
const LEAVE_OUT = 'strategy_options.few_shots.leave_out';

const NONE = 'none';
const NOT_KNOWN = 'not known';

/** Only of runs whose settings are known; fewer than two of these differ in nothing. */
export function settingDifferences(runs: readonly ComparedRun[]): SettingDifference[] {
  const known = runs.map(knownSettings);
  const names = new Set(known.flatMap((settings) => [...(settings?.keys() ?? [])]));
  const differences = [...names]
    .filter((name) => !TOLD_ELSEWHERE.includes(name))
    .flatMap((name) => {
      const values = known.map((settings) => (settings === null ? null : (settings.get(name) ?? NONE)));
      const isSame = new Set(values.filter((value) => value !== null)).size < 2;
      return isSame ? [] : [{ name, concern: concernOf(name), values: values.map((value) => value ?? NOT_KNOWN) }];
    });
  return [...differences, ...endpointDifferences(runs), ...servedDifference(runs)].sort(
    (a, b) => CONCERNS.indexOf(a.concern) - CONCERNS.indexOf(b.concern),
  );
}

const CONCERNS: readonly Concern[] = ['agent', 'conditions', 'sample'];

function concernOf(name: string): Concern {
  if (SAMPLE.includes(name)) return 'sample';
  if (name === LEAVE_OUT) return 'conditions';
  return /^(strategy|strategy_options|agent_model|role_models\.agent|max_completion_tokens\.agent)\b/.test(name)
    ? 'agent'
    : 'conditions';
}

/** The settings of `run.json`, and the version of the program. */
function knownSettings({ manifest }: ComparedRun): ReadonlyMap<string, string> | null {
  if (manifest === null) return null;
  return settingsOf(manifest).set('versions.tauflow', manifest.versions['tauflow'] ?? NOT_KNOWN);
}

/** Addresses that the same provider was called at, where the runs say them. */
function endpointDifferences(runs: readonly ComparedRun[]): SettingDifference[] {
  const called = runs.map(({ manifest }) => manifest?.endpoints ?? []);
  const providers = new Set(called.flat().map(({ provider }) => provider));
  // The scripted model's is its pack, which is a setting of its own.
  providers.delete('scripted');
  return [...providers].flatMap((provider) => {
    const values = called.map((endpoints) => {
      const addresses = endpoints.filter((each) => each.provider === provider).map(({ address }) => address);
      return addresses.length === 0 ? null : addresses.sort().join(', ');
    });
    const isSame = new Set(values.filter((value) => value !== null)).size < 2;
    const name = `endpoints.${provider}`;
    return isSame ? [] : [{ name, concern: 'conditions' as const, values: values.map((value) => value ?? NOT_KNOWN) }];
  });
}

/**
 * What the providers said they ran, where the runs asked for the same models: a name such as `gpt-4o` means another
 * model from time to time. Fingerprints are left out, as they differ from one call to the next.
 */
function servedDifference(runs: readonly ComparedRun[]): SettingDifference[] {
  const asked = runs.map(({ manifest }) => {
    const settings = manifest === null ? [] : [...settingsOf(manifest)];
    return JSON.stringify(settings.filter(([name]) => /model/.test(name)));
  });
  const served = runs.map(({ rows }) => {
    const models = rows.flatMap(({ servedModels = [] }) => servedModels.map((model) => model.replace(/ \(.*\)$/, '')));
    return [...new Set(models)].sort().join(', ');
  });
  const isTelling = new Set(asked).size === 1 && !served.includes('') && new Set(served).size > 1;
  return isTelling ? [{ name: 'served models', concern: 'conditions', values: served }] : [];
}
