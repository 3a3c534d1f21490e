/** How the trajectories of each strategy say what the agent does. */

import { strategies } from '../../agents/registry.ts';
import type { TrajectoryForm } from '../../bench/trajectory.ts';

export type { TrajectoryForm };

export const FORM_OF_STRATEGY: ReadonlyMap<string, TrajectoryForm> = new Map(
  Object.values(strategies).map(({ name, form = 'tools' }) => [name, form]),
);
