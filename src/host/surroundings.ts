/**
 * The surroundings of a process as values, and the versions of the code that it runs. It imports little, because every
 * command imports it.
 */

import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../errors/index.ts';

/** Surroundings of the process for a host, which does not read the environment itself. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Absolute path of the folder with the server binary, imported packs and the completion cache. */
  readonly home: string;
  readonly debug: boolean;
  /** Receives the workers' log. */
  readonly stderr: Pick<NodeJS.WriteStream, 'write'>;
  /** Writes one line to stderr: progress and logs. */
  log(this: void, line: string): void;
}

/** @returns the format in `TAUFLOW_LOG`; null for an unknown one */
export function logFormat(env: NodeJS.ProcessEnv): 'text' | 'json' | null {
  const value = env['TAUFLOW_LOG']?.trim() ?? '';
  if (value === '' || value === 'text') return 'text';
  return value === 'json' ? 'json' : null;
}

/**
 * Parses an address to listen on from an environment variable.
 * @returns null if the variable is not set
 * @throws UsageError for a text that is not an IP address with a port
 */
export function bindAddress(
  env: NodeJS.ProcessEnv,
  name: string,
): { readonly host: string; readonly port: number } | null {
  const value = env[name]?.trim() ?? '';
  if (value === '') return null;
  const [, host, port] = /^(\d+(?:\.\d+){3}|\[[\da-f:]+\]):(\d+)$/i.exec(value) ?? [];
  if (host !== undefined && Number(port) < 65_536) return { host, port: Number(port) };
  throw new UsageError(`${name} must be an IP address and a port, such as 127.0.0.1:9464.`);
}

const require = createRequire(import.meta.url);

/** Reads the package's own manifest, two folders above the sources and three above the compiled code. */
function ownManifest(): { version: string } {
  const candidates = ['../../package.json', '../../../package.json'].map((path) => new URL(path, import.meta.url));
  const found = candidates.find((url) => existsSync(url));
  if (found === undefined) throw new Error('the package.json of tauflow is missing; install it again');
  return require(fileURLToPath(found)) as { version: string };
}

export const { version } = ownManifest();

function readPackageVersion(packageName: string): string {
  return (require(`${packageName}/package.json`) as { version: string }).version;
}

/** Returns the versions for results, which distinguish the code of two runs. */
export function readVersions(): Record<string, string> {
  const { VERSION: openAiVersion } = require('openai/version') as { VERSION: string };
  return {
    tauflow: version,
    node: process.versions.node,
    '@temporalio/worker': readPackageVersion('@temporalio/worker'),
    openai: openAiVersion,
  };
}
