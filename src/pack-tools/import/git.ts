/** The git program: a checkout of a commit in a temporary folder, and what a folder's own commit is. */

import { UsageError } from '../../errors/index.ts';
import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PackError } from '../../packs/index.ts';

/** Environment variables for git, without those that name another repository. */
export type GitEnvironment = Readonly<Record<string, string | undefined>>;

/** git is not there, or what it should fetch cannot be reached. */
export class CloneError extends UsageError {
  override readonly name = 'CloneError';
}

/** A commit's full or shortened id. */
export const COMMIT = /^[0-9a-f]{7,40}$/;

/** What an import reads; histories and code of other kinds are not fetched. */
const WANTED = ['LICENSE', 'few_shot_data', 'tau_bench'];

/** A tau-bench repository is small: longer means that nothing comes. */
const TIMEOUT_MS = 600_000;

export interface Clone {
  readonly folder: string;
  /** The commit's full id. */
  readonly commit: string;
  /** Removes the folder. */
  dispose(this: void): Promise<void>;
}

/**
 * Checks a commit out of a repository into a temporary folder.
 * @param repository a URL, or the folder of a repository
 * @throws CloneError when git is missing or fails, PackError when the repository has no such commit
 */
export async function cloneCommit(repository: string, commit: string, env: GitEnvironment): Promise<Clone> {
  const scratch = await mkdtemp(join(tmpdir(), 'tauflow-clone-'));
  const dispose = (): Promise<void> => rm(scratch, { recursive: true, force: true });
  try {
    const folder = join(scratch, 'checkout');
    const flags = ['-c', 'core.symlinks=false', '--quiet', '--no-checkout', '--filter=blob:none'];
    await git(['clone', ...flags, '--', repository, folder], env, `git could not clone ${shownUrl(repository)}`);
    const full = await findCommit(folder, repository, commit, env);
    const shown = `git could not check out ${commit} of ${shownUrl(repository)}`;
    const names = (await git(['-C', folder, 'ls-tree', '--name-only', full], env, shown)).split('\n');
    const wanted = WANTED.filter((name) => names.includes(name));
    if (wanted.length > 0) await git(['-C', folder, 'checkout', '--quiet', full, '--', ...wanted], env, shown);
    return { folder, commit: full, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** The commit that a folder has checked out; undefined where it is no repository, or git is missing. */
export async function commitOf(folder: string, env: GitEnvironment): Promise<string | undefined> {
  try {
    const [top = '', commit = ''] = (await git(['-C', folder, 'rev-parse', '--show-toplevel', 'HEAD'], env, '')).split(
      '\n',
    );
    // A folder inside of another repository has not that one's commit.
    return (await realpath(top)) === (await realpath(folder)) && COMMIT.test(commit) ? commit : undefined;
  } catch (error) {
    if (error instanceof CloneError) return undefined;
    throw error;
  }
}

/** A URL without the name and password that may be in it. */
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
    // A commit that no branch leads to is sent when it is asked for by its whole id.
    if (commit.length === 40) {
      await git(['-C', folder, 'fetch', '--quiet', 'origin', commit], env, '');
      return await git(resolve, env, '');
    }
  } catch (error) {
    if (!(error instanceof CloneError)) throw error;
  }
  throw new PackError(`${shownUrl(repository)}: the repository has no commit ${commit}; name one with --commit.`);
}

/** @returns what git prints, without the last line end @throws CloneError with one sentence that begins with `failing` */
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
      } else reject(new CloneError(`${failing}: ${reason(error, stderr)}; give the folder of a checkout instead.`));
    });
  });
}

/** git's own last complaint, which says whether it was the network, the address or the disk. */
function reason(error: Error & { readonly killed?: boolean }, stderr: string): string {
  if (error.killed === true) return `it took longer than ${String(TIMEOUT_MS / 60_000)} minutes`;
  const lines = stderr.split('\n').map((line) => line.trim());
  const complaint =
    lines.find((line) => /^(fatal|error):/.test(line)) ?? lines.find((line) => line !== '') ?? 'it failed';
  return shownUrl(complaint.replace(/^(fatal|error): /, '').replace(/[.;]$/, ''));
}
