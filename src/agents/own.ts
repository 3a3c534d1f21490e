/**
 * Agents of one's own: strategies from files, by the digest of the code. A workflow's sandbox, a worker's activities and
 * the command line each fill this for themselves; a run names the digest, so nobody runs another agent than was asked for.
 */

import type { AgentFile, StrategyDefinition } from './port.ts';

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

/** Strategies of all files that were loaded here. */
export function ownStrategies(): readonly StrategyDefinition[] {
  return [...own.values()];
}

export function addOwnStrategy(digest: string, strategy: StrategyDefinition): void {
  own.set(digest, strategy);
}

/** The definition that a file exports, as yet unchecked; undefined when it exports none. */
export function exportedStrategy(module: AgentModule): unknown {
  return module.default ?? module.strategy;
}

/** Sentence on what a worker lacks, with the command that starts one that has it. */
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
