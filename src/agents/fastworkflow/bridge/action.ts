/** A planned command as an environment action: its tool's name, its parameters as arguments. */

import type { Action } from '../../../benchmark/index.ts';
import type { StrategyOptions } from '../../port.ts';
import { serialiseParameters } from './serialise.ts';

/** The two keys of a plan. */
export interface PlannedCommand {
  readonly commandName: string;
  /** Whatever the planner made of them, see {@link serialiseParameters}. */
  readonly cmdParameters: unknown;
}

/** @throws AgentError `invalid_action` for parameters that cannot be arguments */
export function toAction({ commandName, cmdParameters }: PlannedCommand, options: StrategyOptions): Action {
  return { name: toolNameOf(commandName, options), kwargs: serialiseParameters(cmdParameters) };
}

/** The tool that carries a command out: the one that the run's options name, else the one of the same name. */
export function toolNameOf(commandName: string, { toolNames = {} }: StrategyOptions): string {
  return (Object.hasOwn(toolNames, commandName) ? toolNames[commandName] : undefined) ?? commandName;
}
