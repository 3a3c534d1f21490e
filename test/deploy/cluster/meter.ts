/** Adds up CPU time and memory of a cluster's processes, by what they are; those that have ended count as well. */

import { readFileSync } from 'node:fs';
import { cpuMs, endedChildrenCpuMs } from '../../../perf/processes.ts';

interface Metered {
  readonly part: string;
  readonly pid: number;
  cpuMs: number;
}

export interface Use {
  /** @unit seconds */
  readonly cpu_s: number;
  /** Memory of its processes, shared pages in equal parts. @unit megabytes */
  readonly memory_mb: number;
  readonly processes: number;
}

export class Meter {
  readonly #metered: Metered[] = [];

  add(part: string, pid: number): void {
    this.#metered.push({ part, pid, cpuMs: 0 });
  }

  /** Adds up what each part has used so far. */
  look(): Record<string, Use> {
    const uses: Record<string, Use> = {};
    for (const one of this.#metered) {
      const family = [one.pid, ...childrenOf(one.pid)];
      one.cpuMs = Math.max(one.cpuMs, familyCpuMs(one.pid, family));
      const before = uses[one.part] ?? { cpu_s: 0, memory_mb: 0, processes: 0 };
      uses[one.part] = {
        cpu_s: before.cpu_s + one.cpuMs / 1000,
        memory_mb: before.memory_mb + Math.round(family.reduce((all, pid) => all + memoryMb(pid), 0)),
        processes: before.processes + (read(one.pid, 'stat') === null ? 0 : 1),
      };
    }
    return uses;
  }
}

/** CPU time, with that of children that have ended: PostgreSQL has a process for each connection. */
function familyCpuMs(pid: number, family: readonly number[]): number {
  return family.reduce((all, one) => all + (cpuMs(one) ?? 0), endedChildrenCpuMs(pid) ?? 0);
}

function childrenOf(pid: number): number[] {
  return (read(pid, `task/${pid}/children`) ?? '').split(' ').filter(Boolean).map(Number);
}

function memoryMb(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(read(pid, 'smaps_rollup') ?? '')?.[1] ?? 0) / 1024;
}

function read(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null;
  }
}
