/** The request for a fork, from its flags and its origin's record. It checks all input before the start. */

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { findStrategy } from '../../agents/index.ts';
import { RESPOND, getBenchmark } from '../../benchmarks/index.ts';
import { decodeText } from '../../io/index.ts';
import { findPackByRef, type Pack } from '../../benchmarks/packs/index.ts';
import { type EpisodeRecord, type RunLog, type RunManifest, runDifferences } from '../../run-log/index.ts';
import { forkedPart } from '../../run-log/store/index.ts';
import { forkName, parseForkableName, type EpisodeKey, type EvaluationConfig } from '../../evaluation/index.ts';
import type { CliContext } from '../context.ts';
import { UsageError, describeUnreadable } from '../../errors/index.ts';
import { readLog } from '../run-log.ts';
import type { RunFlags } from '../options/flags.ts';
import { parseRunOptions, type RunOptions, readSavedPrices, chooseStrategy } from '../../run-setup/index.ts';
import { forkConfig, originConfig, unpricedModels } from './config.ts';
import { HUMAN, OUTSIDE } from '../../agents/users/index.ts';

/** User strategies whose simulators can continue after a correction (`UserSimulator.correct`). */
const CORRECTABLE: ReadonlySet<string> = new Set(['llm']);

export interface AskedFork {
  /** The run's log; for a store, a copy of its state at the request. */
  readonly log: RunLog;
  readonly episode: EpisodeKey;
  /** Name of the origin: `task-17.trial-0`, or a fork's name. */
  readonly origin: string;
  readonly record: EpisodeRecord;
  readonly config: EvaluationConfig;
  readonly pack: Pack;
  readonly options: RunOptions;
  readonly atStep: number;
  readonly observation: string | undefined;
  readonly changes: readonly string[];
  /** Warnings before the start, one sentence each. */
  readonly warnings: readonly string[];
}

/** @throws UsageError, ResultsError with one sentence each */
export async function resolveFork(
  runId: string,
  name: string,
  flags: RunFlags,
  context: CliContext,
): Promise<AskedFork> {
  const { atStep: step, observation: text, observationFile, ...shared } = flags.options;
  const early = parseRunOptions(shared);
  const log = await readLog(runId, early.logDir, context, forkedPart(parseForkableName(name)?.episode ?? null));
  const { record, manifest, episode, origin } = await readOrigin(log, name);
  const before = originConfig(record, manifest);
  const asBefore = before.strategyOptions.agentFile?.path ?? before.strategy;
  const word = shared.agentStrategy === undefined ? asBefore : early.agentStrategy;
  const chosen = await chooseStrategy(word, context.cwd);
  const own = flags.readOwn?.(chosen.agentFile === undefined ? undefined : chosen.strategy) ?? {};
  const given = { ...shared, ...own };
  const options = parseRunOptions(given);
  const config = forkConfig(before, options, given, chosen, readSavedPrices(log), context.cwd);
  const observation = await readObservation(text, observationFile, context);
  const atStep = parseStep(step, record);
  requireStep(atStep, record, config, observation);
  if (observation !== undefined) requireCorrectable(atStep, record, observation);
  requireTakeOver(config, before);
  return {
    log,
    episode,
    origin,
    record,
    config,
    pack: await findPack(config, context),
    options,
    atStep,
    observation,
    changes: listChanges(before, config, atStep, observation),
    warnings: unpricedModels(before, config).map(
      (model) =>
        `the prices that ${runId} was given have none of ${model}: its calls are counted by the price list; ` +
        'name a file that has it with --prices',
    ),
  };
}

async function readOrigin(
  log: RunLog,
  name: string,
): Promise<{ record: EpisodeRecord; manifest: RunManifest; episode: EpisodeKey; origin: string }> {
  const named = parseForkableName(name);
  if (named === null) {
    throw new UsageError(
      `"${name}" is not an episode; one is written task-17.trial-0, as its record in the run log is.`,
    );
  }
  const { episode, fork } = named;
  const manifest = await log.readRun();
  const record = await (fork === undefined ? log.readEpisode(episode) : log.readFork(episode, fork));
  if (record === null || manifest === null) {
    const folder = fork === undefined ? log.shown.episodes : log.shown.forks;
    throw new UsageError(
      `the run ${log.runId} has no ${manifest === null ? 'run.json' : `record of ${name} in ${folder}`}; ` +
        'an episode can be forked when it has ended.',
    );
  }
  return { record, manifest, episode, origin: fork === undefined ? name : forkName(episode, fork) };
}

