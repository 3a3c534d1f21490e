import js from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import ts from 'typescript-eslint';

import { SCHEDULED_TESTS, SERVER_TESTS } from './projects.js';

const root = new URL('../..', import.meta.url).pathname;

/** What workflow code may not import as a value: it would be dragged into every workflow's sandbox. */
const outsideTheSandbox = {
  patterns: [
    {
      group: [
        '**/activities/**',
        'zod',
        'zod/*',
        'openai',
        'openai/*',
        'node:*',
        '**/*.schema.ts',
        '!**/config.schema.ts',
        'lru-cache',
      ],
      allowTypeImports: true,
      message: 'Workflow-reachable code imports this as a type only.',
    },
  ],
};

/** All workflows of a worker share these modules: what one of them wrote there, another would read. */
const variablesOfModules = ['Program', 'Program > ExportNamedDeclaration'].map((place) => ({
  selector: `${place} > VariableDeclaration[kind!="const"]`,
  message: 'Workflows share this module: it keeps constants, and what is derived from them alone.',
}));

const serverMessage = 'Only a `server` test may ask for this; test/config/projects.js says which tests these are.';

/** What only tests of the vitest project `server` may import. */
const serverOnly = {
  paths: [
    ...['node:child_process', 'node:worker_threads', 'playwright-core'].map((name) => ({
      name,
      message: serverMessage,
      allowTypeImports: true,
    })),
    // Their errors and loggers need no server.
    {
      name: '@temporalio/client',
      importNames: ['Client', 'Connection'],
      message: serverMessage,
      allowTypeImports: true,
    },
    {
      name: '@temporalio/worker',
      importNames: ['NativeConnection', 'Runtime', 'Worker'],
      message: serverMessage,
      allowTypeImports: true,
    },
    { name: 'vitest', importNames: ['inject'], message: serverMessage },
  ],
};

/** What is not the public API of Temporal’s SDK has one folder, which an upgrade is checked against. */
const insideTheSdk = {
  selector:
    ':matches(ImportDeclaration, ExportNamedDeclaration, ImportExpression)[source.value=/^@temporalio\\u002f[a-z-]+\\u002flib\\u002f/]',
  message: 'Only src/temporal/sdk-internals/ imports from inside the SDK.',
};

const wholeZod = {
  selector: 'ImportDeclaration[source.value="zod"] > :matches(ImportSpecifier, ImportDefaultSpecifier)',
  message: "Write: import * as z from 'zod'. Of the object z a bundle keeps all, half of it messages in 50 languages.",
};

export default ts.config(
  // Examples have packages of their own.
  {
    ignores: [
      'examples/**/*.ts',
      '**/dist/**',
      '.cache/**',
      '**/node_modules/**',
      'results/**',
      '**/.tauflow/**',
      '**/.stryker-tmp/**',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [ts.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: [`${root}test/config/tsconfig.lint.json`], tsconfigRootDir: root } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      eqeqeq: 'error',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      'no-restricted-syntax': ['error', wholeZod],
    },
  },
  {
    files: ['**/*.ts'],
    ignores: ['src/temporal/sdk-internals/**'],
    rules: { 'no-restricted-syntax': ['error', wholeZod, insideTheSdk] },
  },
  {
    // Models write what these read: a pattern that backtracks, or is tried again from each character, costs their square.
    files: ['src/**/*.ts', 'src/**/*.tsx', 'workflows/**/*.ts', 'activities/**/*.ts', 'packages/**/*.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    files: [
      'workflows/**/*.ts',
      'src/benchmarks/**/*.ts',
      'src/agents/**/*.ts',
      'src/evaluation/**/*.ts',
      'src/episode/**/*.ts',
    ],
    ignores: [
      '**/*.schema.ts',
      // Lists for tests, which no workflow reaches.
      '**/testing.ts',
      'src/agents/from-file/**',
      'src/benchmarks/own/**',
      'src/benchmarks/packs/**',
      'src/benchmarks/*/content/**',
      'src/benchmarks/service/!(port|domain|rules|grading).ts',
      'src/benchmarks/service/*/**',
      'src/benchmarks/results.ts',
      'src/benchmarks/*/results/**',
    ],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', outsideTheSandbox] },
  },
  {
    files: ['src/benchmarks/**/*.ts', 'src/agents/**/*.ts', 'src/evaluation/**/*.ts', 'src/episode/**/*.ts'],
    ignores: [
      'src/agents/from-file/**',
      'src/benchmarks/own/**',
      'src/benchmarks/packs/**',
      'src/benchmarks/*/content/**',
      'src/benchmarks/service/!(port|domain|rules|grading).ts',
      'src/benchmarks/service/*/**',
      'src/benchmarks/results.ts',
      'src/benchmarks/*/results/**',
    ],
    rules: { 'no-restricted-syntax': ['error', wholeZod, insideTheSdk, ...variablesOfModules] },
  },
  {
    files: ['test/**/*.test.ts'],
    ignores: [...SCHEDULED_TESTS, ...SERVER_TESTS],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', serverOnly] },
  },
  {
    files: ['src/viewer/app/**'],
    languageOptions: { parserOptions: { project: [`${root}src/viewer/app/tsconfig.json`] } },
  },
  {
    files: ['test/config/*', 'test/mutation/*.config.*'],
    languageOptions: { globals: { URL: 'readonly' } },
    rules: { 'no-restricted-exports': 'off' },
  },
  // As a user writes it.
  { files: ['test/fixtures/{agent-function,new-agent,weak-agents}/*'], rules: { 'no-restricted-exports': 'off' } },
  {
    files: ['examples/**/*.mjs'],
    languageOptions: { globals: { console: 'readonly', fetch: 'readonly', process: 'readonly' } },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: { globals: { module: 'writable', process: 'readonly', require: 'readonly' } },
  },
);
