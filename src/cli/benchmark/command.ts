/** `tauflow benchmark`: creates the folder of a user's own benchmark, and checks one. */

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { checkBenchmark, type BenchmarkReport } from '../../benchmarks/own/check.ts';
import { ExitCode } from '../../errors/index.ts';
import { printJson, type CliContext } from '../context.ts';
import { escapeControls } from '../terminal/style.ts';
import { initBenchmark } from './init.ts';

export function defineBenchmarkCommand(command: Command, context: CliContext): void {
  command
    .command('init')
    .description('write a folder with a small benchmark that runs at once; see docs/own-benchmark.md')
    .argument('<folder>', 'a new or empty folder; its name is the name of the benchmark')
    .action(async (folder: string) => {
      const name = await initBenchmark(resolve(context.cwd, folder));
      context.out(`wrote ${folder}, the benchmark ${name}; next:`);
      context.out(`  npx tauflow benchmark check ${folder}`);
      context.out(`  npx tauflow run --env ${/^[./]/.test(folder) ? folder : `./${folder}`} --model oracle`);
    });
  command
    .command('check')
    .description('check the form of a benchmark in a folder, and play the ground truth of every task')
    .argument('<folder>', 'the folder with benchmark.ts')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExits with 1 where a task or tool is wrong, with 2 where the folder cannot be used.')
    .action(async (folder: string, { json = false }: { readonly json?: boolean }) => {
      const report = await checkBenchmark(resolve(context.cwd, folder));
      if (json) printJson({ format_version: 1, ...toJson(report) }, context);
      else for (const line of formatReport(report)) context.out(line);
      if (report.problems.length > 0) context.end(ExitCode.Usage);
      else if (report.wrong.length > 0) context.end(ExitCode.Failed);
    });
}

function formatReport({ folder, problems, wrong, warnings, summary }: BenchmarkReport): string[] {
  const lines = [`${problems.length + wrong.length === 0 ? '✓' : '✗'} ${folder}`];
  if (summary !== null) {
    const { name, version, digest, splits, toolUse } = summary;
    const uses = toolUse === null ? null : Object.values(toolUse);
    const counts = Object.entries(splits).map(([split, count]) => `${split} ${count}`);
    lines.push(
      `  own:${name} (${digest.slice(0, 12)}), version ${version}; tasks: ${counts.join(', ')}; ` +
        (uses === null
          ? 'none could be played'
          : `they use ${uses.filter((calls) => calls > 0).length} of ${uses.length} tools`),
    );
  }
  lines.push(...problems.map((text) => `  problem: ${escapeControls(text)}`));
  lines.push(...wrong.map((text) => `  wrong: ${escapeControls(text)}`));
  lines.push(...warnings.map((text) => `  warning: ${escapeControls(text)}`));
  return lines;
}

function toJson({ summary, ...report }: BenchmarkReport): object {
  if (summary === null) return { ...report, summary };
  const { toolUse, ...rest } = summary;
  return { ...report, summary: { ...rest, tool_use: toolUse } };
}
