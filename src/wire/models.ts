/** Which model makes which calls of an evaluation. */

import type { CallRole } from '../agents/port.ts';
import type { EvaluationConfig, ModelConfig } from './config.ts';
import { isUserRole } from './usage.ts';

type Models = Pick<EvaluationConfig, 'agentModel' | 'roleModels' | 'userModel'>;

/** The model of a role: its own, else the agent's for what the agent does. */
export function modelOf({ agentModel, roleModels = {}, userModel }: Models, role: CallRole): ModelConfig {
  if (isUserRole(role)) return userModel;
  return (Object.hasOwn(roleModels, role) ? roleModels[role] : undefined) ?? agentModel;
}

/** The providers whose calls an evaluation makes, each once: a run needs a worker for every one of them. */
export function providersOf({ agentModel, roleModels = {}, userModel }: Models): string[] {
  const models = [agentModel, userModel, ...Object.values(roleModels)];
  return [...new Set(models.flatMap((model) => model?.provider ?? []))];
}
