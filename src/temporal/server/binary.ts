/**
 * Finds the Temporal CLI, which holds the dev server, or obtains it.
 *
 * In this order: `TEMPORAL_CLI_PATH`, `temporal` on the PATH, the copy that an earlier run obtained, Temporal's own
 * download, a build with Go. The ways are injected, so that their order can be tested without a network.
 */

import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';

import { makeFolders } from '../../io/index.ts';
import { firstLine } from '../../errors/index.ts';
import { ServerError } from '../codec/index.ts';
import { buildWithGo, downloadThroughCore } from './obtain.ts';

/** The release that is downloaded or built; its server is 1.29.1. */
export const pinnedCliVersion = '1.5.1';

/** Older servers lack what episodes rely on: workflow updates by default, and summaries of activities. */
export const oldestServerVersion = '1.25.0';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Binary {
  readonly path: string;
  readonly origin: 'configured' | 'path' | 'cached' | 'downloaded' | 'built';
  readonly cliVersion: string;
  readonly serverVersion: string;
}

/** Puts an executable at `target`; throws with a one-line reason when it cannot. */
export type Obtain = (target: string, context: ObtainContext) => Promise<void>;

export interface ObtainContext {
  readonly version: string;
  readonly env: Environment;
  readonly onProgress: (line: string) => void;
}

export interface BinaryOptions {
  /** The folder under which obtained programs are kept, `TAUFLOW_HOME`. */
  readonly home: string;
  readonly env: Environment;
  /** Lines for a person who waits. */
  readonly onProgress?: (line: string) => void;
  /** Asks a program for its version, null when it is no Temporal CLI. @default runs `PROGRAM --version` */
  readonly readVersions?: (path: string) => Promise<Versions | null>;
  /** @default Temporal's download through the SDK's core */
  readonly download?: Obtain;
  /** @default `go install` */
  readonly build?: Obtain;
}

export interface Versions {
  readonly cliVersion: string;
  readonly serverVersion: string;
}

/**
 * The Temporal CLI to use, obtained if need be.
 *
 * @throws ServerError `binary-unusable` for a wrong `TEMPORAL_CLI_PATH`, `binary-missing` when every way failed
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
      await obtain(target, { version: pinnedCliVersion, env, onProgress });
      const versions = await versionsOf(options, target);
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
 * The Temporal CLI where one is there already; never downloads or builds.
 *
 * @throws ServerError `binary-unusable` for a wrong `TEMPORAL_CLI_PATH`
 */
export async function locateBinary(options: BinaryOptions): Promise<Binary | null> {
  const { env, onProgress = () => {} } = options;
  const configured = env['TEMPORAL_CLI_PATH'];
  if (configured !== undefined && configured !== '') {
    const versions = await versionsOf(options, configured);
    if (versions !== null && isRecentEnough(versions)) return { path: configured, origin: 'configured', ...versions };
    throw new ServerError(
      'binary-unusable',
      versions === null
        ? `TEMPORAL_CLI_PATH names ${configured}, which is no Temporal CLI that runs here; correct it or unset it`
        : `TEMPORAL_CLI_PATH names ${configured}, whose server ${versions.serverVersion} is older than ${oldestServerVersion}; update it or unset it`,
    );
  }
  for (const path of pathCandidates(env)) {
    const versions = await versionsOf(options, path);
    if (versions === null) continue;
    if (isRecentEnough(versions)) return { path, origin: 'path', ...versions };
    onProgress(`${path} holds Temporal server ${versions.serverVersion}, older than ${oldestServerVersion}: not used`);
  }
  const cached = cachedBinaryPath(options.home);
  const versions = await versionsOf(options, cached);
  return versions === null ? null : { path: cached, origin: 'cached', ...versions };
}

/** Where an obtained CLI is kept; the version is in the name, so that an update does not use the old one. */
export function cachedBinaryPath(home: string): string {
  return join(home, 'bin', `temporal-${pinnedCliVersion}${executableSuffix}`);
}

/** Reads `temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)`. */
export function parseVersions(output: string): Versions | null {
  const match = /temporal version (\S+) \(Server (\d+\.\d+\.\d[^\s,)]*)[,)]/i.exec(output);
  const [, cliVersion, serverVersion] = match ?? [];
  return cliVersion === undefined || serverVersion === undefined ? null : { cliVersion, serverVersion };
}

const executableSuffix = process.platform === 'win32' ? '.exe' : '';

async function versionsOf(options: BinaryOptions, path: string): Promise<Versions | null> {
  try {
    await access(path, constants.X_OK);
  } catch {
    return null;
  }
  return (options.readVersions ?? runVersion)(path);
}

async function runVersion(path: string): Promise<Versions | null> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 10_000 });
    return parseVersions(stdout);
  } catch {
    // Not a program, or not for this machine.
    return null;
  }
}

function pathCandidates(env: Environment): string[] {
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter);
  // A relative entry would find another program in each folder.
  return folders.filter((folder) => isAbsolute(folder)).map((folder) => join(folder, `temporal${executableSuffix}`));
}

function isRecentEnough(versions: Versions): boolean {
  const parts = (version: string) => version.split('.').map((part) => Number.parseInt(part, 10));
  const oldest = parts(oldestServerVersion);
  for (const [index, part] of parts(versions.serverVersion).entries()) {
    const bound = oldest[index] ?? 0;
    if (part !== bound) return part > bound;
  }
  return true;
}
