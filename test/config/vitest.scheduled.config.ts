/** `npm run test:scheduled` runs the tests that take minutes each; GitHub does so once a day. */

import { defineConfig } from 'vitest/config';

import { SCHEDULED_TESTS } from './projects.js';
import usual from './vitest.config.ts';

export default defineConfig({
  ...usual,
  test: {
    ...usual.test,
    projects: [
      {
        extends: true,
        test: {
          name: 'scheduled',
          include: SCHEDULED_TESTS,
          isolate: true,
          globalSetup: ['test/helpers/program.ts', 'test/helpers/temporal-server.ts'],
        },
      },
    ],
  },
});
