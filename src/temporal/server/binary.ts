/**
 * Finds, downloads or builds the Temporal CLI, which contains the dev server.
 *
 * In this order: `TEMPORAL_CLI_PATH`, `temporal` on the PATH, the copy from an earlier run, Temporal's own download, a
 * build with Go. Download and build are injected, so that their order can be tested without a network.
 */

import { execFile, type ExecFileException, type ExecFileOptions } from 'node:child_process';
import { watch } from 'node:fs';
import { access, chmod, constants, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, delimiter, dirname, extname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { makeFolders } from '../../io/index.ts';
import { firstLine } from '../../errors/index.ts';
import { ServerError } from '../errors.ts';
import { compareVersions } from './dynamic-config.ts';

const run = promisify(execFile);

/** Version of the Temporal CLI to download or build; its server is 1.29.1. */
const PINNED_CLI_VERSION = '1.5.1';

/**
 * Oldest supported server. Older ones lack features that episodes need: workflow updates by default, and summaries of
 * activities.
 */
const OLDEST_SERVER_VERSION = '1.25.0';

export interface Binary {
  readonly path: string;
  readonly origin: 'configured' | 'path' | 'cached' | 'downloaded' | 'built';
  readonly cliVersion: string;
  readonly serverVersion: string;
}

/** Puts an executable at `target`; throws with a one-line reason on failure. */
type Obtain = (target: string, context: ObtainContext) => Promise<void>;

interface ObtainContext {
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  readonly onProgress: (line: string) => void;
}

export interface BinaryOptions {
  /** Folder for downloaded and built programs, `TAUFLOW_HOME`. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** Called with lines for a waiting user. */
  readonly onProgress?: (line: string) => void;
  /** Downloads the CLI. @default through the SDK's core */
  readonly download?: Obtain;
  /** Builds the CLI. @default with `go install` */
  readonly build?: Obtain;
}

interface Versions {
  readonly cliVersion: string;
  readonly serverVersion: string;
}

/**
 * Returns the Temporal CLI to use, and downloads or builds it if necessary.
 *
 * @throws ServerError `binary-unusable` for a wrong `TEMPORAL_CLI_PATH`, `binary-missing` if every way failed
 */
export async function findBinary(options: BinaryOptions): Promise<Binary> {
  const present = await locateBinary(options);
  if (present !== null) return present;

  const { env, onProgress = () => {} } = options;
  const target = cachedBinaryPath(options.home);
  await makeFolders(join(options.home, 'bin')).catch((error: unknown) => {
    throw new ServerError(
      'state-unwritable',
      `cannot create ${join(options.home, 'bin')} (${firstLine(error)}); set TAUFLOW_HOME to a folder that you may write to`,
    );
  });
  const ways = [
    { origin: 'downloaded', obtain: options.download ?? downloadThroughCore },
    { origin: 'built', obtain: options.build ?? buildWithGo },
  ] as const;
  const failures: string[] = [];
  for (const { origin, obtain } of ways) {
    try {
      await obtain(target, { version: PINNED_CLI_VERSION, env, onProgress });
      const versions = await readVersions(target);
      if (versions !== null) return { path: target, origin, ...versions };
      failures.push(`${target} does not run`);
    } catch (error) {
      failures.push(firstLine(error));
    }
  }
  throw new ServerError(
    'binary-missing',
    `there is no Temporal server to start and none could be obtained (${failures.join('; ')}): install the Temporal CLI ` +
      '(https://docs.temporal.io/cli), or set TEMPORAL_ADDRESS to a server that runs, or install Go 1.21 or later ' +
      'so that it can be built',
  );
}

/**
 * Returns an existing Temporal CLI; never downloads or builds.
 *
 * @throws ServerError `binary-unusable` for a wrong `TEMPORAL_CLI_PATH`
 */
export async function locateBinary(options: BinaryOptions): Promise<Binary | null> {
  const { env, onProgress = () => {} } = options;
  const configured = env['TEMPORAL_CLI_PATH'];
  if (configured !== undefined && configured !== '') {
    const versions = await readVersions(configured);
    if (versions !== null && isRecentEnough(versions)) return { path: configured, origin: 'configured', ...versions };
    throw new ServerError(
      'binary-unusable',
      versions === null
        ? `TEMPORAL_CLI_PATH names ${configured}, which is no Temporal CLI that runs here; correct it or unset it`
        : `TEMPORAL_CLI_PATH names ${configured}, whose server ${versions.serverVersion} is older than ${OLDEST_SERVER_VERSION}; update it or unset it`,
    );
  }
  for (const path of pathCandidates(env)) {
    const versions = await readVersions(path);
    if (versions === null) continue;
    if (isRecentEnough(versions)) return { path, origin: 'path', ...versions };
    onProgress(
      `${path} holds Temporal server ${versions.serverVersion}, older than ${OLDEST_SERVER_VERSION}: not used`,
    );
  }
  const cached = cachedBinaryPath(options.home);
  const versions = await readVersions(cached);
  return versions === null ? null : { path: cached, origin: 'cached', ...versions };
}

/** Returns the path of a downloaded CLI. It contains the version, so that an update downloads a new one. */
export function cachedBinaryPath(home: string): string {
  return join(home, 'bin', `temporal-${PINNED_CLI_VERSION}${EXECUTABLE_SUFFIX}`);
}

/** Parses `temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)`. */
export function parseVersions(output: string): Versions | null {
  const match = /temporal version (\S+) \(Server (\d+\.\d+\.\d[^\s,)]*)[,)]/i.exec(output);
  const [, cliVersion, serverVersion] = match ?? [];
  return cliVersion === undefined || serverVersion === undefined ? null : { cliVersion, serverVersion };
}

