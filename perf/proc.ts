/** CPU time and memory of a process, on Linux. Elsewhere everything is null, and rows say so. */

import { readFileSync, writeFileSync } from 'node:fs';

/** USER_HZ: the kernel counts CPU time for user space in hundredths of a second on every Linux platform of Node's. */
const TICK_MS = 10;

/** CPU time used so far, user and system, all threads. @unit milliseconds */
export function cpuMs(pid: number): number | null {
  const stat = readProc(pid, 'stat');
  if (stat === null) return null;
  // `pid (name) state …`; the name may itself hold brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Resident memory now and at its peak. @unit bytes */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } | null {
  const status = readProc(pid, 'status');
  if (status === null) return null;
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? NaN);
  return { now: kilobytes('VmRSS') * 1024, peak: kilobytes('VmHWM') * 1024 };
}

/** Starts the peak of {@link memoryOf} anew; where that is not allowed the peak is that of the process's whole life. */
export function resetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Not Linux, or not ours to reset.
  }
}

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null;
  }
}
