/** Faults are put into the code one at a time, and the unit tests run that reach them. */
export default {
  packageManager: 'npm',
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts' },
  // What is not needed for unit tests is not copied.
  ignorePatterns: ['/dist', '/docs/images', '/results', '.tauflow', '/test/fixtures/histories'],
  concurrency: 2,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: true, logTests: false },
  tempDirName: 'test/mutation/.stryker-tmp',
  disableTypeChecks: false,
  checkers: [],
  timeoutMS: 20_000,
};
