/** Checks runs as `tau2 submit validate` and the leaderboard's guide of τ³-bench 1.x do, before they are written. */

import type { ExportedRun, SubmissionFinding, SubmittedRun } from '../../results-format.ts';
import { agentImplementation, isTau3, toLlmFields, tau2Domain, userImplementation } from './write.ts';

/** The domains that a submission can have. */
const DOMAINS: readonly string[] = ['retail', 'airline', 'telecom', 'banking_knowledge'];
/** Number of trials of each task that the leaderboard requires. */
export const TRIALS = 4;
/** Version from which `banking_knowledge` is graded differently. */
const BANKING_SINCE = '1.0.1';
const USUAL_STEPS = 200;

export function checkSubmission(runs: readonly SubmittedRun[]): SubmissionFinding[] {
  const domains = checkDomains(runs.map(({ run }) => run));
  if (domains.some(({ state }) => state === 'wrong')) return domains;
  return [
    checkType(runs),
    ...domains,
    ...checkModels(runs.map(({ run }) => run)),
    ...runs.flatMap(checkRun),
    checkVersions(runs),
  ];
}

/** @returns the parts that make the submission a custom one; empty for a standard one */
export function listCustomParts({ run: { config }, pack }: SubmittedRun): string[] {
  const { strategy, strategyOptions, userStrategy, maxSteps } = config;
  return [
    ...(agentImplementation(config) === 'llm_agent' ? [] : [`the agent is ${strategy}`]),
    ...(strategyOptions.omitPolicy ? ['the agent gets no policy'] : []),
    ...(userImplementation(config) === 'user_simulator' ? [] : [`the user is ${userStrategy}`]),
    ...(maxSteps === USUAL_STEPS ? [] : [`episodes have at most ${String(maxSteps)} steps`]),
    ...(pack?.changedFiles ?? []).map((file) => `${file} is not as published`),
  ];
}

function checkType(runs: readonly SubmittedRun[]): SubmissionFinding {
  const parts = [...new Set(runs.flatMap(listCustomParts))];
  if (parts.length === 0) {
    return passFinding('type', 'standard: the default agent, user, prompts, tools and tasks');
  }
  const what = `custom, because ${parts.join(', and ')}`;
  return note('type', `${what}; describe it in methodology.notes and link your code in references`);
}

function checkDomains(runs: readonly ExportedRun[]): SubmissionFinding[] {
  const wrong: SubmissionFinding[] = [];
  const seen = new Map<string, string>();
  for (const { runId, config } of runs) {
    const domain = tau2Domain(config.env);
    const other = seen.get(domain);
    if (!isTau3(config.env)) {
      wrong.push(mistake('domains', `the run ${runId} is of tau-bench, and the leaderboard takes runs of τ³-bench`));
    } else if (!DOMAINS.includes(domain)) {
      wrong.push(mistake('domains', `the leaderboard has no domain ${domain}; leave out the run ${runId}`));
    } else if (other !== undefined) {
      wrong.push(mistake('domains', `the runs ${other} and ${runId} are both of ${domain}; leave out one of them`));
    }
    seen.set(domain, runId);
  }
  const missing = DOMAINS.filter((domain) => !seen.has(domain));
  if (wrong.length > 0) return wrong;
  if (missing.length === 0) return [passFinding('domains', `all ${String(DOMAINS.length)}`)];
  const what = `${missing.join(', ')} missing: the leaderboard ranks ${[...seen.keys()].join(', ')} only`;
  return [note('domains', `${what}; to add them, name runs of them too, with the same models`)];
}

function checkModels(runs: readonly ExportedRun[]): SubmissionFinding[] {
  const [first, ...others] = runs.map(({ runId, config }) => {
    return { runId, models: { agent: toLlmFields(config.agentModel), user: toLlmFields(config.userModel) } };
  });
  if (first === undefined) return [];
  const differing = others.filter(({ models }) => JSON.stringify(models) !== JSON.stringify(first.models));
  if (differing.length === 0) return [passFinding('models', `the same in all runs: ${JSON.stringify(first.models)}`)];
  return differing.map(({ runId, models }) =>
    mistake(
      'models',
      `the run ${runId} has ${JSON.stringify(models)}, and ${first.runId} has ${JSON.stringify(first.models)}; play all ` +
        'domains with the same models and settings',
    ),
  );
}

