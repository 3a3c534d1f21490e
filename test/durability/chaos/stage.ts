/** One sweep undisturbed and once more with injected failures, in one folder with one Temporal server. */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import getPort from 'get-port';
import { resolveNamed } from '../../../src/run-setup/index.ts';
import type { LoggedCall, ScriptedStats } from '../../../src/scripted-model/index.ts';
import { JsonWatch, type WatchReport } from '../json-watch.ts';
import { Place } from '../place.ts';
import { Tauflow } from '../processes.ts';
import { readRunData, type RunData } from '../run-log.ts';
import { ScriptedProcess } from '../scripted-process.ts';
import { planFailures } from './injections.ts';
import { AgentOfCommand, FASTWORKFLOW_PYTHON, type AgentProcesses } from './agent-of-command.ts';
import { ProcessGroup } from './process-group.ts';
import { Follower } from './follower.ts';
import { API_FAULTS, ARGUMENTS_FAULT, CALL_TIMEOUT, type ChaosOptions } from './options.ts';
import { injectAll, type InjectedFailure } from './inject.ts';

const program = fileURLToPath(new URL('../../../dist/program/tauflow.js', import.meta.url));
/** Interval at which the run's files are read while they change. */
const WATCH_MS = 100;

export interface Outcome {
  readonly data: RunData;
  readonly calls: readonly LoggedCall[];
  readonly stats: ScriptedStats;
  readonly seconds: number;
}

export interface Disturbed extends Outcome {
  readonly failures: readonly InjectedFailure[];
  readonly files: WatchReport;
  /** Worker processes in all, and how often the run was resumed. */
  readonly workers: number;
  readonly resumed: number;
  /** Processes that ended though nobody had killed them, a sentence each. */
  readonly unexpected: readonly string[];
}

export async function makePlace(): Promise<Place> {
  if (!existsSync(program)) throw new Error(`${program} is missing; run: npm run build`);
  return await Place.make([process.execPath, program]);
}

/** The agent under test, or the environment, where it is a service: it is there as long as both runs. */
export interface Served {
  readonly name: 'agent' | 'environment';
  readonly url: string;
  readonly processes: ProcessGroup;
}

/** Serves the agent or the environment at a port of its own. @returns null where neither is a service */
export async function serve(place: Place, { agent, environment, seed }: ChaosOptions): Promise<Served | null> {
  const command = agent ?? environment;
  if (command === null) return null;
  const name = agent === null ? 'environment' : 'agent';
  const port = await getPort();
  // In this folder, so that the command's paths are those of whoever gives it.
  const surroundings = { ...place.surroundings(), cwd: process.cwd() };
  const start = () => Tauflow.type(`${command} ${port}`, surroundings);
  const processes = new ProcessGroup({ name, start, ready: /listening on / }, seed);
  await processes.open(1);
  return { name, url: `http://127.0.0.1:${port}`, processes };
}

/** The sweep's flags: as many tasks as the pack has, and trials for the rest. */
export async function sweepFlags(
  { episodes, strategy, model, pack, concurrency }: ChaosOptions,
  served: Served | null,
): Promise<string[]> {
  const envUrl = environmentUrl(served);
  const { splits } = await resolveNamed({ pack: pack ?? undefined, envUrl }, { cwd: '.', env: process.env, home: '' });
  const tasks = Math.min(episodes, splits['test']?.length ?? 0);
  return [
    ...(served?.name === 'agent' ? ['--agent-url', served.url] : ['--agent-strategy', strategy]),
    ...(envUrl === undefined ? [] : ['--env-url', envUrl]),
    ...['--model', model, '--model-provider', 'scripted'],
    ...(pack === null ? [] : ['--pack', pack]),
    ...['--end-index', String(tasks), '--num-trials', String(Math.ceil(episodes / tasks))],
    ...['--max-concurrency', String(concurrency), '--call-timeout', CALL_TIMEOUT],
  ];
}

/** Runs the sweep without an injected failure. */
export async function runCalmly(
  place: Place,
  flags: readonly string[],
  { seed, latency, pack }: ChaosOptions,
  served: Served | null,
): Promise<Outcome> {
  const model = await ScriptedProcess.start('calm', place.surroundings(), {
    latency,
    seed,
    faults: ARGUMENTS_FAULT,
    pack,
    envUrl: environmentUrl(served),
  });
  const started = Date.now();
  const run = Tauflow.start(['run', '--run-id', 'calm', ...flags], place.surroundings(model.url));
  const { code } = await run.ended;
  if (code !== 0) throw new Error(`the undisturbed run has ended with ${code}:\n${run.printed}`);
  return await outcomeOf(place, 'calm', model, started);
}

/** @throws Error when the run cannot be brought to its end, or not in time */
export async function runWithFailures(
  place: Place,
  flags: readonly string[],
  { seed, latency, pack, strategy, workers, kills, minutes }: ChaosOptions,
  served: Served | null,
  calls: number,
  say: (line: string) => void,
): Promise<Disturbed> {
  const faults = `${API_FAULTS},${ARGUMENTS_FAULT}`;
  const manners = { latency, seed, faults, pack, envUrl: environmentUrl(served) };
  const model = await ScriptedProcess.start('chaos', place.surroundings(), manners);
  const surroundings = place.surroundings(model.url);
  const start = () => Tauflow.start(['worker'], surroundings);
  const group = new ProcessGroup({ name: 'worker', start, ready: /worker on / }, seed);
  const files = new JsonWatch(place.folder, 'chaos', WATCH_MS);
  await group.open(workers);
  const started = Date.now();
  const follower = new Follower(
    ['run', '--no-worker', '--run-id', 'chaos', ...flags],
    surroundings,
    seed,
    () => served?.processes.size === 0,
  );
  const service: AgentProcesses | null =
    strategy === FASTWORKFLOW_PYTHON ? new AgentOfCommand(follower) : (served?.processes ?? null);
  const victims = strategy === FASTWORKFLOW_PYTHON || served?.processes.hasMore === true ? 'several' : 'one';
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), minutes * 60_000);
  try {
    const injecting = injectAll(
      { place, model, workers: group, service, follower },
      planFailures(seed, kills, service === null ? 'none' : victims),
      calls,
      stop.signal,
      say,
    );
    injecting.catch(() => stop.abort());
    await Promise.race([follower.done, outOfTime(stop.signal, minutes, injecting)]);
    stop.abort();
    const failures = await injecting;
    const outcome = await outcomeOf(place, 'chaos', model, started);
    return {
      ...outcome,
      failures,
      files: await files.end(),
      workers: group.started,
      resumed: follower.resumed,
      unexpected: [...group.unexpected, ...(service?.unexpected ?? []), ...follower.unexpected],
    };
  } finally {
    clearTimeout(late);
    stop.abort();
    await Promise.all([group.close(), follower.close(), files.end()]);
  }
}

function environmentUrl(served: Served | null): string | undefined {
  return served?.name === 'environment' ? served.url : undefined;
}

async function outcomeOf(place: Place, runId: string, model: ScriptedProcess, started: number): Promise<Outcome> {
  const seconds = Math.round((Date.now() - started) / 1000);
  const [stats, calls, data] = [await model.stats(), await model.calls(), await readRunData(place.folder, runId)];
  await model.end();
  return { data, calls, stats, seconds };
}

/** @throws the error of an injection, if that is what stopped everything */
async function outOfTime(stop: AbortSignal, minutes: number, injecting: Promise<unknown>): Promise<never> {
  await new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }));
  await injecting;
  throw new Error(`the run was not at its end after ${minutes} minutes`);
}