function parseStep(given: unknown, { steps }: EpisodeRecord): number {
  if (typeof given === 'string' && /^[1-9]\d*$/.test(given)) return Number(given);
  const problem = given === undefined ? 'name the first step to take anew with --at-step' : '--at-step counts from 1';
  throw new UsageError(`${problem}; the episode has ${steps.length} steps.`);
}

/**
 * Throws a UsageError unless the episode can be forked at this step. A fork after the last step is possible if the
 * episode did not end with that step.
 */
function requireStep(
  atStep: number,
  { steps, outcome, config }: EpisodeRecord,
  { maxSteps }: EvaluationConfig,
  observation: string | undefined,
): void {
  if (config.userStrategy === HUMAN) {
    throw new UsageError('the user was a person, whose messages cannot be repeated.');
  }
  if (config.userStrategy === OUTSIDE) {
    throw new UsageError('an outside harness took the steps (--decisions stdio), and its environment is not here.');
  }
  if (outcome.kind === 'decision_only') {
    throw new UsageError('the agent was only to decide (--decision-only): there is no step to begin at.');
  }
  const isOver = outcome.kind === 'transferred' || (outcome.kind === 'user_stop' && observation === undefined);
  const last = steps.length + (isOver ? 0 : 1);
  if (atStep > last) {
    const why = isOver && atStep === last + 1 ? `, and ended with the last of them (${outcome.kind})` : '';
    throw new UsageError(`the episode has ${steps.length} steps${why}; --at-step can be 1 to ${last}.`);
  }
  if (atStep > maxSteps) {
    throw new UsageError(`with ${maxSteps} steps none is left to take at step ${atStep}; raise --max-steps.`);
  }
}

/**
 * @throws UsageError for a user's message that ends the conversation, or that the simulated user cannot continue from
 */
function requireCorrectable(atStep: number, { actions, config }: EpisodeRecord, observation: string): void {
  const last = actions[atStep - 2];
  if (last !== undefined && last.name !== RESPOND) return;
  const stop = getBenchmark(config.env).stopMarkers.find((marker) => observation.includes(marker));
  if (stop !== undefined) {
    throw new UsageError(`--observation contains ${stop}, which ends the conversation before step ${atStep}.`);
  }
  if (CORRECTABLE.has(config.userStrategy)) return;
  throw new UsageError(
    `the message of the user cannot be corrected with the user strategy ${config.userStrategy}; ` +
      'begin at a step that follows a tool.',
  );
}

function requireTakeOver(config: EvaluationConfig, before: EvaluationConfig): void {
  if (
    config.strategy === before.strategy ||
    findStrategy(config.strategy, config.strategyOptions.agentFile)?.takeOver !== undefined
  )
    return;
  throw new UsageError(
    `the agent strategy ${config.strategy} cannot take over a conversation that another one has begun; ` +
      `leave out --agent-strategy to continue with ${before.strategy}.`,
  );
}

async function readObservation(text: unknown, file: unknown, { cwd }: CliContext): Promise<string | undefined> {
  if (text !== undefined && file !== undefined) {
    throw new UsageError('give --observation or --observation-file, not both.');
  }
  if (typeof file !== 'string') return typeof text === 'string' ? text : undefined;
  try {
    // Editors end the last line of a file with a line feed.
    return decodeText(await readFile(resolve(cwd, file))).replace(/\r?\n$/, '');
  } catch (error) {
    throw new UsageError(`the file ${file} ${describeUnreadable(error)}; check --observation-file.`);
  }
}

async function findPack({ pack: ref }: EvaluationConfig, { home }: CliContext): Promise<Pack> {
  const pack = await findPackByRef(ref, { home });
  if (pack !== undefined) return pack;
  throw new UsageError(
    `the pack ${ref.name} of this run (digest ${ref.digest.slice(0, 12)}) is not here any more; ` +
      `put it back to ${ref.path}, or import it again.`,
  );
}

/** Describes each difference from the origin: `agent_model.model: gpt-4o, now gpt-5`. */
function listChanges(
  before: EvaluationConfig,
  config: EvaluationConfig,
  atStep: number,
  observation: string | undefined,
): string[] {
  const plan = { taskIds: [], numTrials: 1, shuffle: false };
  const changes = runDifferences({ config: before, plan }, { config, plan });
  if (observation === undefined) return changes;
  const what = atStep === 1 ? "the user's first message" : `the observation of step ${atStep - 1}`;
  return [...changes, `${what}: ${JSON.stringify(observation)}`];
}
