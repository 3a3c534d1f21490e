/** Flags of commands, from the table of options and from descriptions of strategies. */

import { Command, Option } from 'commander';
import { camelCase, optionFlag, strategies, type StrategyDefinition, type StrategyOption } from '../../agents/index.ts';
import { UsageError } from '../../errors/index.ts';
import { FURTHER_OPTIONS, helpSection, splitHelp } from '../help.ts';
import type { OtherCommand } from '../../evaluation/index.ts';
import {
  HIDDEN,
  type OptionEntry,
  ALIASES,
  formatFlag,
  runOptions,
  strategyNames,
  type OptionName,
  type RawRunOptions,
  RUN_OPTIONS,
  STRATEGY_GROUP,
} from '../../run-setup/options/index.ts';

/** @param except options that the command sets itself */
export function addRunFlags(command: Command, except: readonly OptionName[] = []): void {
  for (const [name] of runOptions) if (!except.includes(name)) addOption(command, name);
  addStrategyFlags(command);
}

/** Adds some options of a run to another command, with that command's help texts. */
export function addFlags(command: Command, of: OtherCommand, names: readonly OptionName[]): void {
  for (const name of names) addOption(command, name, of);
}

function addOption(command: Command, name: OptionName, of?: OtherCommand): void {
  const { flags, helpIn = {}, isEssential, isRepeatable, group }: OptionEntry = RUN_OPTIONS[name];
  const heading =
    of === undefined && group !== undefined
      ? group
      : of === 'set' || isEssential === true
        ? undefined
        : FURTHER_OPTIONS;
  for (const [flag, usual] of Object.entries(flags)) {
    const help = usual === HIDDEN || of === undefined ? usual : helpIn[of] === undefined ? usual : helpIn[of];
    const option = new Option(flag, help ?? undefined).hideHelp(help === HIDDEN);
    if (isRepeatable === true) option.argParser(collect);
    command.addOption(heading === undefined ? option : option.helpGroup(heading));
  }
}

/** Collects the values of a flag that may be given several times. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** Returns the flags given on the command line, without commander's defaults of `--no-…` flags. */
export function givenFlags(command: Command): RawRunOptions {
  const given = Object.entries(command.opts<Record<string, unknown>>()).filter(
    ([name]) => command.getOptionValueSource(name) === 'cli',
  );
  const aliases = given.flatMap(([name, value]): [string, unknown][] => {
    const option = ALIASES[name];
    return option === undefined ? [] : [[option, value]];
  });
  // A flag given by its own name wins over its alias.
  return Object.fromEntries<unknown>([...aliases, ...given.filter(([name]) => ALIASES[name] === undefined)]);
}

/** Returns a message with each flag as it was typed: `--model-settings` for `--agent-model-settings`. */
export function withTypedFlags(message: string, words: readonly string[]): string {
  const typed = words.filter((word) => word.startsWith('--')).flatMap((word) => word.split('=', 1));
  return typed.reduce((text, flag) => {
    const option = ALIASES[camelCase(flag.slice('--'.length))];
    if (option === undefined || typed.includes(formatFlag(option))) return text;
    return text.replace(new RegExp(`(?<!\\S)${formatFlag(option)}\\b(?!-)`, 'g'), flag);
  }, message);
}

/** A command line for which an agent's file may define flags. */
export interface RunFlags {
  readonly options: RawRunOptions;
  readonly config?: string;
  /**
   * Reads the flags that only this strategy has.
   * @throws CommanderError, already printed, for a flag that neither the program nor the strategy has; UsageError for a
   * flag that the command uses differently
   */
  readonly readOwn?: (strategy: StrategyDefinition | undefined) => RawRunOptions;
}

/**
 * Allows flags that the program does not know; {@link readRunFlags} reads them, because an agent's file may define
 * them.
 */
export function allowOwnFlags(command: Command): void {
  command.allowUnknownOption().allowExcessArguments();
}

/** @param command a command after parsing, see {@link allowOwnFlags} */
export function readRunFlags(command: Command): RunFlags {
  const { config, ...options } = givenFlags(command);
  const readOwn = (strategy: StrategyDefinition | undefined) => readOwnFlags(command, strategy);
  return { options, readOwn, ...(typeof config === 'string' ? { config } : {}) };
}

