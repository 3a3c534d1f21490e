/**
 * `npm test` runs four projects: `unit`, `slow`, `mocked` and `server`; `projects.js` says by a file's name which test is in
 * which. `vitest.scheduled.config.ts` runs those that take minutes each. All but `server` do without the Temporal server and
 * without processes: `no-processes.ts` and the linter hold them to it.
 */

import { defineConfig } from 'vitest/config';

import { MOCKED_TESTS, SCHEDULED_TESTS, SERVER_TESTS, SLOW_TESTS } from './projects.js';

const generator = new URL('../../packages/task-generator/src/', import.meta.url).pathname;
const agents = new URL('../../src/agents/', import.meta.url).pathname;
const own = new URL('../../src/benchmarks/own/', import.meta.url).pathname;

export default defineConfig({
  resolve: {
    // What a user's agent or benchmark imports, from the sources.
    alias: [
      { find: /^tauflow\/agents$/, replacement: `${agents}public.ts` },
      { find: /^tauflow\/agents\/testing$/, replacement: `${agents}public-testing.ts` },
      { find: /^tauflow\/benchmark$/, replacement: `${own}public.ts` },
      { find: /^tauflow\/benchmark\/testing$/, replacement: `${own}public-testing.ts` },
      { find: /^tauflow-task-generator$/, replacement: `${generator}command.ts` },
    ],
  },
  test: {
    root: new URL('../..', import.meta.url).pathname,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A busy machine takes longer than the second that is vitest's default.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    // Server tests wait for processes and timers half of their time: two cores have work for five files.
    maxWorkers: 5,
    // Loading the same modules for each file again is half of the time; and a command that runs again in a test's process
    // costs a third of its first run.
    isolate: false,
    // The SDK repeats a call, from a timer, on a connection that a command has closed meanwhile: nobody can catch this.
    onUnhandledError: ({ message }) => message !== 'Channel has been shut down',
    setupFiles: [new URL('end-of-file.ts', import.meta.url).pathname],
    projects: [
      withoutServer('unit', ['test/**/*.test.ts'], [...SLOW_TESTS, ...MOCKED_TESTS]),
      withoutServer('slow', SLOW_TESTS),
      withoutServer('mocked', MOCKED_TESTS),
      {
        extends: true,
        test: {
          name: 'server',
          include: SERVER_TESTS,
          // Commands of the build that run in a test's process.
          server: { deps: { external: [/\/dist\/src\//] } },
          globalSetup: ['test/helpers/program.ts', 'test/helpers/temporal-server.ts'],
        },
      },
    ],
  },
});

function withoutServer(name: string, include: string[], others: string[] = []) {
  return {
    extends: true as const,
    test: {
      name,
      include,
      exclude: [...SCHEDULED_TESTS, ...SERVER_TESTS, ...others],
      globalSetup: ['test/config/announce-skipped.ts'],
      setupFiles: ['test/config/no-processes.ts'],
      isolate: include === MOCKED_TESTS,
    },
  };
}
