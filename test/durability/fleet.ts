/** Worker processes that share a task queue, and what tests ask of them. */

import { Client, Connection } from '@temporalio/client';
import type { Place } from './place.ts';
import { Tauflow, type Surroundings } from './processes.ts';

/** A worker that listens by now. */
export async function startWorker(
  taskQueue: string,
  flags: readonly string[],
  surroundings: Surroundings,
): Promise<Tauflow> {
  const worker = Tauflow.start(['worker', '--task-queue', taskQueue, ...flags], surroundings);
  await worker.says(/worker on .*\n/);
  return worker;
}

/** @returns a client of the place's server; its connection is the caller's to close */
export async function clientOf(place: Place): Promise<Client> {
  const server = await place.server();
  if (server === null) throw new Error('there is no server');
  return new Client({ connection: await Connection.connect({ address: server.address }), namespace: 'default' });
}

/** The flags of a sweep that the scripted model plays and that other processes work on. */
export function sweepFlags(runId: string, taskQueue: string, flags: readonly string[]): string[] {
  const model = ['--agent-strategy', 'tool-calling', '--model-provider', 'scripted'];
  return ['run', '--run-id', runId, '--no-worker', '--task-queue', taskQueue, '--num-trials', '1', ...model, ...flags];
}
