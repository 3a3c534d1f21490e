/** The body of `tauflow run`: check everything, then server, worker, sweep, progress, report. */

import { findStrategy } from '../../agents/registry.ts';
import { openRun } from '../../results/open-run.ts';
import { resolveLogDir } from '../../results/paths.ts';
import { reportRun } from '../../results/publish-run.ts';
import { checkRunId } from '../../results/run-id.ts';
import { RunLog } from '../../results/run-log.ts';
import { runDifferences, type RunManifest } from '../../results/run-manifest.ts';
import { sweepWorkflowId } from '../../wire/names.ts';
import type { CliContext } from '../context.ts';
import { ExitCode, UsageError } from '../failures.ts';
import { printReport, verdict } from '../print-report.ts';
import { parseFaults } from '../scripted-faults.ts';
import { requireProviders, type ScriptedOptions } from '../services.ts';
import { versions } from '../version.ts';
import { printDryRun } from './dry-run.ts';
import { hostSweep } from './host.ts';
import { SCRIPTED } from './models.ts';
import { parseRunOptions, readConfigFile } from './options.ts';
import type { RawRunOptions, RunOptions } from './options.schema.ts';
import { demoOptions, recordedOptions, resolveRequest, type RunRequest } from './request.ts';

/** Flags that choose tasks: when one is given, the recorded choice does not fill in for the others. */
const TASK_FLAGS = ['taskIds', 'startIndex', 'endIndex'] as const;

export async function runSweep(
  flags: RawRunOptions,
  configFile: string | undefined,
  context: CliContext,
): Promise<ExitCode> {
  const given = { ...(configFile === undefined ? {} : await readConfigFile(configFile)), ...flags };
  const recorded = await recordedRun(given, context);
  const options = parseRunOptions({ ...fillIn(given, recorded), ...given });
  const request = await resolveRequest(options, { cwd: context.cwd, home: context.home, now: new Date() });
  if (recorded !== null) refuseDifferences(recorded, request);
  if (options.dryRun) return printDryRun(request, options, context);
  const { agentModel, userModel } = request.config;
  if (options.worker) requireProviders(context, [agentModel.provider, userModel.provider]);
  const scripted = scriptedOptions(request, options);

  const log = new RunLog(request.run);
  await log.prepare();
  const label = findStrategy(request.config.strategy)?.label ?? request.config.strategy;
  const workflowId = sweepWorkflowId(request.run.runId);
  await openRun(log, { ...request, workflowId }, { label, versions: versions(), temporal: null, notes: request.notes });

  const end = await hostSweep({ request, options, log, scripted, resume: resumeCommand(request, options) }, context);
  switch (end) {
    case 'detached':
      return ExitCode.Done;
    case 'interrupted':
      return ExitCode.Interrupted;
    case 'ended':
    case 'cancelled': {
      const report = await reportRun(log);
      printReport(report, log, options.json, context);
      return verdict(report, options.failUnder);
    }
  }
}

function scriptedOptions(request: RunRequest, options: RunOptions): ScriptedOptions | null {
  const { agentModel, userModel } = request.config;
  const faults = parseFaults(options.scriptedFaults);
  if (agentModel.provider !== SCRIPTED && userModel.provider !== SCRIPTED) {
    if (faults === undefined && options.scriptedLatency === undefined) return null;
    throw new UsageError(
      '--scripted-latency and --scripted-faults are for the scripted model, which this run has not.',
    );
  }
  return {
    packs: [request.pack],
    ...(options.scriptedLatency === undefined ? {} : { latencyMs: options.scriptedLatency }),
    ...(faults === undefined ? {} : { faults }),
  };
}

/** The run that `--run-id` names, where there is one. */
async function recordedRun(given: RawRunOptions, { cwd }: CliContext): Promise<RunManifest | null> {
  if (typeof given.runId !== 'string') return null;
  const logDir = typeof given.logDir === 'string' ? given.logDir : 'results';
  return new RunLog({ runId: checkRunId(given.runId), logDir: resolveLogDir(logDir, cwd) }).readRun();
}

function fillIn(given: RawRunOptions, recorded: RunManifest | null): RawRunOptions {
  if (recorded === null) return demoOptions(given);
  const { taskIds, ...rest } = recordedOptions(recorded);
  return TASK_FLAGS.some((flag) => given[flag] !== undefined) ? rest : { ...rest, taskIds };
}

/** The same run id with another configuration would mix two experiments in one log. */
function refuseDifferences(recorded: RunManifest, request: RunRequest): void {
  const differences = runDifferences(recorded, request);
  if (differences.length === 0) return;
  throw new UsageError(
    `the run ${recorded.runId} exists with another configuration (${differences.join('; ')}); ` +
      'choose another --run-id, or repeat the command without these flags to resume it.',
  );
}

/** The recorded run knows its configuration, so little has to be said again. */
function resumeCommand({ run }: RunRequest, options: RunOptions): string {
  const words = ['npx', 'tauflow', 'run', '--run-id', run.runId];
  if (options.logDir !== 'results') words.push('--log-dir', options.logDir);
  if (options.taskQueue !== 'tauflow') words.push('--task-queue', options.taskQueue);
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}
