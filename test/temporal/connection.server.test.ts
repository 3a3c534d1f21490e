/** Connecting to the configured server or the local one, and the search attributes that runs are found by. */

import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import getPort from 'get-port';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  connect,
  readConfiguration,
  ensureSearchAttributes,
  type ConnectOptions,
  type TemporalConnection,
} from '../../src/temporal/client/index.ts';
import { findServer, stopServer } from '../../src/temporal/server/index.ts';
import { workflowUrl } from '../../src/evaluation/index.ts';
import { TauReward, searchAttributeKeys } from '../../workflows/client.ts';
import { TauSweep, TauTask } from '../../workflows/testing.ts';
import { testEnvironment, testHome } from '../helpers/temporal-environment.ts';

describe('a connection', () => {
  const key = 'very-secret-key';
  let workDir: string;

  beforeAll(async () => {
    workDir = await mkdtemp(join(tmpdir(), 'tauflow-connection-'));
  });

  afterAll(async () => {
    await stopServer(workDir);
    await rm(workDir, { recursive: true, force: true });
  });

  function options(env: Record<string, string>, more: Partial<ConnectOptions> = {}): ConnectOptions {
    return { workDir, home: testHome(), env: { ...env, HOME: workDir }, ...more };
  }

  async function configFile(text: string): Promise<string> {
    const file = join(workDir, 'temporal.toml');
    await writeFile(file, text);
    return file;
  }

  /** The text of an error with all that hangs on it, as a person would see it. */
  async function failureOf(promise: Promise<unknown>): Promise<{ kind: unknown; message: string; shown: string }> {
    const error = await promise.then(
      () => new Error('it succeeded'),
      (reason: unknown) => reason as Error,
    );
    return { kind: 'kind' in error ? error.kind : null, message: error.message, shown: inspect(error, { depth: 10 }) };
  }

  test('a configured address wins, and no local server is started', async () => {
    const { address } = inject('temporal');
    const temporal = await connect(options({ TEMPORAL_ADDRESS: address }));
    expect(temporal).toMatchObject({ address, namespace: 'default', origin: 'configured', server: null, uiUrl: null });
    expect(temporal.native).toEqual({ address, grpcCompression: { codec: 'none' } });
    await temporal.client.workflow.count();
    await temporal.close();
    expect(await findServer(workDir)).toBeNull();
  });

  test('with nothing configured the local server is started, and a worker connects with the same options', async () => {
    const temporal = await connect({ workDir, home: testHome(), env: testEnvironment() });
    expect(temporal).toMatchObject({ origin: 'local', namespace: 'default', uiUrl: temporal.server?.uiUrl });
    const worker = await NativeConnection.connect(temporal.native);
    await worker.close();
    await temporal.close();
  });

  test('a local server gets the namespace that is configured, and workflows can be started in it at once', async () => {
    const env = { ...testEnvironment(), TEMPORAL_NAMESPACE: 'evaluations', TEMPORAL_API_KEY: key };
    const temporal = await connect({ workDir, home: testHome(), env });
    expect(temporal).toMatchObject({ namespace: 'evaluations', native: { address: temporal.address } });
    expect(temporal.native).not.toHaveProperty('apiKey');
    const handle = await temporal.client.workflow.start('episode', { taskQueue: 'nobody', workflowId: 'a' });
    await handle.terminate();
    await temporal.close();
  });

  test('asked only to find a local server, none is started', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'tauflow-connection-'));
    const failure = await failureOf(connect(options({}, { workDir: empty, local: 'find' })));
    expect(failure).toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('`tauflow server`') as string,
    });
    await rm(empty, { recursive: true });
  });

  test('an address where nothing answers is one sentence', async () => {
    const address = `127.0.0.1:${await getPort()}`;
    const failure = await failureOf(connect(options({ TEMPORAL_ADDRESS: address, TEMPORAL_API_KEY: key })));
    expect(failure).toMatchObject({
      kind: 'unreachable',
      message: `no Temporal server at ${address}; start one with \`tauflow server\` or unset TEMPORAL_ADDRESS`,
    });
    expect(failure.shown).not.toContain(key);
  });

  test.each([
    [
      'TLS',
      { TEMPORAL_TLS: 'true' },
      /and does not answer over TLS; if it is a server without TLS, unset TEMPORAL_TLS,/,
    ],
    ['a key', { TEMPORAL_API_KEY: key }, /unset TEMPORAL_TLS, or TEMPORAL_API_KEY, which turns TLS on/],
  ])(
    'a server without TLS that is asked with %s is reported as that, in about ten seconds',
    async (_name, env, sentence) => {
      const { address } = inject('temporal');
      const startedAt = Date.now();
      const failure = await failureOf(connect(options({ TEMPORAL_ADDRESS: address, ...env })));
      expect(failure.kind).toBe('unreachable');
      expect(failure.message).toMatch(sentence);
      expect(Date.now() - startedAt).toBeLessThan(20_000);
    },
  );

  test('what is waited for is said at once, and after a while where a command is silent', async () => {
    // It takes connections and answers nothing.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const said: string[] = [];
    const waits: string[] = [];
    const startedAt = Date.now();
    const failing = failureOf(
      connect(
        options(
          { TEMPORAL_ADDRESS: address },
          { onProgress: (sentence) => said.push(sentence), onWait: (sentence) => waits.push(sentence) },
        ),
      ),
    );
    await expect.poll(() => said).toEqual([`connecting to ${address}`]);
    expect(waits).toEqual([]);
    expect(await failing).toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('it may be stopped or busy, or expect TLS (TEMPORAL_TLS=true)') as string,
    });
    expect(waits).toEqual([`connecting to ${address}`]);
    expect(Date.now() - startedAt).toBeLessThan(20_000);
    silent.close();
  });

  test('an unknown namespace is one sentence', async () => {
    const { address } = inject('temporal');
    const failure = await failureOf(connect(options({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'nowhere' })));
    expect(failure).toMatchObject({
      kind: 'namespace-missing',
      message: `the Temporal server at ${address} has no namespace nowhere; correct TEMPORAL_NAMESPACE, or create it with \`temporal operator namespace create --address ${address} --namespace nowhere\``,
    });
  });

  test('a profile of the configuration file gives address, namespace and key', async () => {
    const TEMPORAL_CONFIG_FILE = await configFile(
      `[profile.team]\naddress = "temporal.example:7233"\nnamespace = "team"\napi_key = "${key}"\n`,
    );
    expect(readConfiguration({ TEMPORAL_CONFIG_FILE, TEMPORAL_PROFILE: 'team' })).toEqual({
      address: 'temporal.example:7233',
      namespace: 'team',
      options: { address: 'temporal.example:7233', apiKey: key, tls: true },
    });
    expect(readConfiguration({ TEMPORAL_CONFIG_FILE }).address).toBeNull();
    expect(readConfiguration({ TEMPORAL_CONFIG_FILE }, 'team').namespace).toBe('team');
  });

  test('an empty TEMPORAL_ADDRESS asks for the local server whatever the file says', async () => {
    const TEMPORAL_CONFIG_FILE = await configFile('[profile.default]\naddress = "temporal.example:7233"\n');
    expect(readConfiguration({ TEMPORAL_CONFIG_FILE, TEMPORAL_ADDRESS: '' }).address).toBeNull();
  });

  test.each([
    ['an unknown profile', '', { TEMPORAL_PROFILE: 'nightly' }, 'nightly'],
    ['a file that is no TOML', `[profile.default]\napi_key = "${key}\n`, {}, 'Invalid TOML'],
  ])('%s is a usage error that shows no key', async (_name, text, env, part) => {
    const TEMPORAL_CONFIG_FILE = await configFile(text);
    const failure = await failureOf(connect(options({ ...env, TEMPORAL_CONFIG_FILE })));
    expect(failure.kind).toBe('bad-configuration');
    expect(failure.message).toContain(part);
    expect(failure.message).not.toContain('\n');
    expect(failure.shown).not.toContain(key);
  });

  test('a configuration file that is not there is an error, not a reason to use another server', async () => {
    const failure = await failureOf(connect(options({ TEMPORAL_CONFIG_FILE: join(workDir, 'missing.toml') })));
    expect(failure).toMatchObject({ kind: 'bad-configuration' });
  });

  test('a workflow page has the id in one piece', () => {
    expect(workflowUrl('http://127.0.0.1:8233', 'default', 'run/task-1/trial-0')).toBe(
      'http://127.0.0.1:8233/namespaces/default/workflows/run%2Ftask-1%2Ftrial-0',
    );
  });
});