const EXECUTABLE_SUFFIX = process.platform === 'win32' ? '.exe' : '';

/** Returns null for a missing file, and for a program that is no Temporal CLI for this machine. */
async function readVersions(path: string): Promise<Versions | null> {
  try {
    await access(path, constants.X_OK);
    const { stdout } = await run(path, ['--version'], { timeout: VERSION_MS });
    return parseVersions(stdout);
  } catch {
    return null;
  }
}

function pathCandidates(env: NodeJS.ProcessEnv): string[] {
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter);
  // Relative entries are ignored, because they would find another program in each folder.
  return folders.filter((folder) => isAbsolute(folder)).map((folder) => join(folder, `temporal${EXECUTABLE_SUFFIX}`));
}

function isRecentEnough({ serverVersion }: Versions): boolean {
  return compareVersions(serverVersion, OLDEST_SERVER_VERSION) >= 0;
}

/** Longest time without progress of a download, in ms. Name resolution without a network fails sooner. */
const DOWNLOAD_STALL_MS = 30_000;
const BUILD_MS = 30 * 60_000;
/** Time limit for a program to report its version, in ms. */
const VERSION_MS = 10_000;

/**
 * Downloads the CLI with the SDK's native core, which chooses the file for this platform and unpacks it.
 *
 * The core downloads only when it starts a server, and a failed start can hang the process
 * (https://github.com/temporalio/sdk-typescript/issues/1443). So the download runs in a child process that can be
 * ended, and succeeds if the file exists afterwards.
 *
 * @throws Error with a one-line reason
 */
async function downloadThroughCore(target: string, { version, onProgress }: ObtainContext): Promise<void> {
  onProgress(`downloading the Temporal CLI ${version}`);
  await inFolderBeside(target, async (folder) => {
    const stall = new AbortController();
    const timer = setTimeout(() => stall.abort(), DOWNLOAD_STALL_MS);
    const watcher = watch(folder, () => timer.refresh());
    const { signal } = stall;
    const failure = await runProgram(process.execPath, [...childModule(), folder, `v${version}`], { signal });
    clearTimeout(timer);
    watcher.close();
    const [downloaded] = (await readdir(folder)).filter((name) => !name.endsWith('.downloading'));
    if (downloaded === undefined) {
      const reason = signal.aborted
        ? `received no data for ${DOWNLOAD_STALL_MS / 1_000} s`
        : (failure ?? 'no data received');
      throw new Error(`its download failed: ${tail(reason)}`);
    }
    await install(join(folder, downloaded), target);
  });
}

/**
 * Builds the CLI's source with `go install` through the Go module proxy. It works on every platform of Go, and takes
 * minutes.
 *
 * @throws Error with a one-line reason
 */
async function buildWithGo(target: string, { version, env, onProgress }: ObtainContext): Promise<void> {
  const missing = await runProgram('go', ['version'], { env, timeout: VERSION_MS });
  if (missing !== null) throw new Error(`it cannot be built: ${missing}`);
  onProgress(`building the Temporal CLI ${version} with Go; this takes a few minutes, once`);
  await inFolderBeside(target, async (folder) => {
    const source = 'github.com/temporalio/cli';
    const flags = ['-ldflags', `-s -w -X ${source}/temporalcli.Version=${version}`];
    const failure = await runProgram('go', ['install', ...flags, `${source}/cmd/temporal@v${version}`], {
      env: { ...env, GOBIN: folder },
      cwd: folder,
      timeout: BUILD_MS,
    });
    if (failure !== null) throw new Error(`it cannot be built with Go: ${failure}`);
    const [built] = await readdir(folder);
    if (built === undefined) throw new Error('building it with Go left no program');
    await install(join(folder, built), target);
  });
}

/** Runs work in a temporary folder on the target's disk, from which the program can be moved atomically. */
async function inFolderBeside(target: string, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the innermost two of the causes that the core joins with colons. */
function tail(message: string): string {
  return message.split(': ').slice(-2).join(': ');
}

async function install(program: string, target: string): Promise<void> {
  await chmod(program, 0o755);
  await rename(program, target);
}

/** Returns the arguments with which Node runs the download. From sources, it needs the same loader as this process. */
function childModule(): string[] {
  const extension = extname(import.meta.url);
  const file = fileURLToPath(new URL(`../sdk-internals/download-child${extension}`, import.meta.url));
  return extension === '.ts' ? ['--import', createRequire(import.meta.url).resolve('tsx'), file] : [file];
}

/** Runs a program to its end. @returns null on success, otherwise one line with the reason */
async function runProgram(program: string, args: readonly string[], options: ExecFileOptions): Promise<string | null> {
  try {
    await run(program, args, { ...options, killSignal: 'SIGKILL' });
    return null;
  } catch (error) {
    const { code, killed, message, stderr = '' } = error as ExecFileException;
    if (code === 'ENOENT') return `${program} is not installed`;
    if (killed === true) return `it took more than ${(options.timeout ?? 0) / 1_000} s`;
    return stderr.trim().split('\n').at(-1) || message;
  }
}
