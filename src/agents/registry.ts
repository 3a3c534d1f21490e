/**
 * Every agent strategy: the program's, and those from files. A new one of the program is a file or folder of its own and a
 * line here.
 *
 * A strategy from a file goes by the digest of its code. A workflow's sandbox, a worker's activities and the command line
 * each enter it for themselves; a run names the digest, so nobody runs another agent than was asked for.
 */

import { fewShot } from './few-shot.ts';
import { fastWorkflow } from './fastworkflow/index.ts';
import type { AgentFile, StrategyDefinition, StrategyOptions } from './port.ts';
import { act, react } from './text-agent.ts';
import { serviceStrategy } from './service-agent/strategy.ts';
import { toolCalling } from './tool-calling.ts';
import type { TrajectoryForm } from '../benchmarks/index.ts';

export const strategies: Readonly<Record<string, StrategyDefinition>> = {
  [toolCalling.name]: toolCalling,
  [act.name]: act,
  [react.name]: react,
  [fewShot.name]: fewShot,
  [fastWorkflow.name]: fastWorkflow,
  [serviceStrategy.name]: serviceStrategy,
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

/** Returns the strategy as a run uses it, with the commands of its options if there are any. */
export function adaptStrategy(strategy: StrategyDefinition, { toolCommands }: StrategyOptions): StrategyDefinition {
  return toolCommands === undefined ? strategy : (strategy.commandsOfTools?.adapt(toolCommands) ?? strategy);
}

/** The program's strategies, and those of files that were loaded here. */
export function knownStrategies(): readonly StrategyDefinition[] {
  return [...Object.values(strategies), ...own.values()];
}

const own = new Map<string, StrategyDefinition>();

/** Exports of an agent's file. */
export interface AgentModule {
  readonly default?: unknown;
  readonly strategy?: unknown;
}

/** @returns undefined when this process, or this sandbox, was not given that file */
export function findOwnStrategy({ digest }: Pick<AgentFile, 'digest'>): StrategyDefinition | undefined {
  return own.get(digest);
}

export function addOwnStrategy(digest: string, strategy: StrategyDefinition): void {
  own.set(digest, strategy);
}

/** The definition that a file exports, as yet unchecked; undefined when it exports none. */
export function exportedStrategy(module: AgentModule): unknown {
  return module.default ?? module.strategy;
}

/** Sentence on the agent that a worker lacks, with the command that starts a worker with it. */
export function agentSentence(name: string, { path, digest }: AgentFile): string {
  return (
    `agent ${name} with digest ${digest.slice(0, 12)} (${path}); start a worker that has the same file, ` +
    'with `npx tauflow worker --agent-strategy FILE`'
  );
}

/** @returns true if a word on the command line is a file rather than the name of a strategy */
export function isAgentFile(word: string): boolean {
  return /[\\/]|\.[cm]?[jt]s$/.test(word);
}

/** The form of the trajectory that each built-in strategy writes, by the strategy's name. */
export const FORM_OF_STRATEGY: ReadonlyMap<string, TrajectoryForm> = new Map(
  Object.values(strategies).map(({ name, form = 'tools' }) => [name, form]),
);