describe('the search attributes', () => {
  let temporal: TemporalConnection;

  beforeAll(async () => {
    const { address, namespace } = inject('temporal');
    temporal = await connect({
      workDir: '.',
      home: testHome(),
      env: { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace },
    });
  });

  afterAll(() => temporal.close());

  /** A namespace that knows none of the attributes. */
  async function freshNamespace(name: string): Promise<string> {
    const namespace = `${name}-${Date.now()}`;
    const { connection } = temporal;
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
    });
    const isKnown = () => connection.workflowService.countWorkflowExecutions({ namespace }).then(Boolean, () => false);
    await expect.poll(isKnown, { timeout: 30_000 }).toBe(true);
    return namespace;
  }

  test('a namespace without the attributes gets all of them, and a second call adds nothing', async () => {
    const namespace = await freshNamespace('fresh');
    const first = await ensureSearchAttributes(temporal.connection, namespace);
    expect(first).toEqual({ kind: 'ready', added: searchAttributeKeys.map(({ name }) => name) });
    expect(await ensureSearchAttributes(temporal.connection, namespace)).toEqual({ kind: 'ready', added: [] });
  });

  test('two commands that register at once both succeed', async () => {
    const namespace = await freshNamespace('twice');
    const reports = await Promise.all([1, 2].map(() => ensureSearchAttributes(temporal.connection, namespace)));
    expect(reports.map(({ kind }) => kind)).toEqual(['ready', 'ready']);
  });

  test('workflows can be started with the attributes and found by them at once after registration', async () => {
    const sweep = `sweep-${Date.now()}`;
    const handle = await temporal.client.workflow.start('episode', {
      taskQueue: 'nobody',
      workflowId: `${sweep}/task-7/trial-0`,
      typedSearchAttributes: [
        { key: TauSweep, value: sweep },
        { key: TauTask, value: 7 },
        { key: TauReward, value: 0.5 },
      ],
    });
    const count = async () => (await temporal.client.workflow.count(`TauSweep = '${sweep}' AND TauTask = 7`)).count;
    await expect.poll(count).toBe(1);
    expect((await handle.describe()).typedSearchAttributes.get(TauReward)).toBe(0.5);
    await handle.terminate();
  });

  test('an attribute that exists with another type is reported, not replaced', async () => {
    const namespace = await freshNamespace('conflict');
    await temporal.connection.operatorService.addSearchAttributes({ namespace, searchAttributes: { TauTask: 2 } });
    const report = await ensureSearchAttributes(temporal.connection, namespace);
    expect(report).toMatchObject({ kind: 'unavailable', missing: ['TauTask'] });
  });

  test('a namespace whose slots are taken is reported, with what to do', async () => {
    const namespace = await freshNamespace('shared');
    await temporal.connection.operatorService.addSearchAttributes({ namespace, searchAttributes: { TheirCost: 4 } });
    expect(await ensureSearchAttributes(temporal.connection, namespace)).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringMatching(
        /^search attributes cannot be registered in namespace shared-\d+ \(.*more than 3 .* Double.*\); give Tauflow a namespace of its own \(TEMPORAL_NAMESPACE\)/,
      ) as unknown,
    });
  });

  test('a server that refuses the registration is reported, and nothing is thrown', async () => {
    // Nothing but this call fails, as on Temporal Cloud.
    const refusing = Object.create(temporal.connection, {
      operatorService: {
        value: {
          listSearchAttributes: () => Promise.resolve({ customAttributes: {} }),
          addSearchAttributes: () =>
            Promise.reject(
              Object.assign(new Error('7 PERMISSION_DENIED: no'), { code: 7, details: 'no', metadata: {} }),
            ),
        },
      },
    }) as Connection;
    const report = await ensureSearchAttributes(refusing, temporal.namespace);
    expect(report).toMatchObject({ kind: 'unavailable' });
    expect(report.kind === 'unavailable' && report.reason).toMatch(/cannot be registered .*PERMISSION_DENIED/);
  });
});
