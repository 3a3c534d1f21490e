/**
 * Flags of model roles: `--planner-model`, `--planner-model-provider`, `--planner-temperature`, and so for every role
 * that any strategy has. Which roles there are is the strategies' business; here they are only found by name.
 */

import { findStrategy, strategies, type ModelRole } from '../../agents/index.ts';
import { chosenRoleModel } from './role-models.ts';
import type { RunManifest } from '../../results/log/index.ts';
import { tokenCapOf } from '../../wire/index.ts';

/** What can be said of a role, as an option's name ends. */
const FIELDS = {
  Model: 'model',
  ModelProvider: 'modelProvider',
  Temperature: 'temperature',
  MaxCompletionTokens: 'maxCompletionTokens',
} as const;
export type RoleField = (typeof FIELDS)[keyof typeof FIELDS];

/** The roles of all strategies; one that several have is there once. */
export const modelRoles: readonly ModelRole[] = [
  ...new Map(
    Object.values(strategies)
      .flatMap((strategy) => strategy.modelRoles ?? [])
      .map((role) => [role.name, role]),
  ).values(),
];

const ROLE_OPTIONS: ReadonlyMap<string, { readonly role: string; readonly field: RoleField }> = new Map(
  modelRoles.flatMap(({ name }) =>
    Object.entries(FIELDS).map(([ending, field]) => [camelCase(name) + ending, { role: name, field }] as const),
  ),
);

/** The names of all these options, as the program spells them: `paramExtractionModel`. */
export const roleOptionNames: readonly string[] = [...ROLE_OPTIONS.keys()];

/** Options without those of roles, and those of roles by role and field. */
export function gatherRoles(raw: Readonly<Record<string, unknown>>): {
  readonly rest: Record<string, unknown>;
  readonly roles: Record<string, Partial<Record<RoleField, unknown>>>;
} {
  const rest: Record<string, unknown> = {};
  const roles: Record<string, Partial<Record<RoleField, unknown>>> = {};
  for (const [option, value] of Object.entries(raw)) {
    const found = ROLE_OPTIONS.get(option);
    if (found === undefined) rest[option] = value;
    else if (value !== undefined) roles[found.role] = { ...roles[found.role], [found.field]: value };
  }
  return { rest, roles };
}

/** Whether options name a model for a role: then the run is no demonstration. */
export function namesRoleModel(raw: Readonly<Record<string, unknown>>): boolean {
  return Object.values(gatherRoles(raw).roles).some(
    ({ model, modelProvider }) => model !== undefined || modelProvider !== undefined,
  );
}

/** The options that give a recorded run's roles their models again. */
export function recordedRoles({ config }: RunManifest): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const role of findStrategy(config.strategy, config.strategyOptions.agentFile)?.modelRoles ?? []) {
    const model = chosenRoleModel(role, config);
    const prefix = camelCase(role.name);
    const [call] = role.calls;
    const cap = call === undefined ? undefined : config.maxCompletionTokens?.[call];
    if (call !== undefined && (cap !== undefined || model !== undefined)) {
      options[`${prefix}MaxCompletionTokens`] = tokenCapOf(config, call) ?? 'none';
    }
    if (model === undefined) continue;
    options[`${prefix}Model`] = model.model;
    options[`${prefix}ModelProvider`] = model.provider;
    options[`${prefix}Temperature`] = model.temperature ?? 'default';
  }
  return options;
}

/** `param-extraction` → `paramExtraction`. */
function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
