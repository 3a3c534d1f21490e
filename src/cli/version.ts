/** Versions that results name, so that two runs can be told apart by the code that made them. */

import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { VERSION as openAiVersion } from 'openai/version';

const require = createRequire(import.meta.url);

/** The package's own manifest: two folders up from the sources, three from the compiled code. */
function ownManifest(): { version: string } {
  const candidates = ['../../package.json', '../../../package.json'].map((path) => new URL(path, import.meta.url));
  const found = candidates.find((url) => existsSync(url));
  if (found === undefined) throw new Error('the package.json of tauflow is missing; install it again');
  return require(fileURLToPath(found)) as { version: string };
}

export const { version } = ownManifest();

function versionOf(packageName: string): string {
  return (require(`${packageName}/package.json`) as { version: string }).version;
}

/** By name: this program, Node, the Temporal SDK and the provider client. */
export function versions(): Record<string, string> {
  return {
    tauflow: version,
    node: process.versions.node,
    '@temporalio/worker': versionOf('@temporalio/worker'),
    openai: openAiVersion,
  };
}
