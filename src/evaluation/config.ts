/** Roles of model calls, and the place of a run's log. */

import type { CallRole } from '../agents/index.ts';

export type { EpisodeKey } from '../benchmarks/index.ts';
export type { EvaluationConfig } from './config.schema.ts';
export type { ModelPrice, ModelSettings } from './model-settings.schema.ts';

export const isUserRole = (role: CallRole): boolean => role === 'user' || role.startsWith('user/');
export const isAgentRole = (role: CallRole): boolean => role === 'agent' || role.startsWith('agent/');

/** Place of an episode's record. */
export interface RunRef {
  readonly runId: string;
  /** Absolute path of the folder that holds the run log. */
  readonly logDir: string;
  /** Content of a file in the run's folder, by which a worker knows that it sees that very folder. Absent: unchecked. */
  readonly token?: string;
}
