/**
 * Makes `submission.json` for the text leaderboard of τ³-bench 1.x: percentages of pass^1 to pass^4 of one domain, cost
 * and method, with gaps for facts that people have to add.
 */

import type { ExportedRun, LeaderboardFigures, Submission } from '../../results-format.ts';
import { agentImplementation, isTau3, tau2Domain, userImplementation } from './write.ts';

/** The domains that a submission can have. */
const DOMAINS: readonly string[] = ['retail', 'airline', 'telecom', 'banking_knowledge'];
/** Trials of each task that the leaderboard requires. */
const TRIALS = 4;
const FILL_IN = 'FILL IN';

interface SubmissionFacts {
  readonly run: ExportedRun;
  readonly figures: LeaderboardFigures;
  /** Number of tasks in the split `base`; null without the pack. */
  readonly baseTasks: number | null;
  /** True if some sentences were not judged, so that the score ignores them. */
  readonly isJudgeMissing: boolean;
  /** Name of the results file. */
  readonly resultsFile: string;
}

/** Makes the document, or explains why that is impossible. */
export function createSubmission({ run, figures, ...facts }: SubmissionFacts): Submission {
  const { config, plan, startedAt, versions } = run;
  const reason = reasonAgainst({ run, figures, ...facts });
  if (reason !== null) return { kind: 'refused', reason: `submission.json is not written: ${reason}` };
  const domain = tau2Domain(config.env);
  const { passHatK, agentCostUsd: cost } = figures;
  const isCustom = agentImplementation(config) !== 'llm_agent' || userImplementation(config) !== 'user_simulator';
  const { baseTasks } = facts;
  const document = {
    model_name: figures.agentModel,
    model_organization: FILL_IN,
    submitting_organization: FILL_IN,
    submission_date: (run.endedAt ?? startedAt).slice(0, 10),
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
        retrieval_config: config.pack.environment?.options['retrieval_variant'],
      },
    },
    methodology: {
      evaluation_date: startedAt.slice(0, 10),
      tau2_bench_version: config.pack.environment?.version ?? '1.0.1',
      user_simulator: config.userModel.model,
      notes: methodNotes(run),
      verification: {
        modified_prompts: isCustom,
        omitted_questions: plan.taskIds.length !== baseTasks,
        details: `Run ${run.runId} of Tauflow ${versions['tauflow'] ?? ''}, pack ${config.pack.digest.slice(0, 12)}.`,
      },
    },
    ...(config.agentModel?.reasoning_effort === undefined
      ? {}
      : { reasoning_effort: config.agentModel.reasoning_effort }),
  };
  return { kind: 'document', document };
}

function reasonAgainst({ run, figures, isJudgeMissing }: SubmissionFacts): string | null {
  const { config, plan } = run;
  if (!isTau3(config.env)) {
    return 'the run is of tau-bench, and the leaderboard takes runs of τ³-bench.';
  }
  const domain = tau2Domain(config.env);
  if (!DOMAINS.includes(domain)) return `the leaderboard has no domain ${domain}.`;
  if (plan.numTrials < TRIALS) {
    return `the leaderboard asks for ${String(TRIALS)} trials of each task, and the run has ${String(plan.numTrials)}.`;
  }
  const planned = plan.taskIds.length * plan.numTrials;
  if (figures.episodes < planned) {
    return `${String(planned - figures.episodes)} of ${String(planned)} episodes have no result; resume the run first.`;
  }
  return isJudgeMissing ? 'sentences of its tasks (NL_ASSERTION) have not been judged.' : null;
}

function methodNotes({ config, plan }: ExportedRun): string {
  const strategy = config.strategy === 'tool-calling' ? 'the default agent' : `a custom agent (${config.strategy})`;
  return `${String(plan.numTrials)} trials per task on the split ${config.split}, with ${strategy}; run with Tauflow.`;
}
