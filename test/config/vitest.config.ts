/**
 * `npm test` runs three projects: `unit`, `slow` and `server`; `projects.js` says which test is in which. A file belongs
 * to `server` because its name ends in `.server.test.ts`; `vitest.scheduled.config.ts` runs those that take minutes each. All others do without the Temporal server and without
 * processes: `no-processes.ts` and the linter hold them to it.
 */

import { defineConfig } from 'vitest/config';

import { SCHEDULED_TESTS, SERVER_TESTS, SLOW_TESTS } from './projects.js';

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
    // Server tests wait for processes and timers half of their time: two cores have work for three files.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...SCHEDULED_TESTS, ...SERVER_TESTS, ...SLOW_TESTS],
          globalSetup: ['test/config/announce-skipped.ts'],
          setupFiles: ['test/config/no-processes.ts'],
          // Loading the same modules for each file again is half of the time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: SLOW_TESTS,
          exclude: [...SCHEDULED_TESTS, ...SERVER_TESTS],
          globalSetup: ['test/config/announce-skipped.ts'],
          setupFiles: ['test/config/no-processes.ts'],
        },
      },
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
