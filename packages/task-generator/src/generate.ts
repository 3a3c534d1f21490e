/**
 * Makes a synthetic pack: a domain's tables, policy, tool descriptions, prompts, and tasks whose ground truth is written
 * together with their instructions and proven. Everything is derived from the seed, nothing from the clock.
 */

import { dumpJson, type DumpableValue } from '../../../src/benchmarks/python/index.ts';
import {
  GENERATE_COMMAND,
  MANIFEST_FORMAT,
  PackError,
  listWords,
  hashData,
  tableFile,
  type Manifest,
} from '../../../src/benchmarks/packs/index.ts';
import {
  DEFAULT_DIFFICULTY,
  DEFAULT_ENV,
  formatFlag,
  settle,
  type GenerateOptions,
  type GenerateSettings,
} from './options.ts';
import agentPrompts from '../data/agent-prompts.json' with { type: 'json' };
import { TERMINATE_TOOLS, userPromptsFor } from './texts.ts';
import type { DomainGenerator, SettledSizes } from './generator.ts';
import { Random } from './random.ts';
import type { TaskListener } from './tasks/draw-tasks.ts';
import { airlineGenerator } from './airline/index.ts';
import { retailGenerator } from './retail/index.ts';

export interface GeneratedPack {
  readonly manifest: Manifest;
  /** File name → text, `pack.json` left out. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * @param onTask called for every generated task, with the defects of discarded ones
 * @throws PackError for options without a valid pack
 */
export function generatePack(options: GenerateOptions = {}, onTask?: TaskListener): GeneratedPack {
  const generator = findGenerator(options.env ?? DEFAULT_ENV);
  const settings = settle(options, generator.rules);
  const sizes = generator.settleSizes(options, settings);
  const random = new Random(String(settings.seed));
  const { texts, tables, drawTasks } = generator.make(random, settings, sizes);
  const drawing = { level: settings.level, taken: new Set<string>(), ...(onTask === undefined ? {} : { onTask }) };
  // Both strides reach every family: they have no factor in common with the size of any cycle.
  const test = drawTasks(random.fork('test'), { ...drawing, count: settings.tasks, stride: 1 });
  const dev = drawTasks(random.fork('dev'), { ...drawing, count: settings.devTasks, stride: 13 });
  const files = new Map<string, string>([
    ...Array.from(tables, ([table, records]): [string, string] => [tableFile(table), json(records)]),
    ['wiki.md', texts.policy.join('\n')],
    ['rules.json', json(texts.rules)],
    ['tools.json', json(texts.tools)],
    ['terminate_tools.json', json(TERMINATE_TOOLS)],
    ['user-prompts.json', json(userPromptsFor(texts.brand))],
    ['agent-prompts.json', json(agentPrompts)],
    ['tasks-test.json', json(test)],
    ['tasks-dev.json', json(dev)],
  ]);
  return { manifest: describe(settings, sizes, files), files };
}

function describe(settings: GenerateSettings, sizes: SettledSizes, files: ReadonlyMap<string, string>): Manifest {
  const hashes = Array.from(files, ([file, text]) => [file, hashData(text)] as const).sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return {
    format: MANIFEST_FORMAT,
    name: settings.name,
    domain: settings.env,
    source: formatCommand(settings, sizes),
    licence: 'MIT',
    files: Object.fromEntries(hashes),
  };
}

/** The command that makes the pack again. */
function formatCommand(
  { env, seed, tasks, devTasks, customers, level }: GenerateSettings,
  sizes: SettledSizes,
): string {
  const flags = Object.entries({ seed, tasks, devTasks, customers, ...sizes }).map(
    ([option, value]) => `${formatFlag(option)} ${String(value)}`,
  );
  return [
    GENERATE_COMMAND,
    ...(env === DEFAULT_ENV ? [] : [`--env ${env}`]),
    ...flags,
    ...(level.difficulty === DEFAULT_DIFFICULTY ? [] : [`--difficulty ${level.difficulty}`]),
  ].join(' ');
}

function json(value: DumpableValue): string {
  return `${dumpJson(value, { indent: 2 })}\n`;
}

const GENERATORS: readonly DomainGenerator[] = [retailGenerator, airlineGenerator];

/** @throws PackError that lists the domains */
function findGenerator(env: string): DomainGenerator {
  const found = GENERATORS.find(({ rules }) => rules.env === env);
  if (found !== undefined) return found;
  throw new PackError(
    `no pack can be generated for the env ${env}; there are ${listWords(GENERATORS.map(({ rules }) => rules.env))}.`,
  );
}
