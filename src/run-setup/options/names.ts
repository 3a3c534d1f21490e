/** Names of options, as flags and as aliases. */

import { camelCase, knownStrategies, optionName, type StrategyDefinition } from '../../agents/index.ts';
import type { OptionEntry } from './entry.ts';
import { RUN_OPTIONS } from './table.ts';

export type OptionName = keyof typeof RUN_OPTIONS;

/** Values of flags and config files, not yet checked, by name. */
export type RawRunOptions = Partial<Record<OptionName, unknown>> & Record<string, unknown>;

export const runOptions = Object.entries(RUN_OPTIONS) as [OptionName, OptionEntry][];

/** Names of options by their aliases. */
export const ALIASES: Readonly<Partial<Record<string, OptionName>>> = Object.fromEntries(
  runOptions.flatMap(([name, { flags }]) =>
    Object.keys(flags)
      .map((flag) => camelCase(flag.slice('--'.length).split(' ', 1).join('')))
      .filter((word) => word !== name && !/^no[A-Z]/.test(word))
      .map((word) => [word, name]),
  ),
);

/** Formats an option as a flag: `maxConcurrency` → `--max-concurrency`. */
export function formatFlag(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Returns the names of strategies' options in the program's spelling: `parameterTries`. */
export function strategyNames(known: readonly StrategyDefinition[] = knownStrategies()): ReadonlySet<string> {
  return new Set(known.flatMap(({ options = [] }) => options.map(optionName)));
}

/** Separates the options that strategies define from all other values. */
export function splitStrategyValues(raw: Readonly<Record<string, unknown>>) {
  const names = strategyNames();
  const entries = Object.entries(raw);
  const own = entries.filter(([name, value]) => names.has(name) && value !== undefined);
  const rest = entries.filter(([name]) => !names.has(name));
  return { own: Object.fromEntries(own), rest: Object.fromEntries(rest) };
}
