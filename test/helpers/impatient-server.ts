/** A server that tries a failed workflow task again sooner, for tests that wait until one has failed several times. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { findBinary } from '../../src/temporal/server/testing.ts';
import { testEnvironment, testHome } from './temporal-environment.ts';

/**
 * A worker reports only the first failure of a task; each later attempt lasts until its timeout, to which the server adds
 * 5 s, then 10 s and more, were it not for this.
 */
const SETTING = 'history.workflowTaskRetryMaxInterval="1s"';

/**
 * Writes a Temporal CLI into a folder whose servers have that setting.
 * @returns its path, for `TEMPORAL_CLI_PATH`
 */
export async function impatientCli(folder: string): Promise<string> {
  const { path } = await findBinary({ home: testHome(), env: testEnvironment() });
  const script = join(folder, 'impatient-temporal');
  const lines = [
    '#!/bin/sh',
    `if [ "$1" = server ]; then set -- "$@" --dynamic-config-value '${SETTING}'; fi`,
    `exec '${path}' "$@"`,
  ];
  await writeFile(script, `${lines.join('\n')}\n`, { mode: 0o755 });
  return script;
}
