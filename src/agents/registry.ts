/** Every agent strategy of the program. A new one is a file or folder of its own and a line here. */

import { fewShot } from './few-shot.ts';
import { fastWorkflow } from './fastworkflow/index.ts';
import { findOwnStrategy, ownStrategies } from './own.ts';
import type { AgentFile, StrategyDefinition } from './port.ts';
import { act, react } from './text-agent.ts';
import { toolCalling } from './tool-calling.ts';

export const strategies: Readonly<Record<string, StrategyDefinition>> = {
  [toolCalling.name]: toolCalling,
  [act.name]: act,
  [react.name]: react,
  [fewShot.name]: fewShot,
  [fastWorkflow.name]: fastWorkflow,
};

/** Key of a strategy: a digest identifies an agent's file. */
export type StrategyLookup = (name: string, file?: Pick<AgentFile, 'digest'>) => StrategyDefinition | undefined;

/**
 * @param file of an agent of one's own
 * @returns undefined when no strategy has that name, or the file is not known here
 */
export function findStrategy(name: string, file?: Pick<AgentFile, 'digest'>): StrategyDefinition | undefined {
  if (file !== undefined) return findOwnStrategy(file);
  return Object.hasOwn(strategies, name) ? strategies[name] : undefined;
}

/** The program's strategies, and those of files that were loaded here. */
export function knownStrategies(): readonly StrategyDefinition[] {
  return [...Object.values(strategies), ...ownStrategies()];
}
