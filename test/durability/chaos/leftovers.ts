/** Processes that outlive what started them, as Linux tells: by their working folder and their command line. */

import { readdir, readFile, readlink } from 'node:fs/promises';

/** @returns a line for each process that has to do with the folder; null where the system does not tell */
export async function processesOf(folder: string): Promise<string[] | null> {
  const pids = await readdir('/proc').catch(() => null);
  if (pids === null) return null;
  const found: string[] = [];
  for (const pid of pids) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ').trim();
    if (cwd.startsWith(folder) || command.includes(folder)) found.push(`${pid}: ${command}`);
  }
  return found;
}
