/** The places where a domain's name may occur in the program: adding a domain touches nothing else. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { domains } from '../../src/benchmarks/index.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const names = Array.from(domains.keys());
const NAME = new RegExp(names.join('|'), 'i');

/** A domain's own folders: its behaviour in both benchmarks, and two parts that it may have besides. */
const OWN_FOLDERS = names.flatMap((name) => [
  `src/benchmarks/tau-bench/${name}/`,
  `src/benchmarks/tau3/${name.replace('tau3-', '')}/`,
  `packages/task-generator/src/${name}/`,
  `src/agents/fastworkflow/catalogue/${name}.ts`,
]);

/** The registries, one line a domain. The first is needed, the others belong to the parts that a domain may have. */
const REGISTRIES = [
  'src/benchmarks/tau-bench/domains.ts',
  'src/benchmarks/tau3/domains.ts',
  'packages/task-generator/src/generate.ts',
  'src/agents/fastworkflow/catalogue/index.ts',
  'src/benchmarks/tau-bench/fastworkflow.ts',
  'src/benchmarks/tau3/fastworkflow.ts',
];

/** Files in which names stand for another reason. */
const OTHERS: Readonly<Record<string, string>> = {
  'packages/task-generator/src/options.ts': 'the default env',
  'src/benchmarks/registry.ts': 'the default env',
  'src/benchmarks/tau3/content/read.ts': 'the prompts of act and react, which are those of any domain',
  'src/benchmarks/service/pack.ts': 'the prompts of a supervisor of simulated users, which are those of any domain',
  'src/benchmarks/tau3/results/preflight.ts': 'the domains of the leaderboard',
  'packages/task-generator/src/command.ts': 'a help text',
  'src/cli/run/fastworkflow-python.ts': 'the workflow for the default env',
  'src/build/make-known-commits.ts': "the domains of tau-bench's repository",
  'src/pack-tools/import/identify.ts': "the paths of tau-bench's repository",
  'src/agents/fastworkflow/options.ts': 'a help text',
  'src/benchmarks/index.ts': 'the entry point, which names what it hands on',
};

/** Options of commands, whose help names what there is. */
const HELP_TEXT = /^\s*(?:\.option\(|\.description\(|['"`])/;

it("a domain's name occurs in its folder and in the registries only", () => {
  const found = ['src', 'workflows', 'activities', 'packages/task-generator/src']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .filter(
      (file) =>
        file.endsWith('.ts') && !file.endsWith('/testing.ts') && !REGISTRIES.includes(file) && !(file in OTHERS),
    )
    .filter((file) => !OWN_FOLDERS.some((folder) => file.startsWith(folder)))
    .flatMap((file) =>
      withoutComments(readFileSync(join(root, file), 'utf8'))
        .split('\n')
        .filter((line) => NAME.test(line) && !(file.startsWith('src/cli/') && HELP_TEXT.test(line)))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
