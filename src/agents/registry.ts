/**
 * The registry of agent strategies: the program's own, and those from files. A new strategy of the program is a file or
 * folder, and a line here.
 *
 * A strategy from a file is identified by the digest of its code. A workflow's sandbox, a worker's activities and the
 * command line each register it. A run names the digest, so no other agent can take its place.
 */

import { fewShot } from './few-shot.ts';
import { fastWorkflow } from './fastworkflow/index.ts';
import type { AgentFile, StrategyDefinition, StrategyOptions, ToolChanges } from './port.ts';
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
 * @param file a user's own agent
 * @returns undefined for an unknown name or file
 */
export function findStrategy(name: string, file?: Pick<AgentFile, 'digest'>): StrategyDefinition | undefined {
  if (file !== undefined) return findOwnStrategy(file);
  return Object.hasOwn(strategies, name) ? strategies[name] : undefined;
}

/** Returns the strategy for an episode: with the commands of its options, and the tools of its condition. */
export function adaptStrategy(
  strategy: StrategyDefinition,
  { toolCommands }: StrategyOptions,
  changes?: ToolChanges,
): StrategyDefinition {
  const adapted = toolCommands === undefined ? strategy : (strategy.commandsOfTools?.adapt(toolCommands) ?? strategy);
  return changes === undefined ? adapted : (adapted.withTools?.(changes) ?? adapted);
}

/** Returns the program's strategies, and those from files that this process has loaded. */
export function knownStrategies(): readonly StrategyDefinition[] {
  return [...Object.values(strategies), ...own.values()];
}

const own = new Map<string, StrategyDefinition>();

/** Exports of an agent's file. */
export interface AgentModule {
  readonly default?: unknown;
  readonly strategy?: unknown;
}

/** @returns undefined if this process or sandbox does not have the file */
export function findOwnStrategy({ digest }: Pick<AgentFile, 'digest'>): StrategyDefinition | undefined {
  return own.get(digest);
}

export function addOwnStrategy(digest: string, strategy: StrategyDefinition): void {
  own.set(digest, strategy);
}

/** Returns the definition that a file exports, not yet checked; undefined if it exports none. */
export function exportedStrategy(module: AgentModule): unknown {
  return module.default ?? module.strategy;
}

/** Returns a sentence on the agent that a worker lacks, with the command that starts a worker with it. */
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
