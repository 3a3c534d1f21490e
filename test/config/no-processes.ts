/**
 * Set-up of the projects without server: a test there that starts a process fails.
 *
 * The linter keeps the imports out of tests; this also catches what product code starts when a test calls it.
 */

import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

function refuse(): never {
  throw new Error(
    'A unit test started a process. Name its file *.server.test.ts, or start none; see test/config/vitest.config.ts.',
  );
}

// All asynchronous ways to start one end in this method.
Object.assign(childProcess.ChildProcess.prototype, { spawn: refuse });
Object.assign(childProcess, { spawnSync: refuse, execSync: refuse, execFileSync: refuse });
syncBuiltinESMExports();
