/** Where `run`'s options come from: the flags, then the config file, then the run that is resumed, then defaults. */

import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { UsageError } from '../../errors/index.ts';
import { gatherRoles, roleOptionNames } from './role-options.ts';
import { runOptionsSchema, type RawRunOptions, type RunOptions } from './options.schema.ts';

const NAMES: readonly string[] = [
  ...Object.keys(runOptionsSchema.shape).filter((option) => option !== 'roles'),
  ...roleOptionNames,
];
/** Options that have another name on the command line than in the program. */
const ALIASES: Readonly<Record<string, string>> = { provider: 'modelProvider' };

/**
 * Checks options and fills in defaults.
 * @throws UsageError with one sentence that names the flag
 */
export function parseRunOptions(raw: RawRunOptions): RunOptions {
  const { rest, roles } = gatherRoles(raw);
  const parsed = runOptionsSchema.safeParse({ ...rest, roles });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(`${issueSentence(issue)}.`);
}

function issueSentence(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'the options cannot be used';
  if (issue.code === 'unrecognized_keys') return `unknown option ${issue.keys.map(flagOf).join(', ')}`;
  const [option = '', role, field] = issue.path.map(String);
  const name = option === 'roles' ? flagOf(`${String(role)}${flagOf(String(field)).slice(1)}`) : flagOf(option);
  return `${name} ${issue.message}`;
}

/** `maxConcurrency` → `--max-concurrency`. */
export function flagOf(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Reads `--config`: a JSON object with the flags' names in snake_case or kebab-case.
 * @throws UsageError when it cannot be read, is not such an object, or names an unknown option
 */
export async function readConfigFile(path: string): Promise<RawRunOptions> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    throw new UsageError(`the config file ${path} cannot be read; check the path given with --config.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`the config file ${path} is not JSON: ${(error as Error).message}.`);
  }
  const parsed = z.record(z.string(), z.unknown()).safeParse(value);
  if (!parsed.success) throw new UsageError(`the config file ${path} must hold a JSON object of flags.`);
  const options: RawRunOptions = {};
  for (const [key, item] of Object.entries(parsed.data)) {
    const { option, isNegated } = named(key.replaceAll('-', '_'));
    if (option === undefined) throw new UsageError(`the config file ${path} has the unknown option "${key}".`);
    // Programs that write such files write null for what was not given.
    if (item === null) continue;
    if (isNegated && typeof item !== 'boolean') {
      throw new UsageError(`the config file ${path} has "${key}": ${JSON.stringify(item)}; it must be true or false.`);
    }
    options[option] = isNegated ? item === false : item;
  }
  return options;
}

/** The option that a key in snake_case means; `no_worker` is `worker` the other way round. */
function named(key: string): { option: string | undefined; isNegated: boolean } {
  const find = (snake: string) => {
    const camel = snake.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return ALIASES[snake] ?? NAMES.find((option) => option === camel);
  };
  const option = find(key);
  if (option !== undefined || !key.startsWith('no_')) return { option, isNegated: false };
  return { option: find(key.slice('no_'.length)), isNegated: true };
}
