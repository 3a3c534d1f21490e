/** `tauflow errors RUN|FILE`: a judge labels the failed episodes, in a workflow that this command starts and follows. */

import { Option, type Command } from 'commander';
import type { CliContext } from '../context.ts';
import { splitHelp } from '../help.ts';
import { addFlags, givenFlags } from '../options/flags.ts';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowFailedError, type Client } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import { findPackByRef } from '../../benchmarks/packs/index.ts';
import {
  createFailureReader,
  currentVerdicts,
  errorsDocument,
  shownVerdictPlace,
  verdictPlace,
  writeErrors,
  type Failures,
  type OpenJudgment,
} from '../../results/judge/index.ts';
import { judgedPart } from '../../run-log/store/index.ts';
import {
  fetchErrorsProgress,
  findPaces,
  judgeText,
  judgeUnderWay,
  readQueues,
  reclaimFromDeadWorkers,
  shortPace,
  silenceReason,
  startErrors,
  workUnderWay,
  type ErrorsHandle,
  type TemporalConnection,
} from '../../temporal/client/index.ts';
import { workflowUrl, type JudgeProgress, type JudgedSource, type TaskQueues } from '../../evaluation/index.ts';
import { queuesOfRun, startRunWorkers, withHost, type ScriptedOptions, type WorkerHost } from '../../host/index.ts';
import { ExitCode, UnreachableError, UsageError } from '../../errors/index.ts';
import { awaitEnd } from '../await-end.ts';
import { registerAttributes } from '../find-run.ts';
import { accessRun, withToken } from '../../run-setup/index.ts';
import type { RawRunOptions } from '../../run-setup/options/index.ts';
import { hasWorker } from '../run/host.ts';
import { parseFaults } from '../flag-values.ts';
import { resolveErrors, withBaseUrl, type ErrorsRequest } from './request.ts';
import { showErrors, showLeft } from './show.ts';

export function defineErrorsCommand(errors: Command, context: CliContext): void {
  errors
    .argument('[run|file]', 'a run id, or the path of a results file')
    .addOption(new Option('--results-path <file>', 'the same, by the name that tau-bench has for it').hideHelp())
    .option('--output-path <file>', "where the document goes (default: the run's errors.json, or beside the file)")
    .option('-n, --max-num-failed-results <n>', 'judge the first so many failed episodes only');
  addFlags(errors, 'errors', ['model', 'modelProvider']);
  errors
    .addOption(new Option('--platform <name>', 'the same, by the name that tau-bench has for it').hideHelp())
    .option('--base-url <url>', "the provider's address, for this command alone");
  addFlags(errors, 'errors', [
    'temperature',
    'agentModelSettings',
    'maxCompletionTokens',
    'maxConcurrency',
    'maxRetries',
    'callTimeout',
    'outageTimeout',
    'maxCost',
    'prices',
    'env',
    'taskSplit',
    'pack',
    'logDir',
    'detach',
    'worker',
    'taskQueue',
    'maxLlmCallsPerSecond',
    'json',
    'scriptedLatency',
    'scriptedFaults',
  ]);
  splitHelp(errors);
  errors.action(async (subject: string | undefined) => {
    context.end(await judgeErrors(subject, givenFlags(errors), context));
  });
}

const PROGRESS_MS = 2_000;
const ANSWER_MS = 5_000;