/** Checks a run's tasks, trials, results and conversations. */
function checkRun({ run, figures, pack, isJudgeMissing, trajectories }: SubmittedRun): SubmissionFinding[] {
  const { runId, config, plan } = run;
  const tasks = plan.taskIds.length;
  const planned = tasks * plan.numTrials;
  const baseTasks = pack?.splits['base']?.length;
  const resume = `resume it with \`tauflow run --run-id ${runId}\``;
  const findings: SubmissionFinding[] = [];
  if (config.split !== 'base') {
    findings.push(mistake('tasks', `the run ${runId} is of the split ${config.split}; play the split base`));
  } else if (baseTasks === undefined) {
    const which = `its pack ${config.pack.digest.slice(0, 12)} is not on this machine`;
    findings.push(mistake('tasks', `the tasks of ${runId} cannot be checked, because ${which}; import it again`));
  } else if (tasks !== baseTasks) {
    const which = `${String(tasks)} of ${String(baseTasks)} tasks of the split base`;
    findings.push(mistake('tasks', `the run ${runId} has ${which}; play all of them, without --task-ids`));
  }
  if (plan.numTrials < TRIALS) {
    const which = `the leaderboard asks for ${String(TRIALS)} trials of each task, and the run has ${String(plan.numTrials)}`;
    findings.push(
      mistake('trials', `${which}; add some with \`tauflow run --run-id ${runId} --num-trials ${String(TRIALS)}\``),
    );
  }
  if (figures.episodes < planned) {
    const which = `${String(planned - figures.episodes)} of ${String(planned)} episodes have no result`;
    findings.push(mistake('results', `${which}; ${resume}`));
  }
  if (isJudgeMissing) {
    const which = 'sentences of its tasks (NL_ASSERTION) have not been judged';
    findings.push(mistake('results', `${which}; play the run with --judge-model`));
  }
  if (trajectories < planned) {
    const which = `${String(planned - trajectories)} of ${String(planned)} episodes of ${runId} have no conversation`;
    findings.push(mistake('trajectories', `${which}; ${resume}`));
  }
  const summary = `${runId}: ${String(tasks)} tasks with ${String(plan.numTrials)} trials, all with results and trajectories`;
  return findings.length > 0 ? findings : [passFinding('episodes', summary)];
}

/** @returns the version of the benchmark of a run; null if unknown */
export function readBenchmarkVersion({ run, pack }: SubmittedRun): string | null {
  return run.config.pack.environment?.version ?? pack?.version ?? null;
}

function checkVersions(runs: readonly SubmittedRun[]): SubmissionFinding {
  const versions = [...new Set(runs.map(readBenchmarkVersion))];
  const [version = null] = versions;
  if (versions.length > 1) {
    const listed = versions.map((each) => each ?? 'unknown').join(' and ');
    return mistake(
      'version',
      `the runs have different versions of the benchmark (${listed}); play all with one version`,
    );
  }
  if (version === null) return note('version', 'unknown; fill in methodology.tau2_bench_version');
  const isBanking = runs.some(({ run }) => tau2Domain(run.config.env) === 'banking_knowledge');
  if (isBanking && version.localeCompare(BANKING_SINCE, 'en', { numeric: true }) < 0) {
    const which = `scores of banking_knowledge are comparable since ${BANKING_SINCE}, and the run has ${version}`;
    return mistake('version', `${which}; play it with a newer version`);
  }
  return passFinding('version', `τ³-bench ${version}`);
}

function passFinding(check: string, message: string): SubmissionFinding {
  return { check, state: 'right', message };
}

function note(check: string, message: string): SubmissionFinding {
  return { check, state: 'note', message };
}

function mistake(check: string, message: string): SubmissionFinding {
  return { check, state: 'wrong', message };
}
