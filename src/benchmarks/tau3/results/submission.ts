/**
 * Makes `submission.json` for the text leaderboard of τ³-bench 1.x: for each domain percentages of pass^1 to pass^4 and
 * cost, and the method, with gaps for facts that the submitter has to add.
 */

import type { ExportedRun, SubmittedRun } from '../../results-format.ts';
import { checkSubmission, listCustomParts, readBenchmarkVersion, TRIALS } from './preflight.ts';
import { llmName, tau2Domain } from './write.ts';

const FILL_IN = 'FILL IN';

/**
 * Findings after which there is nothing to submit. For other findings, such as missing tasks, the leaderboard shows a
 * note beside the score.
 */
const NOTHING_TO_SUBMIT: readonly string[] = ['domains', 'trials', 'results'];

/** Returns the document; null if the runs have no results that the leaderboard shows. */
export function createSubmission(runs: readonly SubmittedRun[]): object | null {
  const [first] = runs;
  const wrong = checkSubmission(runs).filter(({ state }) => state === 'wrong');
  if (first === undefined || wrong.some(({ check }) => NOTHING_TO_SUBMIT.includes(check))) return null;
  const isCustom = runs.some((run) => listCustomParts(run).length > 0);
  const { config } = first.run;
  const started = runs.map(({ run }) => run.startedAt).sort();
  const ended = runs.map(({ run }) => run.endedAt ?? run.startedAt).sort();
  return {
    model_name: config.agentModel === null ? (first.figures.agentModel ?? FILL_IN) : llmName(config.agentModel),
    model_organization: FILL_IN,
    submitting_organization: FILL_IN,
    submission_date: ended.at(-1)?.slice(0, 10),
    submission_type: isCustom ? 'custom' : 'standard',
    modality: 'text',
    contact_info: { email: FILL_IN, name: FILL_IN },
    is_new: false,
    trajectories_available: true,
    trajectory_files: byDomain(runs, ({ resultsFile }) => resultsFile),
    results: byDomain(runs, toResults),
    ...(isCustom ? { references: [{ title: FILL_IN, url: FILL_IN }] } : {}),
    methodology: {
      evaluation_date: started[0]?.slice(0, 10),
      tau2_bench_version: readBenchmarkVersion(first) ?? FILL_IN,
      user_simulator: llmName(config.userModel),
      notes: [...new Set(runs.map(({ run }) => methodNotes(run)))].join(' '),
      verification: {
        modified_prompts: isCustom,
        omitted_questions: runs.some(({ run, pack }) => run.plan.taskIds.length !== pack?.splits['base']?.length),
        details: runs.map(({ run }) => describeRun(run)).join(' '),
      },
    },
    reasoning_effort: config.agentModel?.reasoning_effort,
  };
}

function byDomain<T>(runs: readonly SubmittedRun[], value: (run: SubmittedRun) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(runs.map((run) => [tau2Domain(run.run.config.env), value(run)]));
}

function toResults({ run, figures: { passHatK, agentCostUsd } }: SubmittedRun): object {
  const shares = passHatK.filter(({ k }) => k <= TRIALS);
  return {
    ...Object.fromEntries(shares.map(({ k, value }) => [`pass_${String(k)}`, value * 100])),
    cost: agentCostUsd ?? undefined,
    retrieval_config: run.config.pack.environment?.options['retrieval_variant'],
  };
}

function methodNotes({ config, plan }: ExportedRun): string {
  const strategy = config.strategy === 'tool-calling' ? 'the default agent' : `a custom agent (${config.strategy})`;
  return `${String(plan.numTrials)} trials per task on the split ${config.split}, with ${strategy}; run with Tauflow.`;
}

function describeRun({ runId, config, versions }: ExportedRun): string {
  return `Run ${runId} of Tauflow ${versions['tauflow'] ?? ''}, pack ${config.pack.digest.slice(0, 12)}.`;
}
