/** `run.json`: what a run was asked to do, with what versions, and how far it is. */

import type { EvaluationConfig, SweepPlan } from '../../wire/index.ts';
import { readDocument, writeDocument } from './document.ts';
import { snakeKeys } from './plain.ts';
import { runManifestSchema, type RunManifest, type RunStatus } from './run-manifest.schema.ts';

export type { RunManifest, RunStatus };

export function writeRunManifest(manifest: RunManifest): string {
  return writeDocument(manifest);
}

/** @throws ResultsError (`malformed`) when the text is cut short or of another shape */
export function readRunManifest(text: string): RunManifest {
  return readDocument(text, runManifestSchema);
}

/** The part of a run that must be the same for a resumed run. */
export interface RunIdentity {
  readonly config: EvaluationConfig;
  readonly plan: SweepPlan;
}

/**
 * What another configuration would change, as `num_trials: 4, now 5`; empty when the runs are the same.
 * The place on disk of a pack, of displays or of an agent does not count, their digest does; of the response cache, only whether it is used.
 */
export function runDifferences(recorded: RunIdentity, asked: RunIdentity): string[] {
  const before = settingsOf(recorded);
  const now = settingsOf(asked);
  return [...new Set([...before.keys(), ...now.keys()])]
    .filter((name) => before.get(name) !== now.get(name))
    .map((name) => `${name}: ${before.get(name) ?? 'none'}, now ${now.get(name) ?? 'none'}`);
}

/** Where files were, whose digests are beside them: displays, and an agent of one's own. */
const PATHS: readonly string[] = ['strategy_options.few_shots.file.path', 'strategy_options.agent_file.path'];

/** Every setting by its name in `run.json`, as text; places on disk left out. */
export function settingsOf({ config, plan }: RunIdentity): Map<string, string> {
  const { name, digest } = config.pack;
  const cache = config.responseCache === undefined ? {} : { responseCache: true };
  const flat = new Map<string, string>();
  const visit = (prefix: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      flat.set(prefix, Array.isArray(value) ? value.map(itemText).join(' ') : String(value));
      return;
    }
    for (const [key, item] of Object.entries(value)) visit(prefix === '' ? key : `${prefix}.${key}`, item);
  };
  visit('', snakeKeys({ ...config, ...cache, pack: { name, digest }, ...plan }));
  for (const name of PATHS) flat.delete(name);
  return flat;
}

/** An item of a list: its words, or what it is made of. */
function itemText(item: unknown): string {
  return typeof item === 'string' ? item : JSON.stringify(item);
}
