/** Options of a strategy in the configuration of a run. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  fewShotOptions,
  knownStrategies,
  optionFlag,
  optionName,
  parseOption,
  strategies,
  withOptionValues,
  type AgentFile,
  type StrategyDefinition,
  type StrategyOption,
  type StrategyOptions,
} from '../agents/index.ts';
import { UsageError, describeUnreadable } from '../errors/index.ts';
import { isServiceDomain } from '../benchmarks/index.ts';
import type { Pack } from '../benchmarks/packs/index.ts';
import { DISPLAYS_PER_PROMPT, displaysFor } from '../models/prompts/index.ts';
import { AGENT_SERVICE } from '../evaluation/index.ts';
import type { RunOptions } from './parse.ts';

/**
 * Returns the strategy's options without defaults, so that naming a default does not change the configuration.
 * @param cwd base of relative paths
 * @throws UsageError for an option that the strategy does not have
 */
export function chooseStrategyOptions(options: RunOptions, strategy: StrategyDefinition, cwd: string): StrategyOptions {
  const { omitPolicy, useReasoning, decisionOnly } = options;
  if (decisionOnly) requireDecisions(options, strategy);
  const { [REQUEST_TIMEOUT]: _, ...others } = options.own;
  const isEnvironments = isServiceDomain(options.env) && strategy.name !== AGENT_SERVICE;
  return {
    omitPolicy,
    useReasoning,
    ...(decisionOnly ? { decisionOnly } : {}),
    ...withOptionValues(strategy.options ?? [], chooseOwnValues(isEnvironments ? others : options.own, strategy, cwd)),
  };
}

const REQUEST_TIMEOUT = 'requestTimeout';

/**
 * Chooses the time limit of requests to the environment, in seconds, from the flag that agent services also use.
 * @returns undefined for the default, and if the environment is not a service
 * @throws UsageError
 */
export function chooseRequestTimeout({ env, own }: RunOptions): number | undefined {
  const option = optionNamed(REQUEST_TIMEOUT);
  if (option === undefined || own[REQUEST_TIMEOUT] === undefined || !isServiceDomain(env)) return undefined;
  const { value, problem } = parseOption(option, own[REQUEST_TIMEOUT]);
  if (problem !== undefined) throw new UsageError(`--${optionFlag(option)} ${problem}.`);
  return typeof value === 'number' ? value : undefined;
}

/**
 * Parses the options that the strategy describes.
 * @returns values by key, undefined for values equal to the default
 * @throws UsageError
 */
export function chooseOwnValues(
  given: RunOptions['own'],
  strategy: StrategyDefinition,
  cwd: string,
): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [name, raw] of Object.entries(given)) {
    const own = strategy.options?.find((option) => optionName(option) === name);
    const option = own ?? optionNamed(name);
    if (option === undefined) continue;
    const { value, problem } = parseOption(option, raw);
    const flag = `--${optionFlag(option)}`;
    if (own === undefined && option.ignoredElsewhere === true) continue;
    if (problem !== undefined) throw new UsageError(`${flag} ${problem}.`);
    if (own !== undefined) values.set(own.key, toAgentFile(own, value, cwd));
    else if (value !== undefined) throw noSuchOption(flag, name, strategy);
  }
  return values;
}

function optionNamed(name: string): StrategyOption | undefined {
  return knownStrategies()
    .flatMap(({ options = [] }) => options)
    .find((option) => optionName(option) === name);
}

/** Returns the value itself, or the file at its path. @throws UsageError for an unreadable file */
function toAgentFile(option: StrategyOption, value: unknown, cwd: string): unknown {
  if (option.value.kind !== 'file' || typeof value !== 'string') return value;
  const path = resolve(cwd, value);
  try {
    const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
    return { path, digest } satisfies AgentFile;
  } catch (error) {
    throw new UsageError(`the file ${path} ${describeUnreadable(error)}; check --${optionFlag(option)}.`);
  }
}

function noSuchOption(flag: string, name: string, strategy: StrategyDefinition): UsageError {
  const able = strategyNames(({ options = [] }) => options.some((option) => optionName(option) === name));
  return new UsageError(`${flag} is for ${able}; the agent strategy ${strategy.name} has no such option.`);
}

function requireDecisions(options: RunOptions, { name, decisionOnly }: StrategyDefinition): void {
  if (decisionOnly !== true) {
    const able = strategyNames((strategy) => strategy.decisionOnly === true);
    throw new UsageError(`--decision-only is for ${able}; the agent strategy ${name} learns what to do by acting.`);
  }
  refuseGates(options, '--decision-only');
}

/** @throws UsageError for gates on a run without scores */
export function refuseGates({ failUnder, failIf }: RunOptions, mode: string): void {
  if (failUnder === undefined && failIf.length === 0) return;
  const flag = failUnder === undefined ? '--fail-if' : '--fail-under';
  throw new UsageError(`${flag} needs a score, and ${mode} gives none; leave one of them out.`);
}

function strategyNames(isMeant: (strategy: StrategyDefinition) => boolean): string {
  return Object.values(strategies)
    .filter(isMeant)
    .map(({ name }) => name)
    .join(', ');
}

/**
 * Checks that each task has enough displays, if the strategy shows any.
 * @throws UsageError; PackError for a file without displays
 */
export function requireDisplays(
  options: StrategyOptions,
  {
    pack,
    taskSplit,
    taskIds,
  }: { readonly pack: Pack; readonly taskSplit: string; readonly taskIds: readonly number[] },
): void {
  const fewShots = fewShotOptions(options);
  if (fewShots === undefined) return;
  for (const taskId of taskIds) {
    const task = pack.splits[taskSplit]?.[taskId];
    const left = task === undefined ? 0 : displaysFor(pack, task, fewShots).length;
    if (left >= DISPLAYS_PER_PROMPT) continue;
    throw new UsageError(
      `the few-shot agent shows ${DISPLAYS_PER_PROMPT} displays, and there are ${left} for task ${taskId} with the ` +
        `pack ${pack.ref.name}; name a file of more with --few-shot-displays-path, or a pack that has them.`,
    );
  }
}