async function judgeErrors(
  subject: string | undefined,
  flags: RawRunOptions,
  surroundings: CliContext,
): Promise<ExitCode> {
  const request = await resolveErrors(subject, flags, surroundings);
  const context = withBaseUrl(surroundings, request, flags);
  const { home } = context;
  const warn = (sentence: string) => context.log(`warning: ${sentence}`);
  request.warnings.forEach(warn);
  const readFailures = createFailureReader({ findPack: (ref) => findPackByRef(ref, { home }), warn });
  if ((await countFailed(await readFailures(await readJudged(request, context)))) > 0) {
    if (request.scripted !== null) {
      context.log(
        'the judge is the scripted model, which takes its labels from the ground truth; --model and --model-provider name a real one',
      );
    }
    const end = await host(request, context);
    if (end !== 'ended') return end;
  }
  const judged = await readJudged(request, context);
  const { failed, verdicts } = await currentVerdicts(verdictPlace(judged), await readFailures(judged));
  const document = errorsDocument(verdicts);
  // Without failed episodes no workflow was started, so this process writes the document.
  if (failed === 0) await writeDocument(document, request, context);
  const place = shownVerdictPlace(judged);
  if (request.copy !== null) await writeErrors({ ...place, document: request.copy }, document);
  return showErrors({ request, failed, verdicts, place }, context);
}

/** Reads the current state of the judged source. */
async function readJudged({ source }: ErrorsRequest, context: CliContext): Promise<OpenJudgment> {
  if (source.kind === 'file') return source;
  return { kind: 'run', log: await (await accessRun(source.run, context)).read(judgedPart(null)) };
}

async function writeDocument(document: object, { source }: ErrorsRequest, context: CliContext): Promise<void> {
  if (source.kind === 'file') return writeErrors(verdictPlace(source), document);
  const access = await accessRun(source.run, context);
  return access.change(judgedPart(null), (log) => writeErrors(verdictPlace({ kind: 'run', log }), document));
}

async function countFailed(failures: Failures): Promise<number> {
  let count = 0;
  for (let position = 0; position < failures.length; position++) {
    if ((await failures.at(position)) !== null) count += 1;
  }
  return count;
}

async function host(request: ErrorsRequest, context: CliContext): Promise<ExitCode | 'ended'> {
  const { options, judge } = request;
  const { model } = judge;
  const work = {
    taskQueue: options.taskQueue,
    rateLimits: options.maxLlmCallsPerSecond,
    maxConcurrency: options.maxConcurrency ?? 1,
    config: { agentModel: model, userModel: model },
    queues: findJudgeQueues(request, context),
    logDirs: listJudgedFolders(request.source),
    scripted: servedModel(request),
  };
  const { maxConcurrency } = work;
  const workers = hasWorker(options)
    ? ({ logLevel: 'ERROR', providers: [model.provider], maxConcurrency } as const)
    : null;
  return withHost(context, { workers }, async (host) => {
    const { temporal } = host;
    const isUnderWay = (await judgeUnderWay(temporal.client, request.workflowId)) !== null;
    const attached = isUnderWay ? await readQueues(temporal.client, request.workflowId) : null;
    const workerHost = workers === null ? null : await startRunWorkers(host, work, attached);
    return followErrors(request, await startOnServer(request, temporal, context), temporal, workerHost, context);
  });
}

function findJudgeQueues({ judge, options, scripted }: ErrorsRequest, { env }: CliContext): TaskQueues {
  const needs = { providers: [judge.model.provider], pack: scripted?.[0] ?? null, agentDigest: undefined };
  return queuesOfRun(options.taskQueue, needs, env).queues;
}

/** Returns the folder of the judged run, or the folders of the judged file and of its verdicts. */
function listJudgedFolders(source: JudgedSource): string[] {
  if (source.kind === 'run') return [source.run.logDir];
  return [...new Set([dirname(source.file), dirname(source.document)])];
}

/** Returns the scripted model that this process serves; null unless the judge uses it. */
function servedModel({ scripted, options }: ErrorsRequest): ScriptedOptions | null {
  if (scripted === null) return null;
  const { scriptedLatency: latencyMs } = options;
  const faults = parseFaults(options.scriptedFaults);
  return {
    packs: scripted,
    ...(latencyMs === undefined ? {} : { latencyMs }),
    ...(faults === undefined ? {} : { faults }),
  };
}

