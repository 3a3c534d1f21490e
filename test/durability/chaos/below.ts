/** Processes that a process has started, and they in turn, as Linux tells. */

import { readdirSync, readFileSync } from 'node:fs';
import { drawFraction } from '../../../src/scripted-model/case-code.ts';

/** @returns process numbers, parents before children; empty where the system does not tell */
export function processesBelow(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of names('/proc')) {
    // The command's name, in brackets, may have spaces: state and parent come after it.
    const parent = Number(/\) \S (\d+) /.exec(text(`/proc/${name}/stat`))?.[1]);
    if (/^\d+$/.test(name)) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = [pid];
  for (const other of found) found.push(...(children.get(other) ?? []));
  return found.slice(1);
}

/** @returns its words, with spaces between; empty if it has gone */
export function commandLine(pid: number): string {
  return text(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

/** Kills one of the processes. @returns the number killed */
export function killOneOf(pids: readonly number[], dice: string): number {
  const victim = pids[Math.floor(drawFraction(`${dice} below`) * pids.length)];
  if (victim === undefined) return 0;
  try {
    process.kill(victim, 'SIGKILL');
    return 1;
  } catch {
    return 0; // it has just ended by itself
  }
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function text(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
