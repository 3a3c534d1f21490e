/** Options of a run on an environment service: its domain, and its defaults for steps and splits. */

import { getContent } from '../benchmarks/contents.ts';
import { chooseService, resolvePack, resolveService, type Pack } from '../benchmarks/packs/index.ts';
import { UsageError } from '../errors/index.ts';
import { suggestName } from '../io/index.ts';
import { environmentOptions } from '../evaluation/kinds.schema.ts';
import type { RawRunOptions } from './options/index.ts';
import { chooseEnv } from './env.ts';

/**
 * Completes options that name an environment service with the service's answers; returns other options unchanged.
 * @throws UsageError, UnreachableError, PackError
 */
export async function withEnvironment(
  raw: RawRunOptions,
  { cwd, env: environ }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<RawRunOptions> {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const options = environmentOptions.safeParse(raw.envOptions ?? {});
  // The problem is reported where all options are checked.
  if (!options.success) return raw;
  const flags = { url: text(raw.envUrl), options: options.data, replays: raw.envReplays === true };
  const choice = chooseService({ env: text(raw.env), pack: text(raw.pack), ...flags }, cwd);
  if (choice === null) return raw;
  const { source } = choice;
  const folder = source.kind === 'folder' ? source.path : undefined;
  const pack = await resolveService(choice, environ);
  const { maxSteps = getContent(pack.domain).defaults.maxSteps } = describeDefaults(pack);
  return {
    ...{ taskSplit: defaultSplit(pack), maxSteps },
    ...raw,
    env: pack.domain,
    pack: folder,
    taskIds:
      raw.taskIds === undefined
        ? undefined
        : resolveTaskNumbers(pack, text(raw.taskSplit) ?? defaultSplit(pack), raw.taskIds),
  };
}

/**
 * Replaces the names that a service gives the tasks of a split by their numbers. @throws UsageError for an unknown name
 */
export function resolveTaskNumbers({ splits }: Pack, split: string, given: unknown): readonly string[] {
  return numberNames(
    (splits[split] ?? []).map(({ name }) => name),
    given,
    `split ${split}`,
  );
}

/**
 * Replaces names of tasks by their positions in the list; if no task has a name, words stay unchanged.
 * @param where subject of the error: `split test`
 * @throws UsageError for an unknown name
 */
export function numberNames(names: readonly (string | undefined)[], given: unknown, where: string): readonly string[] {
  const words = [given].flat().map(String);
  const known = names.filter((name) => name !== undefined);
  if (known.length === 0) return words;
  return words
    .flatMap((word) => (names.includes(word) ? [word] : word.split(/[\s,]+/).filter((part) => part !== '')))
    .map((word) => {
      if (/^\d+(-\d+)?$/.test(word)) return word;
      const number = names.indexOf(word);
      if (number !== -1) return String(number);
      throw new UsageError(`--task-ids: ${where} has no task "${word}"${suggestName(word, known)}.`);
    });
}

function describeDefaults({ environment }: Pack) {
  return environment?.service.description.defaults ?? {};
}

/** Returns the default split of a pack: its environment service's, or its benchmark's. */
export function defaultSplit(pack: Pack): string {
  const { taskSplit } = getContent(pack.domain).defaults;
  if (pack.environment === undefined) return taskSplit;
  // A domain may lack the service's default. The order of a JSON object's keys has no meaning; it decides last.
  const named = [describeDefaults(pack).split, taskSplit].find((name = '') => Object.hasOwn(pack.splits, name));
  return named ?? Object.keys(pack.splits)[0] ?? taskSplit;
}

/** Parses the value of `--env-options`. @throws UsageError */
export function parseEnvironmentOptions(text: string | undefined): Readonly<Record<string, unknown>> {
  const options = environmentOptions.safeParse(text ?? {});
  if (options.success) return options.data;
  throw new UsageError(`--env-options ${options.error.issues[0]?.message ?? 'cannot be read'}.`);
}

/** Flags of commands that are about a pack, or about an environment service. */
export interface NamedFlags {
  readonly env?: string | undefined;
  readonly benchmark?: string | undefined;
  readonly pack?: string | undefined;
  readonly envUrl?: string | undefined;
  /** Options of the environment service, as JSON text. */
  readonly envOptions?: string | undefined;
}

/** Returns the pack that flags name. @throws UsageError, UnreachableError, PackError */
export async function resolveNamed(
  flags: NamedFlags,
  { cwd, env: environ, home }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly home: string },
): Promise<Pack> {
  const { env, pack, envUrl: url, envOptions } = flags;
  const choice = chooseService({ env, pack, url, options: parseEnvironmentOptions(envOptions) }, cwd);
  return choice === null ? resolvePack(chooseEnv(flags), pack, { home }) : resolveService(choice, environ);
}
