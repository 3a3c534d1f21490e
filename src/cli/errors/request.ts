/** The request to the judge, from the flags of `tauflow errors`. It checks all input. */

import { detectForm, type ResultsFileEntry } from '../../benchmarks/results.ts';
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { sha256 } from '../../io/index.ts';
import { defaultTokenCap, providerRow } from '../../models/providers.ts';
import { PackError, findPackByRef, type Pack } from '../../benchmarks/packs/index.ts';
import type { RunLog } from '../../run-log/index.ts';
import { readResultsFile, resultsName } from '../../results/files/index.ts';
import { toErrorsFile } from '../../results/judge/index.ts';
import { DEFAULTS } from '../../benchmarks/index.ts';
import { errorsWorkflowId, type JudgeSettings, type JudgedSource, type ModelSettings } from '../../evaluation/index.ts';
import type { CliContext } from '../context.ts';
import { UsageError } from '../../errors/index.ts';
import { findReadable, openLog } from '../run-log.ts';
import { findRegradedTasks as findTasks } from '../regrade/subject.ts';
import { SCRIPTED } from '../../models/providers.ts';
import {
  askedTemperature,
  chooseAgent,
  temperatureWarnings,
  parseRunOptions,
  type RunOptions,
  choosePrices,
} from '../../run-setup/index.ts';
import type { RawRunOptions } from '../../run-setup/options/index.ts';

export interface ErrorsRequest {
  readonly source: JudgedSource;
  /** Absolute path for a copy of the run's document; null: no copy. */
  readonly copy: string | null;
  /** Name of the judged run or file, for messages. */
  readonly subject: string;
  readonly workflowId: string;
  readonly judge: JudgeSettings;
  readonly maxFailures: number | null;
  readonly options: RunOptions;
  /** The pack that a scripted judge uses; null if the judge is not scripted. */
  readonly scripted: readonly Pack[] | null;
  readonly warnings: readonly string[];
}

/** @throws UsageError, ResultsError, PackError with one sentence each */
export async function resolveErrors(
  named: string | undefined,
  flags: RawRunOptions,
  context: CliContext,
): Promise<ErrorsRequest> {
  const { own, given } = splitFlags(flags);
  const { resultsPath, outputPath, maxNumFailedResults, platform } = own;
  const subject = named ?? (typeof resultsPath === 'string' ? resultsPath : undefined);
  if (subject === undefined) throw new UsageError('name a run, or a results file, whose failed episodes to judge.');
  const options = parseRunOptions({ ...given, modelProvider: given.modelProvider ?? platform });
  const output = typeof outputPath === 'string' ? resolveOutputPath(outputPath, context) : null;
  const place = await findJudgedSubject(subject, given, options, output, context);
  const model = judgeModel(options, place.agentModel);
  const { maxCompletionTokens: asked } = options;
  const cap = asked === undefined ? defaultTokenCap(model.provider, model.model, 'judge') : asked;
  const price = choosePrices(options.prices, [model], context.cwd).prices?.[0];
  return {
    ...place,
    judge: {
      model,
      ...(cap === null ? {} : { maxCompletionTokens: cap }),
      maxRetries: options.maxRetries,
      callTimeoutMs: options.callTimeout,
      outageTimeoutMs: options.outageTimeout,
      ...(price === undefined ? {} : { price }),
    },
    maxFailures: parseMaxFailures(maxNumFailedResults),
    options,
    scripted: model.provider === SCRIPTED ? scriptedPacks(place.pack) : null,
    warnings: [...place.warnings, ...temperatureWarnings([model], askedTemperature(options, {}))],
  };
}

const OWN: ReadonlySet<string> = new Set(['resultsPath', 'outputPath', 'maxNumFailedResults', 'platform', 'baseUrl']);

/** Separates the flags that only `errors` has from the flags that `run` has too. */
function splitFlags(flags: RawRunOptions): Readonly<Record<'own' | 'given', RawRunOptions>> {
  const only = (isOwn: boolean) =>
    Object.fromEntries(Object.entries(flags).filter(([name]) => OWN.has(name) === isOwn));
  return { own: only(true), given: only(false) };
}

/** Returns the environment with the address of `--base-url`, for the judge's provider. */
export function withBaseUrl(context: CliContext, { judge }: ErrorsRequest, { baseUrl }: RawRunOptions): CliContext {
  if (typeof baseUrl !== 'string') return context;
  const { baseUrlVariable } = providerRow(judge.model.provider);
  return { ...context, env: { ...context.env, [baseUrlVariable]: baseUrl } };
}

interface JudgedSubject extends Pick<ErrorsRequest, 'source' | 'subject' | 'workflowId' | 'copy' | 'warnings'> {
  /** Model of the run's agent; null if unknown. */
  readonly agentModel: ModelSettings | null;
  readonly pack: Pack | null;
}

