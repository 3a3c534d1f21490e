/** A worker process of sdk-internals.server.test.ts; its environment says of which server and queue. */

import { NativeConnection, Runtime, Worker, DefaultLogger } from '@temporalio/worker';
import { withRepairedThread } from '../../src/temporal/sdk-internals/index.ts';
import { fileURLToPath } from 'node:url';

const setting = process.env['LOOPING_WORKER'] ?? '';
const { address, namespace, taskQueue } = JSON.parse(setting) as Record<'address' | 'namespace' | 'taskQueue', string>;
Runtime.install({ logger: new DefaultLogger('ERROR') });
const connection = await NativeConnection.connect({ address });
const workflowsPath = fileURLToPath(new URL('./looping-workflows.ts', import.meta.url));
const worker = await withRepairedThread(
  () => Worker.create({ connection, namespace, taskQueue, workflowsPath }),
  (message) => void process.stderr.write(message),
);
await worker.run();
