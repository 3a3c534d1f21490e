/** The agent under test as what is killed: served by the harness, or by the command that follows the run. */

import { commandLine, killOneOf, processesBelow } from './below.ts';

/** Processes of the agent, as {@link ProcessGroup} has them. */
export interface AgentProcesses {
  /** Number of processes that serve the agent. */
  readonly size: number;
  /** True if they have started others. */
  readonly hasMore: boolean;
  kill(count: number, dice: string): number;
  killBelow(dice: string): number;
  readonly unexpected: readonly string[];
}

/** Strategy whose agent the command starts, and starts again. */
export const FASTWORKFLOW_PYTHON = 'fastworkflow-python';

/** Processes of the adapter that a command has started. */
export class AgentOfCommand implements AgentProcesses {
  readonly unexpected = [];
  readonly #command: { readonly pid: number };

  constructor(command: { readonly pid: number }) {
    this.#command = command;
  }

  get size(): number {
    return this.pids.length;
  }

  get hasMore(): boolean {
    return this.pids.some((pid) => processesBelow(pid).length > 0);
  }

  kill(_count: number, dice: string): number {
    return killOneOf(this.pids, dice);
  }

  killBelow(dice: string): number {
    return killOneOf(this.pids.flatMap(processesBelow), dice);
  }

  get pids(): number[] {
    return processesBelow(this.#command.pid).filter((pid) => / -m tauflow_fastworkflow /.test(commandLine(pid)));
  }
}