async function findJudgedSubject(
  subject: string,
  given: RawRunOptions,
  options: RunOptions,
  output: string | null,
  context: CliContext,
): Promise<JudgedSubject> {
  const found = await findReadable(subject, options.logDir, context);
  const log = found.kind === 'run' ? found.log : findOwnLog(found.path, context);
  if (log !== null) return placeOfRun(log, output, context);
  return placeOfFile(found.kind === 'file' ? found.path : subject, given, output, context);
}

/** Returns the log of the run that wrote the file, which contains more; null for any other file. */
function findOwnLog(file: string, { cwd }: CliContext): RunLog | null {
  const folder = file.replace(/\.json$/, '');
  return existsSync(join(folder, 'run.json')) ? openLog(basename(folder), dirname(folder), cwd) : null;
}

async function placeOfRun(log: RunLog, copy: string | null, { home }: CliContext): Promise<JudgedSubject> {
  const { runId, logDir } = log;
  const manifest = await log.readRun();
  const ref = manifest?.config.pack ?? null;
  return {
    source: { kind: 'run', run: { runId, logDir } },
    subject: runId,
    workflowId: errorsWorkflowId(runId),
    copy,
    warnings: [],
    agentModel: manifest?.config.agentModel ?? null,
    pack: ref === null ? null : ((await findPackByRef(ref, { home })) ?? null),
  };
}

async function placeOfFile(
  file: string,
  { env, pack, taskSplit }: RawRunOptions,
  output: string | null,
  context: CliContext,
): Promise<JudgedSubject> {
  const entries = await readResultsFile(file);
  const words = { env, pack, taskSplit };
  const asked = Object.fromEntries(Object.entries(words).filter(([, word]) => typeof word === 'string'));
  const document = output ?? toErrorsFile(file);
  const name = resultsName(file);
  const tasks = await findJudgedTasks(file, entries, asked, context);
  return {
    source: {
      kind: 'file',
      file,
      document,
      tasks: tasks.pack === null ? null : { pack: tasks.pack.ref, split: tasks.split },
    },
    subject: name,
    // Files of one name may lie in several folders, and one may be judged into several documents.
    workflowId: errorsWorkflowId(`${name.slice(0, 120)}-${sha256([file, '\n', document]).slice(0, 8)}`),
    copy: null,
    warnings: tasks.problem === null ? [] : [tasks.problem],
    agentModel: null,
    pack: tasks.pack,
  };
}

/** @throws UsageError, PackError if neither the file nor a pack has its tasks */
async function findJudgedTasks(
  file: string,
  entries: readonly ResultsFileEntry[],
  flags: Parameters<typeof findTasks>[3],
  context: CliContext,
): Promise<{ pack: Pack | null; split: string; problem: string | null }> {
  try {
    return { ...(await findTasks(file, entries, detectForm(entries), flags, context)), problem: null };
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof PackError)) throw error;
    if (Object.keys(flags).length > 0 || entries.some(({ info }) => info?.task?.instruction === undefined)) throw error;
    const problem = `${error.message} Without that data, nothing is compared with the analysis of actions and data.`;
    return { pack: null, split: DEFAULTS.taskSplit, problem };
  }
}

/** @throws UsageError if no model is named, unless the run's agent was scripted */
function judgeModel(options: RunOptions, agent: ModelSettings | null): ModelSettings {
  const { model, modelProvider } = options;
  if (model !== undefined) return chooseAgent(options);
  const isScripted = agent?.provider === SCRIPTED && (modelProvider === undefined || modelProvider === SCRIPTED);
  // The scripted judge knows the mistakes that the scripted agent of that name makes.
  if (isScripted) return { ...agent, temperature: askedTemperature(options, {}) };
  throw new UsageError(
    'name the model that is to judge with --model and --model-provider, such as gpt-6-luna and openai.',
  );
}

function scriptedPacks(pack: Pack | null): readonly Pack[] {
  if (pack !== null) return [pack];
  throw new UsageError('the pack of these episodes is not here, and the scripted model plays from it; import it.');
}

function resolveOutputPath(given: string, { cwd }: CliContext): string {
  const path = resolve(cwd, given);
  if (path.endsWith('.json')) return path;
  throw new UsageError(`--output-path ${given} must end in .json; the verdicts go into a folder of that name.`);
}

function parseMaxFailures(given: unknown): number | null {
  if (given === undefined) return null;
  if (typeof given === 'string' && /^[1-9]\d*$/.test(given)) return Number(given);
  throw new UsageError('--max-num-failed-results must be a whole number of at least 1.');
}
