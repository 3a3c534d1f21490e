/** Which tests are in which vitest project, by their names; all others are `unit`. The linter reads it too. */

/** Tests that need the Temporal server, a process, a bundle or a browser, and take minutes each: once a day is enough. */
export const SCHEDULED_TESTS = ['test/**/*.scheduled.test.ts'];

/** Tests that need the Temporal server, a process, a bundle or a browser. */
export const SERVER_TESTS = ['test/**/*.server.test.ts'];

/** Tests that replace modules (`vi.mock`), which all others share. */
export const MOCKED_TESTS = ['test/**/*.mocked.test.ts'];

/** Tests that need none of these, but much time. */
export const SLOW_TESTS = ['test/**/linear.test.ts', 'test/conformance/**/*.test.ts', 'test/**/*.slow.test.ts'];
