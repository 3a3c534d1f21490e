/**
 * Makes packs of τ³-bench: data and tasks unchanged, policy and guidelines as texts, tools in the form for the model.
 * It executes no code of the checkout, and reads two layouts: a checkout of tau2-bench 1.x, and a folder with one folder
 * per domain beside `golden/<domain>-tools.json`.
 */

import { getContent } from '../../benchmarks/contents.ts';
import { dumpJson, isDict, isList, type DumpableValue, type PyDict } from '../../benchmarks/python/index.ts';
import { GUIDELINES_FILE, USER_TOOLS_FILE, readToml, tau3Content } from '../../benchmarks/tau3/content/index.ts';
import { tau3Domains, telecomPolicy } from '../../benchmarks/tau3/index.ts';
import {
  MANIFEST_FORMAT,
  PackError,
  decodePackText,
  parseFile,
  hashData,
  type DomainName,
  type Manifest,
} from '../../benchmarks/packs/index.ts';
import { packName, type ImportOptions, type ImportResult, type ImportedPack, type Importer } from '../import/index.ts';
import { Tau3Files } from './files.ts';
import { TAU3_COMMIT, TAU3_URL, publishedFiles } from './published.ts';
import { readToolSchemas } from './tool-schemas.ts';

/** Subsets of the tasks that become splits; the reference's leaderboard uses `base`. */
const SPLITS = ['base', 'train', 'test', 'small'] as const;

/** A layout: the paths of a domain's files. */
interface Layout {
  readonly isCheckout: boolean;
  readonly data: (domain: string) => string;
  readonly guidelines: string;
  readonly licence: string;
}

const CHECKOUT: Layout = {
  isCheckout: true,
  data: (domain) => `data/tau2/domains/${domain}`,
  guidelines: 'data/tau2/user_simulator',
  licence: 'LICENSE',
};
const FLAT: Layout = {
  isCheckout: false,
  data: (domain) => domain,
  guidelines: 'user-simulator',
  licence: 'LICENSE-tau2-bench.txt',
};

export const tau3Importer: Importer = {
  benchmark: tau3Content.name,
  url: TAU3_URL,
  commit: TAU3_COMMIT,
  paths: ['LICENSE', 'pyproject.toml', 'data/tau2/domains', 'data/tau2/user_simulator', 'src/tau2'],
  packName: tau3PackName,
  read: (folder, shown, options) => importTau3(new Tau3Files(folder, shown), options),
};

/** Imports the packs. @throws PackError for a folder of another version, missing files or unusable data */
async function importTau3(files: Tau3Files, options: ImportOptions): Promise<ImportResult> {
  const layout = (await findLayout(files, options.domains[0] ?? '')) ?? CHECKOUT;
  const version = layout.isCheckout ? await checkVersion(files) : null;
  const licence = (await files.find(layout.licence)) ?? Buffer.alloc(0);
  const contents = new Map<DomainName, Map<string, Buffer>>();
  for (const domain of options.domains) contents.set(domain, await readContents(files, layout, domain, options));
  const differing = Array.from(contents).flatMap(([domain, made]) => compareWithPublished(domain, made));
  const commit = options.commit ?? (differing.length === 0 ? TAU3_COMMIT : null);
  const packs = Array.from(contents, ([domain, made]): ImportedPack => {
    const manifest = describe(domain, made, { ...options, licence: licence.toString('utf8'), version, commit });
    const pack = tau3Content.assemble(domain, manifest, made);
    return { manifest, files: new Map([...made, ['LICENSE', licence]]), pack };
  });
  const compared = Array.from(contents.values()).reduce((sum, made) => sum + made.size, 0);
  const warning =
    `the files differ from τ³-bench's commit ${TAU3_COMMIT} in ${differing.slice(0, 12).join(', ')}; ` +
    'scores cannot be compared with its leaderboard.';
  return {
    identity: { commit, comparedWith: TAU3_COMMIT, differing, compared },
    warnings: differing.length === 0 ? [] : [warning],
    packs,
  };
}

async function findLayout(files: Tau3Files, domain: DomainName): Promise<Layout | undefined> {
  for (const layout of [CHECKOUT, FLAT]) {
    if ((await files.find(`${layout.data(stripPrefix(domain))}/split_tasks.json`)) !== undefined) {
      return layout;
    }
  }
  return undefined;
}

/** @throws PackError for 2.0, which is another benchmark, and for versions before 1.0, which have other tasks */
async function checkVersion(files: Tau3Files): Promise<string | null> {
  const bytes = await files.find('pyproject.toml');
  if (bytes === undefined) return null;
  const version = projectVersion(decodePackText('pyproject.toml', bytes));
  if (version === null || version.startsWith('1.')) return version;
  const major = Number.parseInt(version, 10);
  throw new PackError(
    major >= 2
      ? `${files.shown}: this is tau2-bench ${version}, another benchmark: frozen subsets of 50 tasks, six languages, and ` +
          'judged communication checks that scores of 1.x cannot be compared with; check out 1.x (such as ' +
          `${TAU3_COMMIT}).`
      : `${files.shown}: this is tau2-bench ${version}, whose tasks were corrected in 1.0; check out 1.x (such as ` +
          `${TAU3_COMMIT}).`,
  );
}

function projectVersion(toml: string): string | null {
  let project;
  try {
    project = readToml(toml).get('project');
  } catch {
    throw new PackError('pyproject.toml: the TOML cannot be read; give the root folder of a tau2-bench checkout.');
  }
  const version = project !== undefined && isDict(project) ? project.get('version') : undefined;
  return typeof version === 'string' ? version : null;
}

