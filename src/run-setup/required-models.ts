/**
 * Finds the models of a run that this process cannot call, each with its role and the flags that choose another model.
 */

import { UsageError } from '../errors/index.ts';
import { ProviderError, SCRIPTED, providerRow, resolveProvider } from '../models/providers.ts';
import { hasUser, isCalled, type EvaluationConfig, type ModelSettings } from '../evaluation/index.ts';
import { formatModelFlags } from './models.ts';
import { namedRoleModels } from './role-models.ts';

/**
 * Checks, before anything starts, that this process can call the models of a run.
 * @throws UsageError naming the first role whose model it cannot call
 */
export function requireModels(config: EvaluationConfig, env: NodeJS.ProcessEnv): void {
  const [first] = uncallableModels(config, env);
  if (first !== undefined) throw new UsageError(first);
}

/** Returns a sentence for each role whose model this process cannot call. */
export function uncallableModels(config: EvaluationConfig, env: NodeJS.ProcessEnv): string[] {
  const { agentModel, userModel, judgeModel, pack } = config;
  const roles: readonly (readonly [name: string, prefix: string | null, model: ModelSettings | null])[] = [
    ['agent', '', agentModel],
    ['simulated user', 'user-', hasUser(pack) ? userModel : null],
    ['judge', 'judge-', judgeModel ?? null],
    ...namedRoleModels(config).map(([role, model]) => [`role ${role}`, null, model] as const),
  ];
  return roles.flatMap(([name, prefix, settings]) => {
    if (!isCalled(settings) || settings.provider === SCRIPTED) return [];
    const { provider, model } = settings;
    const problem = findProblem(provider, env);
    if (problem === null) return [];
    const flags = prefix === null ? null : formatModelFlags(prefix);
    const local =
      flags !== null && prefix !== '' && agentModel !== null && isLocal(agentModel.provider)
        ? `, such as the agent's: ${flags.model} ${agentModel.model} ${flags.provider} ${agentModel.provider}`
        : '';
    const where = flags === null ? '--role-models' : `${flags.model} and ${flags.provider}`;
    const other = `choose another model with ${where}${local}`;
    return [`The ${name}'s model ${provider}/${model} cannot be called: ${problem}, or ${other}.`];
  });
}

function findProblem(provider: string, env: NodeJS.ProcessEnv): string | null {
  try {
    resolveProvider(provider, env);
    return null;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return error.message;
  }
}

/** @returns true for a provider with the user's own server */
function isLocal(provider: string): boolean {
  return providerRow(provider).isKeyOptional === true;
}
