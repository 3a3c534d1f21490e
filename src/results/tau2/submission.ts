/**
 * `submission.json` for the text leaderboard of τ³-bench 1.x: percentages of pass^1 to pass^4 of one domain, cost and
 * method. What only people know is left for them to fill in.
 */

import type { RunManifest } from '../../run-log/index.ts';
import type { Report } from '../report/index.ts';
import { agentImplementation, isTau3, tau2Domain, userImplementation } from './write.ts';

/** Trials of each task that the leaderboard asks for. */
const TRIALS = 4;
const FILL_IN = 'FILL IN';

export type Submission =
  | { readonly kind: 'document'; readonly document: object }
  /** A sentence that says why the leaderboard would not take it. */
  | { readonly kind: 'refused'; readonly reason: string };

interface SubmissionFacts {
  readonly manifest: RunManifest;
  readonly report: Report;
  /** Tasks of the split `base`; null where the pack is not on this machine. */
  readonly baseTasks: number | null;
  /** True if some sentences of tasks were not judged, so that the score is without them. */
  readonly isJudgeMissing: boolean;
  /** Name of the results file. */
  readonly resultsFile: string;
}

/** Makes the document, or says why there is none. */
export function submissionOf({ manifest, report, ...facts }: SubmissionFacts): Submission {
  const { config, plan, startedAt, versions } = manifest;
  const reason = reasonAgainst({ manifest, report, ...facts });
  if (reason !== null) return { kind: 'refused', reason: `submission.json is not written: ${reason}` };
  const domain = tau2Domain(config.env);
  const { passHatK } = report.metrics.infrastructureErrorsLeftOut;
  const isCustom = agentImplementation(config) !== 'llm_agent' || userImplementation(config) !== 'user_simulator';
  const { baseTasks } = facts;
  const cost = meanAgentCost(report);
  const document = {
    model_name: report.subject.agentModel,
    model_organization: FILL_IN,
    submitting_organization: FILL_IN,
    submission_date: (manifest.endedAt ?? startedAt).slice(0, 10),
    submission_type: isCustom ? 'custom' : 'standard',
    modality: 'text',
    contact_info: { email: FILL_IN, name: FILL_IN },
    is_new: false,
    trajectories_available: true,
    trajectory_files: { [domain]: facts.resultsFile },
    results: {
      [domain]: {
        ...Object.fromEntries(
          passHatK.filter(({ k }) => k <= TRIALS).map(({ k, value }) => [`pass_${k}`, value * 100]),
        ),
        ...(cost === null ? {} : { cost }),
      },
    },
    methodology: {
      evaluation_date: startedAt.slice(0, 10),
      tau2_bench_version: '1.0.1',
      user_simulator: config.userModel.model,
      notes: methodNotes(manifest),
      verification: {
        modified_prompts: isCustom,
        omitted_questions: plan.taskIds.length !== baseTasks,
        details: `Run ${manifest.runId} of Tauflow ${versions['tauflow'] ?? ''}, pack ${config.pack.digest.slice(0, 12)}.`,
      },
    },
    ...(config.agentModel?.reasoning_effort === undefined
      ? {}
      : { reasoning_effort: config.agentModel.reasoning_effort }),
  };
  return { kind: 'document', document };
}

function reasonAgainst({ manifest, report, isJudgeMissing }: SubmissionFacts): string | null {
  const { config, plan } = manifest;
  if (!isTau3(config.env)) {
    return 'the run is of tau-bench, and the leaderboard takes runs of τ³-bench.';
  }
  if (plan.numTrials < TRIALS) {
    return `the leaderboard asks for ${String(TRIALS)} trials of each task, and the run has ${String(plan.numTrials)}.`;
  }
  const counted = report.metrics.infrastructureErrorsLeftOut.episodes;
  const planned = plan.taskIds.length * plan.numTrials;
  if (counted < planned) {
    return `${String(planned - counted)} of ${String(planned)} episodes have no result; resume the run first.`;
  }
  return isJudgeMissing ? 'sentences of its tasks (NL_ASSERTION) have not been judged.' : null;
}

function methodNotes({ config, plan }: RunManifest): string {
  const strategy = config.strategy === 'tool-calling' ? 'the default agent' : `a custom agent (${config.strategy})`;
  return `${String(plan.numTrials)} trials per task on the split ${config.split}, with ${strategy}; run with Tauflow.`;
}

/** USD of the agent's calls in an episode, on average; null where a price is not known. */
function meanAgentCost({ metrics, episodes }: Report): number | null {
  const roles = metrics.costs.roles.filter(({ role }) => role === 'agent' || role.startsWith('agent/'));
  const costs = roles.map(({ costUsd }) => costUsd);
  if (costs.some((cost) => cost === null) || episodes.length === 0) return null;
  return costs.reduce<number>((sum, cost) => sum + Number(cost), 0) / episodes.length;
}
