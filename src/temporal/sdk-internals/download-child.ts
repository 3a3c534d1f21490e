/**
 * Program `download-child FOLDER VERSION`: makes the SDK's core download the Temporal CLI into
 * the folder, start it once, and end it.
 */

import { createRequire } from 'node:module';
import { native } from '@temporalio/core-bridge';

const [downloadDir, version] = process.argv.slice(2);
if (downloadDir === undefined || version === undefined) throw new Error('usage: download-child FOLDER VERSION');

/** Version of the SDK. It is read at run time, because the package's types do not include its manifest. */
const { version: sdkVersion } = createRequire(import.meta.url)('@temporalio/core-bridge/package.json') as {
  version: string;
};

const runtime = native.newRuntime({
  logExporter: { type: 'console', filter: 'OFF', format: null },
  telemetry: { attachServiceName: false, metricPrefix: 'temporal_' },
  metricsExporter: null,
  workerHeartbeatIntervalMillis: null,
});

try {
  const server = await native.newEphemeralServer(runtime, {
    type: 'dev-server',
    exe: {
      type: 'cached-download',
      downloadDir,
      version,
      ttl: 24 * 60 * 60 * 1_000,
      sdkName: 'sdk-typescript',
      sdkVersion,
    },
    namespace: 'default',
    ip: '127.0.0.1',
    port: null,
    uiPort: null,
    dbFilename: null,
    ui: false,
    log: { format: 'text', level: 'never' },
    extraArgs: [],
  });
  await native.ephemeralServerShutdown(server);
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
