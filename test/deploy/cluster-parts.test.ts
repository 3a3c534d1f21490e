/** Parts of `npm run cluster` that start nothing; `deploy.server.test.ts` starts all of it where it can. */

import { describe, expect, it } from 'vitest';
import { readComposeParts } from './cluster/compose-parts.ts';
import { readOptions } from './cluster/options.ts';
import { findPrograms } from './cluster/programs.ts';

describe('options of the cluster', () => {
  it('have defaults: one worker, and no command', () => {
    expect(readOptions([])).toEqual({
      help: false,
      workers: 1,
      workerFlags: [],
      deployAfter: undefined,
      restartAfter: undefined,
      upgradeTo: undefined,
      sampleEvery: 30,
      command: [],
    });
  });

  it('leave the flags of the command to the command', () => {
    const flags = ['--workers', '2', '--worker-flags=--log-dir x', '--', 'tauflow', 'run', '--workers', '4'];
    expect(readOptions(flags)).toMatchObject({
      workers: 2,
      workerFlags: ['--log-dir', 'x'],
      command: ['tauflow', 'run', '--workers', '4'],
    });
  });

  it.each([
    [['--workers', 'two'], /^--workers: /],
    [['--restart-after', '0'], /^--restart-after: /],
    [['--upgrade-to', 'bin'], /^--upgrade-to needs --restart-after$/],
    [['--unknown'], /--unknown/],
  ])('refuse %j in a sentence that names the flag', (flags, message) => {
    expect(() => readOptions(flags)).toThrow(message);
  });
});

describe('parts of docker-compose.yml', () => {
  const parts = readComposeParts();

  it('are scripts as a container has them, with a shell’s single dollar', () => {
    expect(parts.config('schema-script')).toContain('--db "$database"');
    expect(parts.config('namespace-script')).not.toContain('$$');
  });

  it('are settings of the server, without those that need a value from outside', () => {
    expect(parts.serverEnvironment).toMatchObject({ DB: 'postgres12', NUM_HISTORY_SHARDS: '512' });
    expect(Object.keys(parts.serverEnvironment)).not.toContain('POSTGRES_PWD');
  });

  it('have no config that docker-compose.yml lacks', () => {
    expect(() => parts.config('other')).toThrow('docker-compose.yml has no config other');
  });
});

it.each([
  [{}, /^TEMPORAL_BIN is not set; name a folder .* go install go\.temporal\.io/],
  [{ TEMPORAL_BIN: '/nowhere' }, /^\/nowhere\/temporal-server or \/nowhere\/server is missing; name a folder/],
])('the message about a missing part of a cluster says how to get it: %j', (env, message) => {
  expect(() => findPrograms(env)).toThrow(message);
});
