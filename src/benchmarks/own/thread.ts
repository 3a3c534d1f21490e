/**
 * Code of the thread that runs a benchmark’s folder: loads the folder and answers requests.
 *
 * A tool that never returns blocks only this thread.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import { UsageError, describeValue } from '../../errors/index.ts';
import { EnvironmentServiceError, type EnvironmentService, type ServiceFault } from '../service/port.ts';
import { BenchmarkError, loadBenchmark } from './load.ts';
import { openLoadedBenchmark } from './service.ts';

/** A request to the thread, which answers `ping` unless it is blocked. */
export type ThreadRequest =
  | { readonly kind: 'ping' }
  | { readonly kind: 'ask'; readonly id: number; readonly method: keyof Methods; readonly request: unknown };

type Methods = Omit<EnvironmentService, 'description'>;

export type ThreadAnswer =
  | { readonly kind: 'loaded'; readonly description: EnvironmentService['description']; readonly digest: string }
  | { readonly kind: 'problem'; readonly problems: readonly string[] }
  | { readonly kind: 'pong' }
  /** Sent before a request runs code of the folder. */
  | { readonly kind: 'running'; readonly id: number; readonly what: string }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'fault'; readonly id: number; readonly fault: ServiceFault; readonly message: string };

const port = parentPort;
const requestId = new AsyncLocalStorage<number>();
const say = (answer: ThreadAnswer) => port?.postMessage(answer);

try {
  const loaded = await loadBenchmark(workerData as string);
  const service = openLoadedBenchmark(loaded, (what) => say({ kind: 'running', id: requestId.getStore() ?? 0, what }));
  port?.on('message', (message: ThreadRequest) => {
    if (message.kind === 'ping') say({ kind: 'pong' });
    else void requestId.run(message.id, () => answer(service, message));
  });
  say({ kind: 'loaded', description: service.description, digest: loaded.digest });
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  say({ kind: 'problem', problems: error instanceof BenchmarkError ? error.problems : [error.message] });
}

async function answer(
  service: Methods,
  { id, method, request }: Extract<ThreadRequest, { kind: 'ask' }>,
): Promise<void> {
  try {
    say({ kind: 'answer', id, answer: await service[method](request as never) });
  } catch (error) {
    const isKnown = error instanceof EnvironmentServiceError;
    say({
      kind: 'fault',
      id,
      fault: isKnown ? error.fault : 'refused',
      message: isKnown ? error.message : describeValue(error),
    });
  }
}
