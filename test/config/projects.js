/** Which tests are in which vitest project; those that are in neither list are `unit`. The linter reads it too. */

/** Tests that need the Temporal server, a process or a browser. */
export const SERVER_TESTS = ['test/{cli,durability,temporal,workflows}/**/*.test.ts', 'test/**/*.server.test.ts'];

/** Tests that need none of these, but much time or (`vi.mock`) modules of their own, which `unit` tests share. */
export const SLOW_TESTS = ['test/**/linear.test.ts', 'test/conformance/**/*.test.ts', 'test/**/*.slow.test.ts'];
