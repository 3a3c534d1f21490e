/** The body of `tauflow run`: checks everything, then runs server, worker, sweep, progress and report. */

import { join } from 'node:path';
import { configurationDigest } from '../../models/index.ts';
import { formatUsd } from '../../results/document/index.ts';
import {
  ResultsError,
  ResultsProblem,
  checkRunId,
  resolveLogPlace,
  type RunLog,
  type RunManifest,
} from '../../run-log/index.ts';
import { findStrategy, isAgentFile, type StrategyDefinition } from '../../agents/index.ts';
import { isSuspectRow } from '../../results/metrics/index.ts';
import { RUN_HEAD } from '../../run-log/store/index.ts';
import { parseGates, requirePlanned, type Gate } from '../../results/gates/index.ts';
import { allEpisodes, reportOfRun, sumSpending, withGates, type Report } from '../../results/report/index.ts';
import type { ConfigLimits, EpisodeKey, SweepLimits, SweepPlan } from '../../evaluation/index.ts';
import { forgetConfiguration } from '../commands/cache.ts';
import { printJson, type CliContext } from '../context.ts';
import { ExitCode, UsageError } from '../../errors/index.ts';
import { packFinder } from '../find-run.ts';
import { printReport, reportRetirements, verdict } from '../report/print.ts';
import { parseFaults } from '../flag-values.ts';
import { cachePlace, type ScriptedOptions } from '../../host/index.ts';
import { announceNewRun } from './known-elsewhere.ts';
import {
  requireModels,
  parseRunOptions,
  type RunOptions,
  givenLimits,
  recordedOptions,
  demoOptions,
  requireYes,
  resolveRequest,
  withEnvironment,
  type RunRequest,
  accessRun,
  claimRunLog,
  readGivenPrices,
  refuseDifferences,
  savePrices,
} from '../../run-setup/index.ts';
import { resumeCommand } from './announce.ts';
import { printDecisions, withDecisions } from './decisions.ts';
import { printDryRun } from './dry-run.ts';
import { hasWorker, hostSweep } from './host.ts';
import { readEarlyOptions, type EarlyOptions } from '../options/config-file.ts';
import type { RunFlags } from '../options/flags.ts';
import type { RawRunOptions } from '../../run-setup/options/index.ts';
import { startFastWorkflow, type StartedAgent } from './fastworkflow-python.ts';
import { countEpisodes } from '../../benchmarks/index.ts';

/** Flags that choose tasks. If one is given, the recorded values of the others are ignored. */
const TASK_FLAGS = ['taskIds', 'startIndex', 'endIndex'] as const;

/** Requests of `resume` and `retry` to an existing run. */
interface Resumption {
  /** The only episodes to run; null: all unfinished ones. @default null */
  readonly only?: readonly EpisodeKey[] | null;
  /** True for `tauflow resume`: see {@link RunArguments}. @default false */
  readonly resumes?: boolean;
}

export async function runSweep(flags: RunFlags, context: CliContext, resumption: Resumption = {}): Promise<ExitCode> {
  const early = await readEarlyOptions(flags, context.cwd);
  const recorded = await recordedRun(early, context);
  const { given, fromFile } = await early.readAll(recorded?.config.strategyOptions.agentFile?.path);
  const agent = await startFastWorkflow(given, recorded?.config, context);
  try {
    return await sweep({ flags, given: agent?.options ?? given, fromFile, recorded, agent }, context, resumption);
  } finally {
    await agent?.stop();
  }
}

interface RunArguments {
  readonly flags: RunFlags;
  readonly given: RawRunOptions;
  readonly fromFile: StrategyDefinition | undefined;
  readonly recorded: RunManifest | null;
  /** An agent that the command has started, and that ends with it. */
  readonly agent: StartedAgent | null;
}

async function sweep(
  { flags, given, fromFile, recorded, agent }: RunArguments,
  context: CliContext,
  { only = null, resumes = false }: Resumption,
): Promise<ExitCode> {
  const raw = await withEnvironment({ ...fillIn(given, recorded, fromFile), ...given }, context);
  const options = withDecisions(parseRunOptions(raw, flags.options), given);
  const place = { cwd: context.cwd, home: context.home, env: context.env, now: new Date() };
  const asked = await resolveRequest(options, place, recorded?.config);
  const gates = parseGates(options.failIf, options.failUnder);
  requirePlanned(gates, asked.plan);
  if (recorded !== null) {
    const [before, now] = [recorded.config.pack, asked.config.pack];
    const isEdited = before.path === now.path && before.digest !== now.digest;
    const without = isEdited ? 'put the files of its benchmark back' : 'repeat the command without these flags';
    const wayOut = `, or ${without} to resume it`;
    refuseDifferences(recorded, asked, `the run ${recorded.runId} exists`, wayOut);
  }
  if (options.dryRun) return printDryRun(asked, options, context);
  requireYes(asked, options, recorded?.plan);
  if (recorded !== null && recorded.status !== 'running') {
    const log = await (await accessRun(asked.run, context)).read();
    const report = await reportOfRun(log, packFinder(context));
    if (recorded.status === 'completed' && isComplete(report, asked.plan, options.repeatSuspect)) {
      context.log(`the run ${recorded.runId} is complete; this is its report`);
      return conclude(report, log, gates, options, context);
    }
    refuseSpentBudget(report, asked);
  }
  const scripted = scriptedOptions(asked, options);
  if (hasWorker(options)) {
    requireModels(asked.config, context.env);
    cachePlace(context);
  }

  const isNew = recorded === null && options.runId !== undefined;
  if (isNew) await announceNewRun(asked.run, context);
  for (const warning of asked.warnings) context.log(`warning: ${warning}`);
  if (options.clearCache) await forgetConfiguration(configurationDigest(asked.config), context);
  const claim = await claimRunLog(asked.run, options.runId !== undefined, context);
  const request: RunRequest = { ...asked, run: { ...asked.run, runId: claim.run.runId } };
  if (claim.folder !== null) agent?.keepOutput(join(claim.run.logDir, claim.run.runId, 'agent.log'));
  if (typeof options.prices === 'string') {
    const given = readGivenPrices(options.prices, context.cwd);
    await claim.change(RUN_HEAD, (log) => savePrices(log, given));
  }
  const { maxConcurrency, maxCostUsd, plan } = request;
  const limits: SweepLimits = {
    ...changedLimits(givenLimits(options, given), recorded),
    ...(given.maxConcurrency === undefined ? {} : { maxConcurrency }),
    ...(given.maxCost === undefined ? {} : { maxCostUsd }),
  };
  const numTrials = given.numTrials === undefined ? null : plan.numTrials;
  const end = await hostSweep(
    { request, options, claim, scripted, only, isNew, asked: { limits, numTrials, resumes } },
    context,
  );
  switch (end.kind) {
    case 'detached':
    case 'interrupted': {
      const { runId, logDir } = request.run;
      const resume = resumeCommand(runId, options);
      if (options.json) printJson({ run_id: runId, log_dir: logDir, status: end.kind, resume }, context);
      return end.kind === 'detached' ? ExitCode.Done : ExitCode.Interrupted;
    }
    case 'ended':
      return conclude(end.report, end.log, gates, options, context);
    case 'cancelled':
      await conclude(end.report, end.log, gates, options, context);
      return ExitCode.Interrupted;
  }
}

