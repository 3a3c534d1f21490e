/** The body of `tauflow data import`. */

import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { contents } from '../../benchmarks/contents.ts';
import { importers } from '../../pack-tools/index.ts';
import {
  COMMIT,
  cloneCommit,
  readCommit,
  shownUrl,
  type ImportResult,
  type ImportedPack,
  type Importer,
} from '../../pack-tools/import/index.ts';
import { MANIFEST_FILE, listWords, writePack, type DomainName } from '../../benchmarks/packs/index.ts';
import { countRecords } from './counts.ts';
import type { ImportFlags } from './import-flags.ts';
import { printJson, shownPath, type CliContext } from '../context.ts';
import { UsageError } from '../../errors/index.ts';

/** A benchmark whose packs can be imported. */
interface PackSource extends Importer {
  /** Name of the benchmark's repository in messages. */
  readonly title: string;
  readonly domains: readonly DomainName[];
  /** Prefix of the benchmark's domains, which `--env` may omit. */
  readonly prefix: string;
}

const SOURCES: ReadonlyMap<string, PackSource> = new Map(
  contents.flatMap(({ name, title, prefix, domains }) => {
    const importer = importers.get(name);
    return importer === undefined ? [] : [[name, { ...importer, title, prefix, domains: [...domains.keys()] }]];
  }),
);

/**
 * Imports packs. It writes nothing until all packs are valid, and writes each pack completely or not at all. An
 * existing pack is kept unless `--replace` is given.
 * @param source a checkout's folder or a repository's URL; absent: the benchmark's own repository
 * @throws UsageError, PackError, and CloneError if git or the repository is not available
 */
export async function importPacks(source: string | undefined, flags: ImportFlags, context: CliContext): Promise<void> {
  const started = performance.now();
  const benchmark = SOURCES.get(flags.benchmark);
  if (benchmark === undefined) {
    throw new UsageError(`--benchmark must be ${listWords([...SOURCES.keys()], 'or')}, not "${flags.benchmark}".`);
  }
  const domains = parseDomains(flags.env, benchmark);
  if (flags.commit !== undefined && !COMMIT.test(flags.commit)) {
    throw new UsageError(`--commit must be 7 to 40 hexadecimal digits in lower case, not "${flags.commit}".`);
  }
  const names = { domains, ...(flags.name === undefined ? {} : { name: flags.name }) };
  const parent = flags.out === undefined ? join(context.home, 'packs') : resolve(context.cwd, flags.out);
  const targets = new Map(domains.map((domain) => [domain, join(parent, benchmark.packName(domain, names))]));
  const requireFreeTarget = async (): Promise<void> => {
    for (const target of targets.values()) await requireFree(target, flags.replace === true, context);
  };

  // Checks the target before anything is fetched.
  if (source === undefined || isUrl(source)) await requireFreeTarget();
  const found = await obtain(source, flags.commit, benchmark, context);
  try {
    const { commit, url } = found;
    const result = await benchmark.read(found.folder, url, {
      ...names,
      commit,
      url,
      env: context.env,
    });
    await requireFreeTarget();
    const written: WrittenPack[] = [];
    for (const pack of result.packs) {
      const folder = targets.get(pack.manifest.domain) ?? parent;
      await writePack(folder, pack, { replace: flags.replace === true });
      written.push({ pack, folder });
    }
    report(result, written, { ...flags, title: benchmark.title }, (performance.now() - started) / 1000, context);
  } finally {
    await found.dispose?.();
  }
}

interface FoundCheckout {
  readonly folder: string;
  readonly commit?: string;
  readonly url?: string;
  readonly dispose?: () => Promise<void>;
}

/** Returns the source's folder: a local folder itself, or a commit of a repository in a temporary folder. */
async function obtain(
  source: string | undefined,
  commit: string | undefined,
  benchmark: PackSource,
  context: CliContext,
): Promise<FoundCheckout> {
  const { paths } = benchmark;
  const url = source === undefined ? benchmark.url : isUrl(source) ? source : undefined;
  if (url !== undefined) {
    const wanted = commit ?? benchmark.commit;
    context.log(`cloning ${shownUrl(url)} at ${commit ?? wanted.slice(0, 7)}`);
    return { ...(await cloneCommit(url, wanted, context.env, paths)), url: shownUrl(url) };
  }
  const folder = resolve(context.cwd, source ?? '.');
  const own = await readCommit(folder, context.env);
  if (commit === undefined) return { folder, ...(own === undefined ? {} : { commit: own }) };
  if (own?.startsWith(commit) === true) return { folder, commit: own };
  // If the folder is at another commit, or is a bare repository, the commit is taken from its history.
  const repository = own !== undefined || (await namesIn(folder)).includes('HEAD');
  return repository ? cloneCommit(folder, commit, context.env, paths) : { folder, commit };
}

