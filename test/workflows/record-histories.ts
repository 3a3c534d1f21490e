/**
 * `node --import tsx test/workflows/record-histories.ts`: records the replay corpus anew, from real runs on a server of its own, into the next version
 * folder. Only the shipped pack is played, from a neutral folder, so that nothing of this machine is in a history.
 *
 * `node --import tsx test/workflows/record-histories.ts errors` records those alone whose names begin with that: where a workflow is new, and what the
 * others do has not changed.
 */

import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { historyToJSON } from '../../src/temporal/sdk-internals/testing.ts';

import { readPack, writePack } from '../../src/benchmarks/packs/index.ts';
import { tau3Importer } from '../../src/pack-tools/import-tau3/index.ts';
import { shippedPackFolder } from '../../src/benchmarks/testing.ts';
import { writeBundle } from '../../src/temporal/worker/testing.ts';
import { connect, ensureSearchAttributes } from '../../src/temporal/client/index.ts';
import { stopServer } from '../../src/temporal/server/index.ts';
import { writeTau3Checkout } from '../helpers/tau3-checkout.ts';
import { testEnvironment, testHome } from '../helpers/temporal-environment.ts';
import { corpusDir, zipHistory, type RecordedHistory } from './histories.ts';
import type { Recorded } from './recording.ts';
import { recordings } from './recordings.ts';
import { startRigOn, type RigServer } from './rig-on-server.ts';
import { startScriptedCaller } from './scripted.ts';

/** Beginning of the names of what is recorded. */
const [beginning = ''] = process.argv.slice(2);

/** A folder that says nothing of the machine: pack and run log of the recorded runs lie in it. */
const NEUTRAL = '/var/tmp/tauflow-histories';

async function record(server: RigServer, folder: string): Promise<void> {
  const shipped = await shippedPackFolder('retail');
  if (shipped === undefined) throw new Error('the shipped retail pack is missing; run in a whole checkout');
  await rm(NEUTRAL, { recursive: true, force: true });
  await cp(shipped, join(NEUTRAL, 'retail'), { recursive: true });
  const pack = await readPack(join(NEUTRAL, 'retail'));
  const checkout = await writeTau3Checkout(join(NEUTRAL, 'tau2-bench'));
  const { packs } = await tau3Importer.read(checkout, 'it', { domains: ['tau3-telecom'] });
  const [telecom] = packs;
  if (telecom === undefined) throw new Error('there is no pack whose users have tools');
  await writePack(join(NEUTRAL, 'tau3-telecom'), telecom);
  const withUserTools = await readPack(join(NEUTRAL, 'tau3-telecom'));
  const scripted = await startScriptedCaller({ packs: [pack, withUserTools] });
  try {
    for (const [name, { options, run }] of Object.entries(recordings(scripted.callModel, withUserTools))) {
      if (!name.startsWith(beginning)) continue;
      const rig = await startRigOn(server, { pack, ...options, runId: name, logDir: join(NEUTRAL, 'log') });
      try {
        for (const recorded of await run(rig)) await writeHistory(folder, recorded);
      } finally {
        await rig.stop();
      }
    }
  } finally {
    await scripted.close();
    await rm(NEUTRAL, { recursive: true, force: true });
  }
}

async function writeHistory(folder: string, { name, handle }: Recorded): Promise<void> {
  const history = neutral(JSON.parse(historyToJSON(await handle.fetchHistory())) as RecordedHistory['history']);
  const machine = [`@${hostname()}`, `${process.cwd()}/`, `${workDir}/`];
  const traces = [...texts(history)].filter((text) => machine.some((trace) => text.includes(trace)));
  if (traces[0] !== undefined) throw new Error(`${name} speaks of this machine: ${traces[0].slice(0, 200)}`);
  await writeFile(join(folder, `${name}.json.gz`), zipHistory({ workflowId: handle.workflowId, history }));
  process.stdout.write(`${name}: ${history.events.length} events\n`);
}

/** Names of processes and stack traces mean nothing to a replay, and speak of this machine. */
function neutral<T>(value: T): T {
  const text = JSON.stringify(value, (key, item: unknown) => {
    if (key === 'identity') return 'recorder';
    if (key === 'stackTrace') return '';
    // A worker's own queue is named for its process.
    return typeof item === 'string' ? item.replaceAll(`${process.pid}@${hostname()}`, 'recorder') : item;
  });
  return JSON.parse(text) as T;
}

/** Every text in a history, those in payloads decoded. */
function* texts(value: unknown, key = ''): Generator<string> {
  if (typeof value === 'string') yield key === 'data' ? Buffer.from(value, 'base64').toString('utf8') : value;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, item] of Object.entries(value)) yield* texts(item, name);
}

async function nextVersion(): Promise<string> {
  await mkdir(corpusDir, { recursive: true });
  const versions = (await readdir(corpusDir)).flatMap((name) => /^v(\d+)$/.exec(name)?.[1] ?? []).map(Number);
  return join(corpusDir, `v${Math.max(0, ...versions) + 1}`);
}

const workDir = await mkdtemp(join(tmpdir(), 'tauflow-histories-'));
try {
  const workflowBundle = join(workDir, 'workflows.cjs');
  await writeBundle(workflowBundle);
  const temporal = await connect({ workDir, home: testHome(), env: testEnvironment(), onProgress: () => undefined });
  const { address, namespace } = temporal;
  await ensureSearchAttributes(temporal.connection, namespace);
  await temporal.close();
  const folder = await nextVersion();
  await mkdir(folder);
  await record({ address, namespace, workflowBundle }, folder);
  process.stdout.write(`${dirname(folder)} has a new version: ${folder}\n`);
} finally {
  await stopServer(workDir);
  await rm(workDir, { recursive: true, force: true });
}