/** Returns the limits that differ from the recorded ones. */
function changedLimits(limits: ConfigLimits, recorded: RunManifest | null): ConfigLimits {
  const isChanged = ([key, value]: [string, number]): boolean => value !== recorded?.config[key as keyof ConfigLimits];
  return Object.fromEntries(Object.entries(limits).filter(isChanged));
}

async function conclude(
  ended: Report,
  log: RunLog,
  gates: readonly Gate[],
  options: RunOptions,
  context: CliContext,
): Promise<ExitCode> {
  const report = withGates(ended, gates);
  if (options.decisionOnly || options.decisions === 'stdio') await printDecisions(report, log, options, context);
  else printReport(report, log, options, context);
  await reportRetirements(report, (await log.readRun())?.config, context);
  return verdict(report, log, context);
}

/** True if nothing is left to do: every episode is recorded, and none has to be repeated. */
function isComplete(report: Report, plan: SweepPlan, repeatSuspect: number): boolean {
  const { infrastructureErrors, cancelled } = report.unfinished;
  const episodes = allEpisodes(report);
  if (episodes.some((row) => isSuspectRow(row) && (row.repeat ?? 0) < repeatSuspect)) return false;
  const isRecorded = episodes.length === countEpisodes(plan);
  return report.problems.length === 0 && infrastructureErrors + cancelled === 0 && isRecorded;
}

/** Refuses to start a sweep with a spent budget, which would end at once with the same results. */
function refuseSpentBudget(report: Report, { run, maxCostUsd }: RunRequest): void {
  const spentUsd = sumSpending(report).knownUsd;
  if (maxCostUsd === null || spentUsd < maxCostUsd) return;
  throw new UsageError(
    `the run ${run.runId} has cost ${formatUsd(spentUsd)} of its budget of ${formatUsd(maxCostUsd)}, so no episode could be opened; ` +
      'raise the budget with `--max-cost`.',
  );
}

function scriptedOptions(request: RunRequest, options: RunOptions): ScriptedOptions | null {
  const faults = parseFaults(options.scriptedFaults);
  if (!request.isScripted) {
    if (faults === undefined && options.scriptedLatency === undefined) return null;
    throw new UsageError(
      '--scripted-latency and --scripted-faults only apply to the scripted model, which this run does not use.',
    );
  }
  return {
    packs: [request.pack],
    ...(options.scriptedLatency === undefined ? {} : { latencyMs: options.scriptedLatency }),
    ...(faults === undefined ? {} : { faults }),
  };
}

/** Returns the recorded run of `--run-id`, if it exists. */
async function recordedRun(given: EarlyOptions, context: CliContext): Promise<RunManifest | null> {
  if (typeof given.runId !== 'string') return null;
  const logDir = typeof given.logDir === 'string' ? given.logDir : 'results';
  const run = { runId: checkRunId(given.runId), logDir: resolveLogPlace(logDir, context.cwd) };
  const log = await (await accessRun(run, context)).read(RUN_HEAD);
  try {
    return await log.readRun();
  } catch (error) {
    if (!(error instanceof ResultsError) || error.problem !== ResultsProblem.Malformed) throw error;
    throw new UsageError(`${error.message}; delete it and give the run's flags again to go on.`);
  }
}

function fillIn(
  given: RawRunOptions,
  recorded: RunManifest | null,
  fromFile: StrategyDefinition | undefined,
): RawRunOptions {
  if (recorded === null) return demoOptions(given);
  // If the strategy differs, the error should name the strategy, not settings that it lacks.
  const { strategy, strategyOptions } = recorded.config;
  const definition = strategyOptions.agentFile === undefined ? findStrategy(strategy) : fromFile;
  const isSame =
    given.agentStrategy === undefined ||
    given.agentStrategy === strategy ||
    // The agent in a file is not known yet.
    (strategyOptions.agentFile !== undefined &&
      typeof given.agentStrategy === 'string' &&
      isAgentFile(given.agentStrategy));
  const { taskIds, ...rest } = recordedOptions(recorded, isSame ? definition : undefined);
  return TASK_FLAGS.some((flag) => given[flag] !== undefined) ? rest : { ...rest, taskIds };
}