/** Parses unknown flags again with the strategy's flags, and reports the rest. */
function readOwnFlags(command: Command, strategy: StrategyDefinition | undefined): RawRunOptions {
  const again = new Command(command.name()).copyInheritedSettings(command).allowExcessArguments(false);
  // Its errors then name the command.
  again.parent = command.parent;
  for (const argument of command.registeredArguments) again.addArgument(argument);
  for (const option of command.options) again.addOption(option);
  if (strategy !== undefined) addOptionFlags(again, [strategy]);
  again.action(() => undefined).parse(command.args, { from: 'user' });
  return givenFlags(again);
}

const all = Object.values(strategies);

/** Adds the flags of strategies. `--help-all` shows those of the strategy that precedes it on the command line. */
export function addStrategyFlags(command: Command): void {
  addOptionFlags(command, all);
  const sections = () => `${othersHelp(command)}\n${rolesHelp(command)}`;
  splitHelp(command, sections, (option) => {
    const name = option.attributeName();
    const { shownWith }: Partial<OptionEntry> = Object.hasOwn(RUN_OPTIONS, name) ? RUN_OPTIONS[name as OptionName] : {};
    const having = all.filter((one) => shownWith?.includes(one.name) ?? strategyNames([one]).has(name));
    const named: unknown = command.getOptionValue('agentStrategy');
    return option.helpGroupHeading === undefined || having.length === 0 || having.some((one) => one.name === named);
  });
}

function othersHelp(run: Command): string {
  const items = all.flatMap(({ name, options = [] }) =>
    options.length === 0 ? [] : [[name, options.map(optionFlag).join(', ')] as const],
  );
  return helpSection(run, 'Options of agent strategies, which `--agent-strategy NAME --help-all` shows:', items);
}

/** @throws UsageError for a flag that the command uses differently */
function addOptionFlags(command: Command, of: readonly StrategyDefinition[]): void {
  for (const option of of.flatMap(({ options = [] }) => options)) addOwn(command, toFlag(option), of);
}

/** Adds a strategy's flag. Two strategies may have the same flag, if it takes a value for both or for neither. */
function addOwn(command: Command, flag: Option, of: readonly StrategyDefinition[]): void {
  const before = command.options.find(({ long }) => long === flag.long);
  if (before === undefined) command.addOption(flag);
  else if (!strategyNames(all).has(flag.attributeName()) || before.required !== flag.required) {
    const names = of.map(({ name }) => name).join(', ');
    throw new UsageError(`${String(flag.long)} of the agent ${names} means something else to this command; rename it.`);
  }
}

function toFlag(option: StrategyOption): Option {
  const { value, help } = option;
  const who = listStrategyNames(({ options = [] }) => options.some(({ key }) => key === option.key));
  const usual = 'default' in value ? `default: ${value.default}` : '';
  const words = [who, usual].filter((word) => word !== '').join('; ');
  const flag = `--${optionFlag(option)}${formatPlaceholder(option)}`;
  if (option.isEssential === true) return new Option(flag, help);
  return new Option(flag, words === '' ? help : `${help} (${words})`).helpGroup(STRATEGY_GROUP);
}

function formatPlaceholder({ value }: StrategyOption): string {
  switch (value.kind) {
    case 'choice':
      return ` <${value.choices.join('|')}>`;
    case 'integer':
    case 'number':
      return ' <n>';
    case 'boolean':
      return '';
    case 'text':
      return ' <text>';
    case 'list':
      return ' <words...>';
    case 'pairs':
      return ` <${value.of}=${value.to}...>`;
    case 'file':
      return ' <file>';
  }
}

function rolesHelp(run: Command): string {
  const roles = new Map(all.flatMap(({ modelRoles = [] }) => modelRoles.map((role) => [role.name, role])));
  const items = Array.from(roles.values(), ({ name, description }) => {
    const who = listStrategyNames((strategy) => strategy.modelRoles?.some((role) => role.name === name) ?? false);
    return [name, `${description} (${who})`] as const;
  });
  return helpSection(run, "Roles for --role-models (default: the agent's model):", items);
}

function listStrategyNames(isMeant: (strategy: StrategyDefinition) => boolean): string {
  return all
    .filter(isMeant)
    .map(({ name }) => name)
    .join(', ');
}
