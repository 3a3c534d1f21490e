/** Every agent strategy there is. A new one is a file or folder of its own and a line here. */

import { fewShot } from './few-shot.ts';
import { fastWorkflow } from './fastworkflow/index.ts';
import type { StrategyDefinition } from './port.ts';
import { act, react } from './text-agent.ts';
import { toolCalling } from './tool-calling.ts';

export const strategies: Readonly<Record<string, StrategyDefinition>> = {
  [toolCalling.name]: toolCalling,
  [act.name]: act,
  [react.name]: react,
  [fewShot.name]: fewShot,
  [fastWorkflow.name]: fastWorkflow,
};

/** @returns undefined when no strategy has that name */
export function findStrategy(name: string): StrategyDefinition | undefined {
  return Object.hasOwn(strategies, name) ? strategies[name] : undefined;
}
