/** Settings of `npm run docs:imports`: imports at run time. A type-only import creates no dependency between layers. */
const { options } = require('./dependency-cruiser.cjs');

module.exports = { options: { ...options, tsPreCompilationDeps: false } };
