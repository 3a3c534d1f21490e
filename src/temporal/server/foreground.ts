/** The local server as a command of its own, which lasts as long as the server does. */

import { once } from 'node:events';

import { ServerError } from '../codec/index.ts';
import { findOrStart, findStateDir, type LocalServer, type StartOptions } from './ensure.ts';
import { signal } from './processes.ts';
import { readNewest, update } from './state.ts';

export interface ForegroundOptions extends StartOptions {
  /** Called when the server is ready. */
  readonly onReady: (server: LocalServer) => void;
}

/** `interrupted`: by a signal to this process; `stopped`: by another command. */
export type ForegroundEnd =
  { readonly kind: 'interrupted'; readonly signal: NodeJS.Signals } | { readonly kind: 'stopped' };

const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs the folder's server until it ends; other commands find it meanwhile.
 *
 * @throws ServerError `already-running` where the folder has one, `port-taken`, `database-in-use`, `start-failed`
 *   (also when it dies later)
 */
export async function runServerForeground(options: ForegroundOptions): Promise<ForegroundEnd> {
  let asked: NodeJS.Signals | null = null;
  let pid: number | null = null;
  const passOn = (name: NodeJS.Signals) => {
    asked ??= name;
    // The server is in a process group of its own, so a Ctrl-C in the terminal reaches it through us only.
    if (pid !== null) signal(pid, 'SIGTERM');
  };
  for (const name of passedOn) process.on(name, passOn);
  try {
    const { server, child } = await findOrStart(options);
    if (child === null) {
      throw new ServerError(
        'already-running',
        `a Temporal server runs for this folder already, at ${server.address} (pid ${server.pid}, UI ${server.uiUrl}); use it, or end it first`,
      );
    }
    const ended = child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : once(child, 'exit');
    child.ref();
    pid = server.pid;
    if (asked === null) options.onReady(server);
    else signal(pid, 'SIGTERM');
    await ended;
    await markStopped(options.workDir, server.pid);
    if (asked !== null) return { kind: 'interrupted', signal: asked };
    if (child.exitCode === 0) return { kind: 'stopped' };
    throw new ServerError(
      'start-failed',
      `the Temporal server at ${server.address} ended unexpectedly (${child.signalCode ?? `exit ${child.exitCode}`}); see ${server.logFile}`,
    );
  } finally {
    for (const name of passedOn) process.off(name, passOn);
  }
}

async function markStopped(workDir: string, pid: number): Promise<void> {
  const stateDir = await findStateDir(workDir);
  const newest = await readNewest(stateDir);
  if (newest?.record?.pid === pid) await update(stateDir, newest, { ...newest.record, status: 'stopped' });
}
