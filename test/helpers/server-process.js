/**
 * Commands as processes of their own: `server-process ensure|foreground WORKDIR HOME [PORT UIPORT]`. Prints the server as
 * one line of JSON when it is ready, and how the command ended as another. Runs from the build: a start costs less.
 */

import process from 'node:process';
import { ensureServer, runServerForeground } from '../../dist/src/temporal/server/index.js';
import { ServerError } from '../../dist/src/temporal/errors.js';

const [command, workDir, home, port, uiPort] = process.argv.slice(2);
const options = { workDir, home, env: process.env };
const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

try {
  if (command === 'ensure') print(await ensureServer(options));
  else {
    const ports = port === undefined ? {} : { ports: { port: Number(port), uiPort: Number(uiPort) } };
    print(await runServerForeground({ ...options, ...ports, onReady: print }));
  }
} catch (error) {
  if (!(error instanceof ServerError)) throw error;
  print({ kind: error.kind, message: error.message });
}
