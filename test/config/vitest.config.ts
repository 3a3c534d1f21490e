import { defineConfig } from 'vitest/config';

const agents = new URL('../../src/agents/', import.meta.url).pathname;

export default defineConfig({
  resolve: {
    // What a user's agent imports, from the sources.
    alias: [
      { find: /^tauflow\/agents$/, replacement: `${agents}index.ts` },
      { find: /^tauflow\/agents\/testing$/, replacement: `${agents}testing.ts` },
    ],
  },
  test: {
    root: new URL('../..', import.meta.url).pathname,
    globalSetup: ['test/helpers/temporal-server.ts'],
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A busy machine takes longer than the second that is vitest's default.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
});
