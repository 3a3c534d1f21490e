import process from 'node:process';

const OTHERS_THAN_OPERATORS = [
  ...['ArrayDeclaration', 'ArrowFunction', 'AssignmentOperator', 'BlockStatement', 'ConditionalExpression'],
  ...['MethodExpression', 'ObjectLiteral', 'OptionalChaining', 'Regex', 'StringLiteral', 'UnaryOperator'],
];

/** Faults are put into the code one at a time, and the unit tests run that reach them. */
export default {
  packageManager: 'npm',
  mutator: { excludedMutations: process.env.OPERATORS_ONLY ? OTHERS_THAN_OPERATORS : [] },
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  // Commands are imported when they are called, so imports alone do not show which tests reach a file.
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  // What is not needed for unit tests is not copied.
  ignorePatterns: ['/dist', '/docs/images', '/results', '.tauflow', '/test/fixtures/histories'],
  concurrency: 2,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: true, logTests: false },
  tempDirName: 'test/mutation/.stryker-tmp',
  disableTypeChecks: false,
  checkers: [],
  timeoutMS: 60_000,
  dryRunTimeoutMinutes: 60,
};
