/** The modules and their import rules; docs/architecture.md describes them. */

/**
 * Folders whose contents are private but for their entry points. Where folders nest, the inner ones are modules.
 */
const MODULE =
  'workflows|activities|packages/[^/]+/src|src/(?:(?:results|temporal|pack-tools)/[^/]+|run-log/(?:store|sync)|run-setup/options|agents/(?:from-file|users)|models/prompts|benchmarks/python|[^/]+)';

/** The content of benchmarks, which runs on Node. */
const CONTENT = 'packs/|contents?[.]ts|[^/]+/content/|service/(?!port|domain|rules|grading)|own/';

const ENTRY_POINTS = [
  '/index[.]ts$',
  // Messages and types of the workflows, for clients: `index.ts` holds the workflow functions alone.
  '^workflows/client[.]ts$',
  // Schemas, which workflow code must not reach.
  '^src/evaluation/(kinds|model-settings)[.]schema[.]ts$',
  // For workflow code, without the code of domains.
  '^src/benchmarks/pure[.]ts$',
  // For workflow code; and for `tauflow agent check`, which needs the scripted model.
  '^src/agent-service/(pure|check/index)[.]ts$',
  // Whether the build is older than its sources, without what a build needs.
  '^src/build/build-if-stale[.]ts$',
  // What a user’s agent imports as `tauflow/agents` and what is below it.
  '^src/agents/(public|public-testing|fastworkflow/public)[.]ts$',
  // What a user’s condition imports as `tauflow/conditions`.
  '^src/conditions/public[.]ts$',
  // What a user’s benchmark imports as `tauflow/benchmark`, and its tests.
  '^src/benchmarks/own/(public|public-testing|check)[.]ts$',
  // What users import as `tauflow/stats`.
  '^src/stats/public[.]ts$',
  // What benchmarks are on Node: their packs, prompts and defaults.
  '^src/benchmarks/contents[.]ts$',
  // Files of domains that are larger than most code needs.
  '^src/benchmarks/fastworkflow[.]ts$',
  // The name of a pack, which crosses Temporal.
  '^src/benchmarks/packs/ref[.]ts$',
  // Recorded grades and results files with their schemas, which workflow code must not reach.
  '^src/benchmarks/(results|python/values[.]schema)[.]ts$',
  // Without a model SDK, for flags and help.
  '^src/models/providers[.]ts$',
  '^src/scripted-model/(case-code|faults)[.]ts$',
  // The part of the SDK's internals that workflow code reaches.
  '^src/temporal/sdk-internals/workflow-tracing[.]ts$',
  // The errors of all parts of it.
  '^src/temporal/errors[.]ts$',
  // Surroundings and versions, which every command imports.
  '^src/host/surroundings[.]ts$',
];

/** @param {string} allowed a regular expression of what may be imported */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { pathNot: allowed },
});

const OF_TESTS = [
  {
    name: 'tests-import-entry-points',
    comment: 'A test imports a module’s entry point, or its `testing.ts`, which lists what tests need of its inside.',
    severity: 'error',
    // A fixture may be a file that a test puts into a module.
    from: { path: '^test/(?!fixtures/)' },
    to: {
      path: `^(?:${MODULE})/`,
      pathNot: [
        ...ENTRY_POINTS,
        '/testing[.]ts$',
        // `vi.mock` replaces the file itself.
        '^src/benchmarks/tau-bench/domains[.]ts$',
      ],
    },
  },
  {
    name: 'only-tests-import-testing',
    severity: 'error',
    from: { pathNot: '^test/' },
    to: { path: '/testing[.]ts$' },
  },
  {
    name: 'perf-imports-entry-points',
    severity: 'error',
    from: { path: '^perf/' },
    to: {
      path: `^(?:${MODULE})/`,
      pathNot: ENTRY_POINTS,
    },
  },
];

/** Lets tests and their lists off the rules of the program. */
const forTheProgram = (rule) =>
  OF_TESTS.includes(rule)
    ? rule
    : { ...rule, from: { ...rule.from, pathNot: ['^test/', '/testing[.]ts$', ...[rule.from.pathNot ?? []].flat()] } };

