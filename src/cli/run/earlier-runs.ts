/** Earlier runs of a log folder, from which the cost of a run is estimated. */

import type { CallRole } from '../../agents/index.ts';
import { ResultsError, RunLog, listRunFolders, storeAddress, type EpisodeRow } from '../../run-log/index.ts';
import { readRows } from '../../results/report/index.ts';
import { isSameModel, findModel, type EvaluationConfig } from '../../evaluation/index.ts';

/** Most runs to read, the newest. Older runs add too little to the estimate. */
const MOST_RUNS = 20;

/**
 * Reads episodes of the same agent, user and models in the same env, run by run, the newest run first.
 * @param warn called with a sentence for each unreadable run
 * @throws UsageError if the folder cannot be read
 */
export async function readEarlierRuns(
  logDir: string,
  config: EvaluationConfig,
  warn: (sentence: string) => void,
): Promise<EpisodeRow[][]> {
  const alike: { readonly log: RunLog; readonly startedAt: string }[] = [];
  // Reading all runs of a store would cost more than the estimate is worth.
  const runIds = storeAddress(logDir) === null ? await listRunFolders(logDir) : [];
  for (const runId of runIds) {
    const log = new RunLog({ runId, logDir });
    try {
      const manifest = await log.readRun();
      if (manifest !== null && isAlike(manifest.config, config)) alike.push({ log, startedAt: manifest.startedAt });
    } catch (error) {
      if (!(error instanceof ResultsError)) throw error;
      warn(`warning: ${error.message}`);
    }
  }
  alike.sort((a, b) => b.startedAt.localeCompare(a.startedAt));
  const runs: EpisodeRow[][] = [];
  for (const { log } of alike.slice(0, MOST_RUNS)) runs.push((await readRows(log)).rows);
  return runs;
}

/** True if all settings of every role's model are equal, because effort and wire affect the number of tokens. */
function isAlike(one: EvaluationConfig, other: EvaluationConfig): boolean {
  return (
    one.env === other.env &&
    one.strategy === other.strategy &&
    one.userStrategy === other.userStrategy &&
    isSameModel(one.agentModel, other.agentModel) &&
    isSameModel(one.userModel, other.userModel) &&
    listRoles(one, other).every((role) => isSameModel(findModel(one, role), findModel(other, role))) &&
    one.strategyOptions.decisionOnly === other.strategyOptions.decisionOnly
  );
}

function listRoles(...configs: readonly EvaluationConfig[]): CallRole[] {
  return configs.flatMap(({ roleModels = {} }) => Object.keys(roleModels) as CallRole[]);
}