async function startOnServer(
  request: ErrorsRequest,
  temporal: TemporalConnection,
  context: CliContext,
): Promise<ErrorsHandle> {
  const { client, origin } = temporal;
  const { source, judge, options, maxFailures, workflowId, subject } = request;
  const indexed = await registerAttributes(temporal, {}, context);
  const other = await judgeUnderWay(client, workflowId);
  if (other !== null && other !== judgeText(judge)) {
    throw new UsageError(
      `${other} judges ${subject} at the moment; wait for its end, or end it with \`temporal workflow cancel -w ${workflowId}\`.`,
    );
  }
  if (other !== null) {
    context.log('attached to the judge that is under way');
    const count = origin === 'local' ? await reclaimFromDeadWorkers(client, workflowId) : 0;
    if (count > 0) context.log(`reassigned ${count} calls from workers that have died`);
    const waiting = await workUnderWay(client, workflowId);
    if (waiting !== null) context.log(`waiting: ${waiting}`);
  }
  return startErrors(client, workflowId, subject, {
    source: source.kind === 'run' ? { ...source, run: await withToken(source.run, context) } : source,
    judge,
    maxConcurrency: options.maxConcurrency ?? 1,
    maxFailures,
    maxCostUsd: options.maxCost ?? null,
    queues: findJudgeQueues(request, context),
    indexed,
  });
}

async function followErrors(
  request: ErrorsRequest,
  handle: ErrorsHandle,
  temporal: TemporalConnection,
  workers: WorkerHost | null,
  context: CliContext,
): Promise<ExitCode | 'ended'> {
  const { uiUrl, namespace } = temporal;
  context.log(`judge    ${judgeText(request.judge)} on the failed episodes of ${request.subject}`);
  if (uiUrl !== null) context.log(`UI       ${workflowUrl(uiUrl, namespace, handle.workflowId)}`);
  if (request.options.detach) return showLeft(request, 'detached', ExitCode.Done, context);
  const end = await awaitEnd(
    awaitJudge(handle, request),
    {
      temporal,
      workflowId: handle.workflowId,
      workers,
      watch: (stop) => watch(temporal, findJudgeQueues(request, context).main, handle, stop, context),
    },
    context,
  );
  return end === 'ended' ? end : showLeft(request, 'interrupted', ExitCode.Interrupted, context);
}

/** @throws UnreachableError if the judge has ended early */
async function awaitJudge(handle: ErrorsHandle, { subject }: ErrorsRequest): Promise<'ended'> {
  try {
    await handle.result();
    return 'ended';
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    const reason =
      error.cause instanceof CancelledFailure ? 'it was cancelled' : (error.cause?.message ?? error.message);
    throw new UnreachableError(
      `the judge of ${subject} has ended early: ${reason.replace(/\.$/, '')}; the same command goes on where it was.`,
    );
  }
}

/** Prints a line whenever the progress changes. */
async function watch(
  temporal: TemporalConnection,
  taskQueue: string,
  handle: ErrorsHandle,
  stop: AbortSignal,
  context: CliContext,
): Promise<void> {
  const { client } = temporal;
  for (let printed = ''; !stop.aborted;) {
    await delay(PROGRESS_MS, undefined, { signal: stop }).catch(() => undefined);
    const progress = stop.aborted ? null : await fetchErrorsProgress(client, handle, ANSWER_MS);
    if (stop.aborted) return;
    const line =
      progress === null
        ? `waiting: ${await silenceReason(temporal, taskQueue)}`
        : await progressLine(progress, client, handle);
    if (line !== printed) context.log(line);
    printed = line;
  }
}

async function progressLine(
  { seen, kept, open, held }: JudgeProgress,
  client: Client,
  { workflowId }: ErrorsHandle,
): Promise<string> {
  const paces = await findPaces(client, [workflowId]).catch(() => []);
  const before = kept === 0 ? '' : ` (${kept} from before)`;
  const waiting = held === undefined ? [] : [`${held.calls} waiting for the provider: ${held.reason}`];
  return [`verdicts ${seen}${before}`, `${open} episodes under way`, ...waiting, ...paces.map(shortPace)].join(', ');
}