/** True for `https://…`, `file://…`, `git@host:path`. One letter before a colon is a drive, on every system. */
function isUrl(source: string): boolean {
  return /^(?:https?|ssh|git|file):\/\//i.test(source) || /^[\w.-]+@[\w.-]+:[^\\]/.test(source);
}

function parseDomains(env: string | undefined, { domains, prefix }: PackSource): readonly DomainName[] {
  const all = domains.length === 2 ? 'both' : 'all';
  if (env === undefined || env === all) return domains;
  const named = domains.find((domain) => domain === env || domain === `${prefix}${env}`);
  if (named !== undefined) return [named];
  const known = domains.map((domain) => domain.slice(prefix.length));
  throw new UsageError(`--env must be ${listWords([...known, all], 'or')}, not "${env}".`);
}

/** @throws UsageError if an existing pack would be replaced */
async function requireFree(target: string, replace: boolean, { cwd }: CliContext): Promise<void> {
  const present = await namesIn(target);
  if (present.length === 0) return;
  const shown = shownPath(target, cwd);
  if (!present.includes(MANIFEST_FILE)) {
    throw new UsageError(
      `${shown}: the folder is not empty and holds no pack; choose another one with --out or --name.`,
    );
  }
  if (replace) return;
  throw new UsageError(`${shown}: a pack exists here; replace it with --replace, or choose another name with --name.`);
}

/** Returns the names in a folder; empty if there is no such folder. Errors are reported when it is read or written. */
async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((): string[] => []);
}

interface WrittenPack {
  readonly pack: ImportedPack;
  readonly folder: string;
}

function report(
  { identity, warnings }: ImportResult,
  written: readonly WrittenPack[],
  flags: ImportFlags & Pick<PackSource, 'title'>,
  seconds: number,
  context: CliContext,
): void {
  const packs = written.map(({ pack, folder }) => describe(pack, folder));
  const { commit, comparedWith, compared, differing } = identity;
  if (flags.json === true) {
    const files = { compared, compared_with: comparedWith, differing };
    printJson({ commit, files, warnings, packs, seconds: Number(seconds.toFixed(3)) }, context);
    return;
  }
  const from = comparedWith.slice(0, 7);
  context.out(
    differing.length === 0
      ? `${flags.title} at commit ${from}: all ${compared} files are as published`
      : `a checkout of ${flags.title}: ${compared} files read, ${differing.length} not as in commit ${from}`,
  );
  for (const { name, records, tasks, tools, few_shot_displays: displays, path, digest } of packs) {
    const counts = [
      ...countRecords(records),
      ...Object.entries(tasks).map(([split, count]) => `${count} ${split} tasks`),
      `${tools} tools`,
      ...(displays === 0 ? [] : [`${displays} few-shot displays`]),
    ];
    context.out(`pack ${name} in ${shownPath(path, context.cwd)}: ${counts.join(', ')}; digest ${digest.slice(0, 12)}`);
  }
  for (const warning of warnings) context.out(`warning: ${warning}`);
  const [first] = packs;
  if (first === undefined) return;
  const pack = flags.out === undefined ? first.name : shownPath(first.path, context.cwd);
  context.out(`done in ${seconds.toFixed(1)} s; check with: tauflow data verify ${pack}`);
  context.out(
    `run with: tauflow run --env ${first.domain} --pack ${pack} --agent-strategy tool-calling --task-ids 0,1`,
  );
}

function describe({ manifest, pack }: ImportedPack, path: string) {
  const records = Array.from(pack.tables, ([table, rows]) => [table, rows instanceof Map ? rows.size : 0] as const);
  const tasks = Object.entries(pack.splits).map(([split, list]) => [split, list.length] as const);
  return {
    name: manifest.name,
    domain: manifest.domain,
    version: manifest['version'],
    path,
    digest: pack.ref.digest,
    records: Object.fromEntries(records),
    tasks: Object.fromEntries(tasks),
    tools: pack.tools.length,
    few_shot_displays: pack.fewShotDisplays?.length ?? 0,
  };
}
