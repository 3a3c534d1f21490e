/**
 * Converts options to the configuration of a run, and a recorded configuration back to options of a command that
 * resumes it.
 */

import { optionName, optionValue, type AgentFile, type StrategyDefinition } from '../agents/index.ts';
import type { RunManifest } from '../run-log/index.ts';
import { CONFIG, CONFIG_FIELDS, LIMIT_KEYS, type ConfigKey, type ConfigLimits } from '../evaluation/index.ts';
import { runOptions, type OptionName, type RawRunOptions, type RUN_OPTIONS } from './options/index.ts';
import { getDefault, type RunOptions } from './parse.ts';

type Table = typeof RUN_OPTIONS;
/** Options whose values the configuration contains unchanged: always, or except for their default. */
type KeyedOptionName = { [N in OptionName]: Table[N] extends { key: string } ? N : never }[OptionName];
type LeftOut = { [N in KeyedOptionName]: Table[N] extends { isLeftOut: true } ? N : never }[KeyedOptionName];
type KeyedConfig = { [N in Exclude<KeyedOptionName, LeftOut> as Table[N]['key']]: RunOptions[N] } & {
  [N in LeftOut as Table[N]['key']]?: Exclude<RunOptions[N], false>;
};

/**
 * Returns the part of a configuration that contains options unchanged.
 * @param isMeant true for an option to include. @default all options
 */
export function keyedConfig(options: RunOptions): KeyedConfig;
export function keyedConfig(options: RunOptions, isMeant: (name: OptionName) => boolean): Partial<KeyedConfig>;
export function keyedConfig(options: RunOptions, isMeant: (name: OptionName) => boolean = () => true) {
  return Object.fromEntries(
    runOptions.flatMap(([name, { key, isLeftOut }]) => {
      if (key === undefined || !isMeant(name)) return [];
      return isLeftOut === true && options[name] === getDefault(name) ? [] : [[key, options[name]]];
    }),
  );
}

/**
 * Returns a recorded run's options, which a resuming command need not repeat.
 * @param strategy strategy of the run; undefined to leave out the options of its strategy
 */
export function recordedOptions(run: RunManifest, strategy: StrategyDefinition | undefined): RawRunOptions {
  const common = runOptions.flatMap(([name, { recorded, key, isOfStrategy }]) => {
    if (isOfStrategy === true && strategy === undefined) return [];
    const value = recorded === undefined ? keyedValue(run, name, key) : recorded(run);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(common), ...(strategy === undefined ? {} : ownOptions(run, strategy)) };
}

/** Returns the value of an option. It also returns an omitted default, so that no other value replaces it. */
function keyedValue({ config }: RunManifest, name: OptionName, key: ConfigKey | undefined): unknown {
  if (key === undefined) return undefined;
  const value = config[key] ?? getDefault(name);
  return CONFIG_FIELDS.get(key)?.unit === 'ms' ? `${String(value)}ms` : value;
}

/** Returns the given limits, even those at their default; times in whole milliseconds. */
export function givenLimits(options: RunOptions, given: RawRunOptions): ConfigLimits {
  return Object.fromEntries(
    LIMIT_KEYS.flatMap((key) => {
      const { name } = CONFIG[key].option;
      return given[name] === undefined ? [] : [[key, Math.round(options[name])]];
    }),
  );
}

function ownOptions({ config }: RunManifest, { options = [] }: StrategyDefinition): RawRunOptions {
  const given = options.flatMap((option) => {
    const value = optionValue(option, config.strategyOptions);
    if (value === undefined) return [];
    return [[optionName(option), option.value.kind === 'file' ? (value as AgentFile).path : value]];
  });
  return Object.fromEntries(given) as RawRunOptions;
}