async function readContents(
  files: Tau3Files,
  layout: Layout,
  domain: DomainName,
  { env = process.env }: ImportOptions,
): Promise<Map<string, Buffer>> {
  const known = tau3Domains.get(domain);
  if (known === undefined) throw new PackError(`${domain} is no domain of τ³-bench.`);
  const name = stripPrefix(domain);
  const folder = layout.data(name);
  const made = new Map<string, Buffer>();
  for (const file of known.files) made.set(file, await files.bytes(`${folder}/${file}`));
  const policy =
    known.user === undefined
      ? await files.text(`${folder}/policy.md`)
      : telecomPolicy(
          await files.text(`${folder}/main_policy.md`),
          await files.text(`${folder}/tech_support_manual.md`),
        );
  made.set('wiki.md', Buffer.from(policy));
  const guidelines = known.user === undefined ? 'simulation_guidelines.md' : 'simulation_guidelines_tools.md';
  made.set(GUIDELINES_FILE, Buffer.from(await files.text(`${layout.guidelines}/${guidelines}`)));
  const toolFiles = known.user === undefined ? (['tools.json'] as const) : (['tools.json', USER_TOOLS_FILE] as const);
  const tools = layout.isCheckout
    ? await readToolSchemas(files, name, toolFiles, env)
    : await readGoldenTools(files, name);
  for (const file of toolFiles) made.set(file, Buffer.from(tools[file] ?? ''));
  for (const [split, tasks] of await readSplits(files, folder))
    made.set(`tasks-${split}.json`, Buffer.from(toJson(tasks)));
  return made;
}

async function readGoldenTools(files: Tau3Files, domain: string): Promise<Record<string, string>> {
  const path = `golden/${domain}-tools.json`;
  const { value } = parseFile(path, await files.bytes(path));
  const side = (name: string): string => {
    const tools = isDict(value) ? value.get(name) : undefined;
    return toJson(tools !== undefined && isList(tools) ? tools : []);
  };
  return { 'tools.json': side('assistant'), [USER_TOOLS_FILE]: side('user') };
}

/** Returns the tasks of each split in the order of the task files; omits a split with an unknown task. */
async function readSplits(files: Tau3Files, folder: string): Promise<ReadonlyMap<string, readonly PyDict[]>> {
  const path = `${folder}/split_tasks.json`;
  const { value } = parseFile(path, await files.bytes(path));
  const tasks = new Map<string, PyDict>();
  for (const file of ['tasks.json', 'tasks-base.json', 'tasks_small.json']) {
    const bytes = await files.find(`${folder}/${file}`);
    if (bytes === undefined) continue;
    const list = parseFile(`${folder}/${file}`, bytes).value;
    for (const task of isList(list) ? list.filter(isDict) : []) {
      const id = task.get('id');
      if (typeof id === 'string' && !tasks.has(id)) tasks.set(id, task);
    }
  }
  const splits = new Map<string, readonly PyDict[]>();
  for (const split of SPLITS) {
    const listed = isDict(value) ? value.get(split) : undefined;
    if (listed === undefined || !isList(listed) || listed.length === 0) continue;
    const ids = new Set(listed);
    const found = Array.from(tasks).flatMap(([id, task]) => (ids.has(id) ? [task] : []));
    if (found.length === ids.size) splits.set(split, found);
  }
  if (splits.has('base')) return splits;
  throw new PackError(`${path}: the tasks of the split "base" are not all in ${folder}; give a checkout of 1.x.`);
}

function toJson(value: DumpableValue): string {
  return `${dumpJson(value, { indent: 1 })}\n`;
}

/** Lists the files of a pack that differ from the pinned commit, sorted. */
function compareWithPublished(domain: DomainName, made: ReadonlyMap<string, Buffer>): string[] {
  const published = Object.entries(publishedFiles()).filter(([path]) => path.startsWith(`${domain}/`));
  const digests = new Map(Array.from(made, ([file, bytes]) => [`${domain}/${file}`, hashData(bytes)]));
  const changed = published.flatMap(([path, digest]) => (digests.get(path) === digest ? [] : [path]));
  const added = Array.from(digests.keys()).filter((path) => !published.some(([known]) => known === path));
  return [...changed, ...added].sort();
}

interface DescribedOptions extends Omit<ImportOptions, 'commit'> {
  readonly licence: string;
  readonly version: string | null;
  readonly commit: string | null;
}

function describe(
  domain: DomainName,
  files: ReadonlyMap<string, Buffer>,
  { licence, version, commit, ...options }: DescribedOptions,
): Manifest {
  const origin = options.url ?? TAU3_URL;
  const hashes = Array.from(files, ([file, bytes]) => [file, hashData(bytes)] as const);
  hashes.sort(([a], [b]) => (a < b ? -1 : 1));
  const changed = compareWithPublished(domain, files);
  return {
    format: MANIFEST_FORMAT,
    name: tau3PackName(domain, options),
    domain,
    benchmark: getContent(domain).name,
    version: version ?? '1.x',
    source: commit === null ? `${origin}, a checkout of it` : `${origin}, commit ${commit}`,
    commit,
    licence: /MIT License/i.test(licence) ? 'MIT' : 'see LICENSE',
    ...(changed.length === 0 ? {} : { changed_files: changed }),
    files: Object.fromEntries(hashes),
  };
}

/** Returns the domain's name in the repository. */
function stripPrefix(domain: DomainName): string {
  return domain.slice(getContent(domain).prefix.length);
}

/**
 * Returns the name of a domain's pack: the default for the domain, or the given name, with the domain appended if there
 * are several.
 */
function tau3PackName(domain: DomainName, { name, domains }: Pick<ImportOptions, 'name' | 'domains'>): string {
  if (name === undefined) return domain;
  const full = domains.length > 1 ? `${name}-${stripPrefix(domain)}` : name;
  return packName(domain, { name: full, domains: [domain] });
}
