/**
 * Probes of a worker process over HTTP, for container platforms: `/healthz` answers while the process runs, `/readyz`
 * reports if it can take work. Both answer a JSON object with 200 or 503. They contain nothing about runs, and no key.
 */

import { createServer } from 'node:http';
import { UsageError, firstLine } from '../errors/index.ts';
import { closeServer, listen, sendJson } from '../io/index.ts';
import { bindAddress } from './surroundings.ts';

const VARIABLE = 'TAUFLOW_HEALTH';

/** Time limit of an answer in ms, because probes commonly give up after one or a few seconds. */
const ANSWER_MS = 2_000;

/** State of the process at the time of a probe. */
interface WorkerState {
  /** Number of model calls in progress. */
  readonly calls: number;
  /** True after a request to end, while work in progress is being finished. */
  readonly isEnding: boolean;
}

export interface HealthSource {
  state(): WorkerState;
  /** Sends a request to the Temporal server. @throws the error that prevents an answer */
  ask(deadline: Date): Promise<unknown>;
}

interface HealthAnswer {
  readonly isGood: boolean;
  readonly body: object;
}

/**
 * Serves the probes if the environment names an address (`TAUFLOW_HEALTH=0.0.0.0:9465`).
 * @returns a function that closes the probes, if there are any
 * @throws UsageError for an unusable address
 */
export async function serveHealth(env: NodeJS.ProcessEnv, source: HealthSource): Promise<() => Promise<void>> {
  const address = bindAddress(env, VARIABLE);
  if (address === null) return () => Promise.resolve();
  const server = createServer((request, response) => {
    const probe = PROBES.get(request.url ?? '');
    if (probe === undefined || request.method !== 'GET') {
      sendJson(response, 404, { problem: `GET ${[...PROBES.keys()].join(' or ')}` }, NOT_STORED);
      return;
    }
    void probe(source).then(({ isGood, body }) => sendJson(response, isGood ? 200 : 503, body, NOT_STORED));
  });
  try {
    await listen(server, { port: address.port, host: address.host.replace(/^\[|\]$/g, '') });
  } catch (error) {
    throw new UsageError(
      `${VARIABLE}: probes cannot be answered at ${address.host}:${address.port} (${firstLine(error)}); each process needs an address of its own.`,
      { cause: error },
    );
  }
  return () => closeServer(server);
}

const NOT_STORED = { 'Cache-Control': 'no-store' };

const PROBES: ReadonlyMap<string, (source: HealthSource) => Promise<HealthAnswer>> = new Map([
  ['/healthz', (source) => Promise.resolve({ isGood: true, body: toHealthBody(source) })],
  ['/readyz', checkReadiness],
]);

/**
 * Checks if the process is ready. If the server is unreachable, the process is not ready, but healthy, because it works
 * again when the server is back.
 */
async function checkReadiness(source: HealthSource): Promise<HealthAnswer> {
  if (source.state().isEnding) return { isGood: false, body: toHealthBody(source) };
  try {
    await source.ask(new Date(Date.now() + ANSWER_MS));
    return { isGood: true, body: toHealthBody(source) };
  } catch (error) {
    return { isGood: false, body: { status: 'waiting', problem: `the Temporal server: ${firstLine(error)}` } };
  }
}

function toHealthBody(source: HealthSource): object {
  const { calls, isEnding } = source.state();
  return { status: isEnding ? 'ending' : 'working', calls };
}
