import type { TrajectoryForm } from '../benchmark/index.ts';
import { strategies } from './registry.ts';

/** The form of the trajectory that each built-in strategy writes, by the strategy's name. */
export const FORM_OF_STRATEGY: ReadonlyMap<string, TrajectoryForm> = new Map(
  Object.values(strategies).map(({ name, form = 'tools' }) => [name, form]),
);
