/** The files of a tau-bench checkout that an import may need, each read once, with a list of the used ones. */

import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { PackError, decodePackText } from '../../benchmarks/packs/index.ts';
import { UnreachableError } from '../../errors/index.ts';
import { isFolder } from '../../io/index.ts';

/** Folders with code that calls models. They have no data, and make up most of the repository. */
const LEFT_OUT = new Set(['model_utils', '__pycache__']);
const KINDS = /\.(?:py|json|jsonl|md)$/;

export class Checkout {
  /** Folder or URL for messages. */
  readonly shown: string;
  readonly #files: ReadonlyMap<string, Buffer>;
  readonly #used = new Set<string>();

  /** @param files contents by path in the checkout, with slashes */
  constructor(shown: string, files: ReadonlyMap<string, Buffer>) {
    this.shown = shown;
    this.#files = files;
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  bytes(path: string): Buffer | undefined {
    const bytes = this.#files.get(path);
    if (bytes !== undefined) this.#used.add(path);
    return bytes;
  }

  /** @throws PackError when the file is not UTF-8 */
  text(path: string): string | undefined {
    const bytes = this.bytes(path);
    return bytes === undefined ? undefined : decodePackText(path, bytes);
  }

  /** Returns the texts of all Python files by path; they do not count as used. @throws PackError for other than UTF-8 */
  pythonSources(): Record<string, string> {
    const sources = Array.from(this.#files).filter(([path]) => path.endsWith('.py'));
    return Object.fromEntries(sources.map(([path, bytes]) => [path, decodePackText(path, bytes)]));
  }

  /** @returns true if these files exist and have these digests. @param digests sha256 of each file, by path */
  holds(digests: Readonly<Record<string, string>>): boolean {
    return Object.entries(digests).every(([path, digest]) => {
      const bytes = this.bytes(path);
      return bytes !== undefined && fileDigest(bytes) === digest;
    });
  }

  /** Returns the digests of the files used so far, by path. */
  used(): Map<string, string> {
    const paths = Array.from(this.#used).sort();
    return new Map(paths.map((path) => [path, fileDigest(this.#files.get(path) ?? Buffer.alloc(0))]));
  }
}

/** Returns the sha256 of a file as published, in hex: line ends that a system converted are converted back. */
function fileDigest(bytes: Buffer): string {
  const published = bytes.includes('\r\n')
    ? Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
    : bytes;
  return createHash('sha256').update(published).digest('hex');
}

/**
 * @param shown name of the checkout in messages. @default the folder
 * @throws PackError if the folder is not a checkout or a file cannot be read
 */
export async function readCheckout(folder: string, shown = folder): Promise<Checkout> {
  if (!(await isFolder(folder))) {
    throw new PackError(`${shown}: no such folder; give the root folder of a tau-bench checkout, or its URL.`);
  }
  if (!(await isFolder(join(folder, 'tau_bench', 'envs')))) {
    throw new PackError(`${shown}: there is no tau_bench/envs here; give the root folder of a tau-bench checkout.`);
  }
  const files = new Map<string, Buffer>();
  for (const path of [
    'LICENSE',
    ...(await pathsIn(folder, 'tau_bench')),
    ...(await pathsIn(folder, 'few_shot_data')),
  ]) {
    const bytes = await read(folder, path);
    if (bytes !== undefined) files.set(path, bytes);
  }
  return new Checkout(shown, files);
}

/** Lists the paths in a folder. It does not follow symbolic links, because a checkout has none. */
async function pathsIn(root: string, folder: string): Promise<string[]> {
  if (!(await isFolder(join(root, folder)))) return [];
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const paths = await Promise.all(
    entries.map(async (entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : pathsIn(root, path);
      return entry.isFile() && KINDS.test(entry.name) ? [path] : [];
    }),
  );
  return paths.flat().sort();
}

async function read(root: string, path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(join(root, path));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (code === 'ENOENT') return undefined;
    throw new PackError(`${join(root, path)}: the file cannot be read (${code}).`);
  }
}

/** Environment variables for git, except those that name another repository. */
type GitEnvironment = Readonly<Record<string, string | undefined>>;

/** Error if git is missing, or if the repository cannot be reached. */
class CloneError extends UnreachableError {
  override readonly name = 'CloneError';
}

/** Matches a commit's full or shortened id. */
export const COMMIT = /^[0-9a-f]{7,40}$/;

/** The paths that an import of tau-bench reads. Other code and old results are not fetched. */
const WANTED: readonly string[] = ['LICENSE', 'few_shot_data', 'tau_bench'];

/** Time limit of git in milliseconds, long enough for tau-bench's small repository. */
const TIMEOUT_MS = 600_000;

interface Clone {
  readonly folder: string;
  /** The commit's full id. */
  readonly commit: string;
  /** Removes the folder. */
  dispose(this: void): Promise<void>;
}

/**
 * Checks a commit out into a temporary folder.
 * @param repository URL or folder of a repository
 * @param paths paths to check out. @default all that an import of tau-bench reads
 * @throws CloneError if git is missing or fails, PackError if the repository has no such commit
 */
export async function cloneCommit(
  repository: string,
  commit: string,
  env: GitEnvironment,
  paths = WANTED,
): Promise<Clone> {
  const scratch = await mkdtemp(join(tmpdir(), 'tauflow-clone-'));
  const dispose = (): Promise<void> => rm(scratch, { recursive: true, force: true });
  try {
    const folder = join(scratch, 'checkout');
    const flags = ['-c', 'core.symlinks=false', '--quiet', '--no-checkout', '--filter=blob:none'];
    await git(['clone', ...flags, '--', repository, folder], env, `git could not clone ${shownUrl(repository)}`);
    const full = await findCommit(folder, repository, commit, env);
    const shown = `git could not check out ${commit} of ${shownUrl(repository)}`;
    const names = (await git(['-C', folder, 'ls-tree', '--name-only', full], env, shown)).split('\n');
    const wanted = paths.filter((path) => names.includes(path.split('/')[0] ?? path));
    if (wanted.length > 0) await git(['-C', folder, 'checkout', '--quiet', full, '--', ...wanted], env, shown);
    return { folder, commit: full, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Returns the commit that a folder has checked out; undefined if it is not a repository, or if git is missing. */
export async function readCommit(folder: string, env: GitEnvironment): Promise<string | undefined> {
  try {
    const [top = '', commit = ''] = (await git(['-C', folder, 'rev-parse', '--show-toplevel', 'HEAD'], env, '')).split(
      '\n',
    );
    // A folder inside another repository does not have that repository's commit checked out.
    return (await realpath(top)) === (await realpath(folder)) && COMMIT.test(commit) ? commit : undefined;
  } catch (error) {
    if (error instanceof CloneError) return undefined;
    throw error;
  }
}

/** Returns a URL without user name and password. */
export function shownUrl(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
}

async function findCommit(folder: string, repository: string, commit: string, env: GitEnvironment): Promise<string> {
  const resolve = ['-C', folder, 'rev-parse', '--quiet', '--verify', `${commit}^{commit}`];
  try {
    return await git(resolve, env, '');
  } catch (error) {
    if (!(error instanceof CloneError)) throw error;
  }
  try {
    // A server sends a commit that is on no branch only if its whole id is requested.
    if (commit.length === 40) {
      await git(['-C', folder, 'fetch', '--quiet', 'origin', commit], env, '');
      return await git(resolve, env, '');
    }
  } catch (error) {
    if (!(error instanceof CloneError)) throw error;
  }
  throw new PackError(`${shownUrl(repository)}: the repository has no commit ${commit}; name one with --commit.`);
}

/**
 * Runs git. @returns its output without the last line end @throws CloneError with one sentence that begins with
 * `failing`
 */
function git(args: readonly string[], env: GitEnvironment, failing: string): Promise<string> {
  const clean = Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^GIT_(DIR|WORK_TREE|INDEX_FILE)$/.test(name)),
  );
  const options = { env: { ...clean, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' }, timeout: TIMEOUT_MS, maxBuffer: 1 << 24 };
  return new Promise((resolve, reject) => {
    execFile('git', args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout.trimEnd());
      else if (error.code === 'ENOENT') {
        reject(
          new CloneError(
            'the program git is needed to fetch tau-bench and was not found; install it or give a folder.',
          ),
        );
      } else
        reject(new CloneError(`${failing}: ${explainFailure(error, stderr)}; give the folder of a checkout instead.`));
    });
  });
}

/** Returns git's last error message, which shows whether the network, the address or the disk failed. */
function explainFailure(error: Error & { readonly killed?: boolean }, stderr: string): string {
  if (error.killed === true) return `it took longer than ${String(TIMEOUT_MS / 60_000)} minutes`;
  const lines = stderr.split('\n').map((line) => line.trim());
  const complaint =
    lines.find((line) => /^(fatal|error):/.test(line)) ?? lines.find((line) => line !== '') ?? 'it failed';
  return shownUrl(complaint.replace(/^(fatal|error): /, '').replace(/[.;]$/, ''));
}