module.exports = {
  forbidden: [
    ...OF_TESTS,
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'not-to-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'not-to-dev-dep',
      comment:
        'The package has these modules as they are; the build bundles the others, and their libraries with them.',
      severity: 'error',
      from: {
        path: `^(workflows|src/(agents(?!/from-file)|benchmarks(?!/(?:${CONTENT}))|conditions|episode|errors|evaluation|orchestration|temporal/sdk-internals))/`,
      },
      to: { dependencyTypes: ['npm-dev'] },
    },
    {
      name: 'only-entry-points',
      comment: 'A module is imported through its entry point; what is not exported there is private to it.',
      severity: 'error',
      // The build calls what makes each module's bundle, which is private to that module.
      from: { path: `^(?!src/build/)(${MODULE})/` },
      to: {
        path: `^(?:${MODULE})/`,
        pathNot: ['^$1/', ...ENTRY_POINTS],
      },
    },
    only(
      'benchmarks-are-pure',
      `^src/benchmarks/(?!${CONTENT}|results[.]ts|[^/]+/results/|python/values)`,
      `^src/benchmarks/(?!${CONTENT})|^data/`,
      'But for their content, benchmarks import nothing but themselves.',
    ),
    only(
      'results-of-benchmarks-are-plain',
      '^src/benchmarks/(results[.]ts|[^/]+/results/|python/values)',
      '^src/benchmarks/|^node_modules/zod/',
      'Results files are made of plain data.',
    ),
    only('errors-are-pure', '^src/errors/', '^src/errors/', 'The family of errors imports nothing.'),
    only(
      'stats-are-pure',
      '^src/stats/',
      '^src/stats/|^node_modules/(simple-statistics|pure-rand)/',
      'Statistics know numbers only.',
    ),
    only(
      'analysis-is-pure',
      '^src/analysis/',
      `^src/(benchmarks/(?!${CONTENT})|analysis/)`,
      'Why an episode failed follows from the benchmark alone.',
    ),
    only(
      'conditions-are-pure',
      '^src/conditions/',
      `^src/(benchmarks/(?!${CONTENT})|conditions/)`,
      'A condition changes texts and calls of the benchmark alone.',
    ),
    only(
      'audit-knows-packs',
      '^src/pack-tools/audit/',
      '^src/(benchmarks|pack-tools/audit)/',
      'What is wrong with a task follows from the benchmark and the pack.',
    ),
    only(
      'task-generator-knows-packs',
      '^packages/task-generator/',
      '^packages/task-generator/|^src/benchmarks/|^node_modules/commander/|^[a-z_:/]+$',
      'The generator makes packs of what the benchmark is.',
    ),
    {
      name: 'nothing-imports-a-package',
      comment: 'The program runs without them.',
      severity: 'error',
      from: { pathNot: '^packages/' },
      to: { path: '^packages/' },
    },
    only(
      'agents-are-pure',
      '^src/agents/(?!from-file/)',
      `^src/(benchmarks/(?!${CONTENT})|agents/(?!from-file/))|^data/|^node_modules/(leven|stemmer)/`,
      'Strategies know the benchmark, their port, and libraries on words that are pure and small enough for a workflow.',
    ),
    only(
      'evaluation-is-pure',
      '^src/evaluation/',
      `^src/(benchmarks/(?!${CONTENT})|analysis/|agents/|conditions/|evaluation/)|^src/benchmarks/packs/ref|^node_modules/zod/`,
      'What crosses Temporal is plain data.',
    ),
    only(
      'setup-starts-nothing',
      '^src/run-setup/',
      '^src/(agents|agent-service|benchmarks|conditions|episode|errors|evaluation|io|models|results|run-log|run-setup)/|^node_modules/zod/|^[a-z_:/]+$',
      'What a run will do is decided from its options, its pack and its log.',
    ),
    {
      name: 'only-commands-set-up-runs',
      comment: 'A worker and a workflow are given what a command decided.',
      severity: 'error',
      from: { pathNot: '^(src/(cli|run-setup)|perf)/' },
      to: { path: '^src/run-setup/' },
    },
    only(
      'episode-is-pure',
      '^src/episode/',
      '^src/(benchmarks/(?!packs/)|analysis/|agents/(?!from-file/)|conditions/|errors/|evaluation/|episode/)|^src/(benchmarks/packs/ref|agent-service/pure)[.]ts$',
      'An episode knows neither Temporal nor Node.',
    ),
    only(
      'orchestration-is-pure',
      '^src/orchestration/',
      `^src/(benchmarks(?!/(?:${CONTENT}))|analysis|agents|episode|orchestration|evaluation)/|^src/agent-service/pure[.]ts$`,
      'State machines of workflows know neither Temporal nor a clock.',
    ),
    {
      name: 'workflows-stay-in-the-sandbox',
      comment: 'Workflows import the SDK, pure modules, and activities as types only.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: {
        pathNot: `^(workflows|src/(benchmarks(?!/(?:${CONTENT}))|agents|conditions|episode|errors|evaluation|orchestration))/|^src/agent-service/pure[.]ts$|node_modules/@temporalio/(workflow|common)`,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'workflows-need-no-domain',
      comment:
        'Workflow code imports the rules and grades of benchmarks, not the code of domains: each sandbox evaluates it.',
      severity: 'error',
      from: {
        path: '^(workflows|src/(agents(?!/from-file)|conditions|episode|evaluation|orchestration))/|^src/agent-service/pure[.]ts$',
      },
      to: { path: '^src/benchmarks/index[.]ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-app-is-browser-code',
      comment: 'The app of the pages knows their data, how episodes count and figures are written, and its libraries.',
      severity: 'error',
      from: { path: '^src/viewer/app/' },
      to: {
        pathNot:
          '^src/viewer/(app/|data/words[.]ts$)|^src/analysis/|^src/results/(metrics|document)/|^node_modules/(preact|@observablehq/plot)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'nothing-imports-the-app',
      severity: 'error',
      from: { pathNot: '^src/viewer/app/' },
      to: { path: '^src/viewer/app/' },
    },
    {
      name: 'pack-tools-are-not-for-run-time',
      comment: 'Import and generation of packs are tools: only their commands import them.',
      severity: 'error',
      from: { pathNot: '^src/(build|pack-tools|cli/packs)/' },
      to: { path: '^src/pack-tools/(?!audit/)' },
    },
    only(
      'models-know-no-workflow',
      '^src/models/',
      '^src/(models|errors|io|episode|evaluation|agents|analysis|benchmarks|conditions)/|node_modules|^[a-z_:/]+$',
      'Model calls know packs and the wire.',
    ),
    {
      name: 'temporal-only-where-it-belongs',
      severity: 'error',
      from: { path: '^src/(models|scripted-model|benchmarks|pack-tools|results|run-log)/' },
      to: { path: 'node_modules/@temporalio' },
    },
    {
      name: 'temporal-knows-no-activity',
      comment: 'Activities ask the Temporal client; workers take whatever activities they are given.',
      severity: 'error',
      from: { path: '^src/temporal/' },
      to: { path: '^activities/' },
    },
    only(
      'host-knows-no-command',
      '^src/host/',
      '^(activities|src/(agents|agent-service|benchmarks|conditions|errors|episode|evaluation|host|io|models|orchestration|run-log/store|scripted-model|temporal))/|node_modules|^[a-z_:/]+$',
      'A host puts up processes; what they are for is the command’s.',
    ),
    only(
      'viewer-reads-what-is-on-disk',
      '^src/viewer/(?!app/)',
      '^src/(analysis|benchmarks|build|episode|errors|evaluation|io|results|run-log|viewer)/|^node_modules/(lru-cache|esbuild)/|^[a-z_:/]+$',
      'The pages need no Temporal server and call no model.',
    ),
    {
      name: 'nothing-imports-the-cli',
      severity: 'error',
      from: { pathNot: '^(src/cli|perf)/' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'internals-of-the-sdk-live-in-one-folder',
      comment: 'Outside of src/temporal/sdk-internals the SDK is its public API; docs/internals/sdk-internals.md.',
      severity: 'error',
      from: { pathNot: '^src/temporal/sdk-internals/' },
      to: { path: '@temporalio/(core-bridge/|[^/]+/lib/(?!index[.]))' },
    },
    {
      name: 'client-and-worker-live-in-temporal',
      severity: 'error',
      from: { pathNot: '^(perf|src/(temporal|cli))/' },
      to: { path: 'node_modules/@temporalio/(client|worker|core-bridge|envconfig)' },
    },
  ].map(forTheProgram),
  options: {
    doNotFollow: { path: '^(node_modules|dist)/' },
    // The build, which some tests import as users do.
    exclude: { path: '^dist/' },
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
