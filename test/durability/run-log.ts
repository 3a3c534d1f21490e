/** A finished run as data, without what differs between two runs of the same thing: names and times. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface RunData {
  /** tau-bench's results file, byte for byte but for the places of episodes that ended with an error. */
  readonly results: string;
  /** `task-3.trial-1` by record, each without times, ids and attempts. */
  readonly episodes: Readonly<Record<string, unknown>>;
  /** Model calls that were begun again, over all episodes. */
  readonly extraAttempts: number;
  readonly extraAttemptsByRole: Readonly<Record<string, number>>;
  /** Model calls that ended well, over all episodes. */
  readonly calls: number;
}

/** Fields of a record that are not the experiment's result. */
const INCIDENTAL = new Set([
  'run_id',
  'workflow_id',
  // Of an adapter that the command starts at a free port.
  'agent_url',
  'workflow_run_id',
  'started_at',
  'ended_at',
  'duration_ms',
  'think_ms',
  'latency_ms',
  'extra_attempts',
  // Of an agent that is a service, after its or a worker's death.
  'repeated_turns',
  'agent_walks',
]);

/** @throws Error when a file of the run log is not JSON */
export async function readRunData(folder: string, runId: string): Promise<RunData> {
  const logDir = join(folder, 'results');
  const episodes: Record<string, unknown> = {};
  const extraAttemptsByRole: Record<string, number> = {};
  let extraAttempts = 0;
  let calls = 0;
  const files = join(logDir, runId, 'episodes');
  for (const name of (await readdir(files)).sort()) {
    if (!name.endsWith('.json')) continue;
    const record = JSON.parse(await readFile(join(files, name), 'utf8')) as {
      readonly usage: readonly { readonly role: string; readonly calls: number; readonly extra_attempts: number }[];
    };
    for (const usage of record.usage) {
      extraAttempts += usage.extra_attempts;
      extraAttemptsByRole[usage.role] = (extraAttemptsByRole[usage.role] ?? 0) + usage.extra_attempts;
      calls += usage.calls;
    }
    episodes[name.slice(0, -'.json'.length)] = withoutIncidentals(record);
  }
  const results = await readFile(join(logDir, `${runId}.json`), 'utf8');
  return { results, episodes, extraAttempts, extraAttemptsByRole, calls };
}

function withoutIncidentals(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIncidentals);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !INCIDENTAL.has(name));
  return Object.fromEntries(kept.map(([name, item]) => [name, withoutIncidentals(item)]));
}
