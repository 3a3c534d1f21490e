/**
 * Settings of the diagram that docs/architecture.md names: imports at run time. A type-only import creates no dependency between
 * layers.
 */
const { options } = require('./dependency-cruiser.cjs');

module.exports = {
  options: {
    ...options,
    tsPreCompilationDeps: false,
    includeOnly: '^(src|workflows|activities)/',
    exclude: '^src/(benchmark|errors|io|stats)/',
    collapse: '^(workflows|activities|src/agents/from-file|src/[^/]+)',
  },
};
