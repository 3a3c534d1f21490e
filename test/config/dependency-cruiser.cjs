/** Who may import whom: the rooms of the house, as the README's architecture section tells them. */

/** @param {string} room @param {string} allowed a regular expression of what it may import */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { pathNot: allowed },
});

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'not-to-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    // The viewer is bundled by the build, and its libraries with it.
    {
      name: 'not-to-dev-dep',
      severity: 'error',
      from: { pathNot: '^src/viewer/' },
      to: { dependencyTypes: ['npm-dev'] },
    },
    only('bench-is-pure', '^src/bench/', '^src/bench/', 'The benchmark imports nothing but itself.'),
    only(
      'stats-are-pure',
      '^src/stats/',
      '^src/stats/|^node_modules/(simple-statistics|pure-rand)/',
      'Statistics know numbers only.',
    ),
    only(
      'analysis-is-pure',
      '^src/analysis/',
      '^src/(bench|analysis)/',
      'Why an episode failed follows from the benchmark alone.',
    ),
    only(
      'agents-are-pure',
      '^src/agents/',
      '^src/(bench|agents)/|^node_modules/(leven|stemmer)/',
      'Strategies know the benchmark, their port, and libraries on words that are pure and small enough for a workflow.',
    ),
    only(
      'users-are-pure',
      '^src/users/',
      '^src/(bench|agents|users)/',
      'User simulators know their port and the agents’ message types.',
    ),
    only(
      'wire-is-pure',
      '^src/wire/',
      '^src/(bench|analysis|agents|users|wire)/|^src/packs/types',
      'What crosses Temporal is plain data.',
    ),
    {
      name: 'workflows-stay-in-the-sandbox',
      comment: 'Workflows import the SDK, pure rooms, and activities as types only.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: {
        pathNot: '^(workflows|src/(bench|agents|users|wire))/|node_modules/@temporalio/(workflow|common)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'viewer-is-browser-code',
      comment:
        'The report page knows the payload it is given, the words for what is in it, how episodes count, and its libraries.',
      severity: 'error',
      from: { path: '^src/viewer/' },
      to: {
        pathNot:
          '^src/viewer/|^src/analysis/types|^src/results/(figures|metrics/(metrics|pass-hat-k|turns)|compare/pairs)[.]|' +
          '^node_modules/(preact|@observablehq/plot)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'nothing-imports-the-viewer',
      severity: 'error',
      from: { pathNot: '^src/viewer/' },
      to: { path: '^src/viewer/' },
    },
    only(
      'llm-room',
      '^src/llm/',
      '^src/(llm|io|wire|agents|analysis|bench|packs|users)/|node_modules|^[a-z_:/]+$',
      'Model calls know packs and the wire.',
    ),
    {
      name: 'llm-knows-no-temporal',
      severity: 'error',
      from: { path: '^src/(llm|packs|results)/' },
      to: { path: 'node_modules/@temporalio' },
    },
    { name: 'nothing-imports-the-cli', severity: 'error', from: { pathNot: '^src/cli/' }, to: { path: '^src/cli/' } },
    {
      name: 'client-and-worker-live-in-temporal',
      severity: 'error',
      from: { pathNot: '^src/(temporal|cli)/' },
      to: { path: 'node_modules/@temporalio/(client|worker|core-bridge|envconfig)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
