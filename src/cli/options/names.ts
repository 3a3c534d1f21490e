/** Names of options: as flags, as aliases, and of the models that a strategy's roles have. */

import { camelCase, knownStrategies, optionName, type StrategyDefinition } from '../../agents/index.ts';
import type { OptionEntry } from './entry.ts';
import { RUN_OPTIONS } from './table.ts';

export type OptionName = keyof typeof RUN_OPTIONS;

/** Values of flags and config files, not yet checked, by name; those of roles under names such as `plannerModel`. */
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

/** `maxConcurrency` → `--max-concurrency` */
export function flagOf(option: string): string {
  return `--${kebabCase(option)}`;
}

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Flags of one model: the agent's, the simulated user's (`--user-top-p`), or a role's (`--planner-top-p`). */
export const MODEL_FIELDS = [
  'model',
  'modelProvider',
  'temperature',
  'maxCompletionTokens',
  'modelSettings',
  'reasoningEffort',
  'topP',
  'wire',
  'extraBody',
] as const;
export type ModelField = (typeof MODEL_FIELDS)[number];

/** The option of the agent's model. */
export type AgentOption<F extends ModelField> = F extends 'modelSettings'
  ? 'agentModelSettings'
  : Exclude<F, 'modelSettings'>;

export function agentOption(field: ModelField): OptionName {
  return field === 'modelSettings' ? 'agentModelSettings' : field;
}

/** Flag of another model than the agent's. @param side `user`, or a role's name such as `param-extraction` */
export function modelFlag(side: string, field: ModelField): string {
  return `--${side}-${kebabCase(field)}`;
}

/** The option of that flag: `userTopP`. */
export function modelOption(side: string, field: ModelField): string {
  return camelCase(`${side}-${kebabCase(field)}`);
}

function roleOptionNames(known: readonly StrategyDefinition[]) {
  const roles = known.flatMap(({ modelRoles = [] }) => modelRoles);
  return new Map(
    roles.flatMap(({ name: role }) => [
      ...MODEL_FIELDS.map((field) => [modelOption(role, field), { role, field }] as const),
      [camelCase(`${role}-max-output-tokens`), { role, field: 'maxCompletionTokens' }] as const,
    ]),
  );
}

/** Names of the options that strategies have, as the program spells them: `parameterTries`, `plannerModel`. */
export function strategyNames(known: readonly StrategyDefinition[] = knownStrategies()): ReadonlySet<string> {
  return new Set([...known.flatMap(({ options = [] }) => options.map(optionName)), ...roleOptionNames(known).keys()]);
}

type RoleValues = Readonly<Record<string, Partial<Record<ModelField, unknown>>>>;

/** Given options apart: those that strategies describe by name, those of their roles by role and field, and the rest. */
interface SplitOptions {
  readonly rest: Record<string, unknown>;
  readonly own: Readonly<Record<string, unknown>>;
  readonly roles: RoleValues;
}

export function splitStrategyValues(raw: Readonly<Record<string, unknown>>): SplitOptions {
  const rest: Record<string, unknown> = {};
  const own: Record<string, unknown> = {};
  const roles: Record<string, Partial<Record<ModelField, unknown>>> = {};
  const names = strategyNames();
  const ofRoles = roleOptionNames(knownStrategies());
  for (const [option, value] of Object.entries(raw)) {
    const named = ofRoles.get(option);
    if (!names.has(option)) rest[option] = value;
    else if (value === undefined) continue;
    else if (named === undefined) own[option] = value;
    else roles[named.role] = { ...roles[named.role], [named.field]: value };
  }
  return { rest, own, roles };
}

/** @returns true if a model is named for a role: then the run is no demonstration */
export function namesRoleModel(raw: Readonly<Record<string, unknown>>): boolean {
  return Object.values(splitStrategyValues(raw).roles).some(
    ({ model, modelProvider }) => model !== undefined || modelProvider !== undefined,
  );
}
