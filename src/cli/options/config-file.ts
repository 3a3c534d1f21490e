/** `--config`: a JSON file of options. Some options are read before the rest of the command line. */

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as z from 'zod';
import { loadAgent } from '../../agents/from-file/index.ts';
import { camelCase, isAgentFile, strategies, type StrategyDefinition } from '../../agents/index.ts';
import { UsageError, describeUnreadable } from '../../errors/index.ts';
import { decodeText, suggestName } from '../../io/index.ts';
import type { RunFlags } from './flags.ts';
import { ALIASES, formatFlag, runOptions, strategyNames, type RawRunOptions } from '../../run-setup/options/index.ts';
import { findProblems } from '../../run-setup/index.ts';
import { removedAdvice } from './removed.ts';

interface ConfigFile {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Options that are read first, because an agent's file may define flags and keys. */
export interface EarlyOptions {
  readonly runId: unknown;
  readonly logDir: unknown;
  readonly agentStrategy: unknown;
  /**
   * Reads all given options; flags take precedence over the config file.
   * @param recordedAgent the agent's file of the run that is resumed
   * @throws UsageError, AgentFileError; CommanderError for an unknown flag
   */
  readonly readAll: (recordedAgent?: string) => Promise<GivenOptions>;
}

interface GivenOptions {
  readonly given: RawRunOptions;
  readonly fromFile: StrategyDefinition | undefined;
}

/** @throws UsageError for a config file that cannot be read or is not an object of options */
export async function readEarlyOptions(flags: RunFlags, cwd: string): Promise<EarlyOptions> {
  const file = flags.config === undefined ? null : await readConfigFile(resolve(cwd, flags.config));
  const early = (option: string, key: string) =>
    flags.options[option] ?? file?.values[key] ?? file?.values[key.replaceAll('_', '-')] ?? undefined;
  const agentStrategy = early('agentStrategy', 'agent_strategy');
  return {
    runId: early('runId', 'run_id'),
    logDir: early('logDir', 'log_dir'),
    agentStrategy,
    async readAll(recordedAgent) {
      const word = agentStrategy ?? recordedAgent;
      const isFile = typeof word === 'string' && isAgentFile(word) && !Object.hasOwn(strategies, word);
      const fromFile = isFile ? (await loadAgent(resolve(cwd, word))).strategy : undefined;
      const own = flags.readOwn?.(fromFile) ?? {};
      return { given: { ...(file === null ? {} : readOptions(file)), ...flags.options, ...own }, fromFile };
    },
  };
}

async function readConfigFile(path: string): Promise<ConfigFile> {
  let text: string;
  try {
    text = decodeText(await readFile(path));
  } catch (error) {
    throw new UsageError(`the config file ${path} ${describeUnreadable(error)}; check --config.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`the config file ${path} is not JSON: ${(error as Error).message}.`);
  }
  const parsed = z.record(z.string(), z.unknown()).safeParse(value);
  if (!parsed.success) throw new UsageError(`the config file ${path} must hold a JSON object of flags.`);
  return { path, values: parsed.data };
}

/** @throws UsageError that names all unknown options and invalid values */
function readOptions({ path, values }: ConfigFile): RawRunOptions {
  const options: RawRunOptions = {};
  const problems: string[] = [];
  for (const [key, item] of Object.entries(values)) {
    const { option, isNegated } = findOption(key.replaceAll('_', '-'));
    if (option === undefined) {
      const known = [...runOptions.map(([name]) => name), ...strategyNames()].map((name) => formatFlag(name).slice(2));
      const kebab = key.replaceAll('_', '-');
      const similar = suggestName(kebab, known);
      const advice = removedAdvice(kebab, similar !== '');
      problems.push(
        advice === undefined
          ? `has the unknown option "${key}"${key.includes('_') ? similar.replaceAll('-', '_') : similar}`
          : `has "${key}", which was removed; ${advice}`,
      );
      continue;
    }
    // Programs that write such files write null for options that were not given.
    if (item === null) continue;
    if (isNegated && typeof item !== 'boolean') {
      problems.push(`has "${key}": ${JSON.stringify(item)}, which must be true or false`);
      continue;
    }
    options[option] = isNegated ? item === false : item;
  }
  // A single wrong value is reported where all options are checked.
  const wrong = findProblems(options);
  if (problems.length > 0 || wrong.length > 1) {
    throw new UsageError(`the config file ${path} ${[...problems, ...wrong].join('; ')}.`);
  }
  return options;
}

/** Finds the option of a key in kebab-case; `no-worker` negates `worker`. */
function findOption(key: string): { option: string | undefined; isNegated: boolean } {
  const names = new Set<string>(
    runOptions.filter(([, { isNotInFiles }]) => isNotInFiles !== true).map(([name]) => name),
  );
  const find = (kebab: string) => {
    const camel = camelCase(kebab);
    return ALIASES[camel] ?? (names.has(camel) || strategyNames().has(camel) ? camel : undefined);
  };
  const option = find(key);
  if (option !== undefined || !key.startsWith('no-')) return { option, isNegated: false };
  return { option: find(key.slice('no-'.length)), isNegated: true };
}
