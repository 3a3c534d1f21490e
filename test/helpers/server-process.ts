/**
 * Commands as processes of their own: `server-process ensure|foreground WORKDIR [PORT UIPORT]`. Prints the server as
 * one line of JSON when it is ready, and how the command ended as another.
 */

import { ensureServer, runServerForeground } from '../../src/temporal/server/index.ts';
import { ServerError } from '../../src/temporal/errors.ts';
import { testEnvironment, testHome } from './temporal-environment.ts';

const [command, workDir = '', port, uiPort] = process.argv.slice(2);
const options = { workDir, home: testHome(), env: testEnvironment() };
const print = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);

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
