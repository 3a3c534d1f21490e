/** Two ways to obtain the Temporal CLI where it is missing: Temporal's own download, and building it with Go. */

import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Environment, ObtainContext } from './binary.ts';

/** How long a download may show no progress at all, in ms. Name resolution without a network fails within one. */
const downloadStallMs = 30_000;
const buildTimeoutMs = 30 * 60_000;

/**
 * Temporal's download, which is part of the SDK's native core: it knows the place for this platform and unpacks.
 *
 * It can only be had together with a start of the server, and a server that fails to start can hang its process
 * (https://github.com/temporalio/sdk-typescript/issues/1443): so it runs in a child that may be ended, and what
 * counts is the file it leaves.
 *
 * @throws Error with a one-line reason
 */
export async function downloadThroughCore(target: string, { version, onProgress }: ObtainContext): Promise<void> {
  onProgress(`downloading the Temporal CLI ${version}`);
  await inFolderBeside(target, async (folder) => {
    const child = childModule();
    const failure = await runProgram(process.execPath, [...child, folder, `v${version}`], {
      stalled: stallWatch(folder, downloadStallMs),
    });
    const [downloaded] = (await readdir(folder)).filter((name) => !name.endsWith('.downloading'));
    if (downloaded === undefined) throw new Error(`its download failed: ${tail(failure ?? 'nothing came')}`);
    await install(join(folder, downloaded), target);
  });
}

/**
 * `go install` of the CLI's source through the Go module proxy. It works wherever Go does, and takes minutes.
 *
 * @throws Error with a one-line reason
 */
export async function buildWithGo(target: string, { version, env, onProgress }: ObtainContext): Promise<void> {
  const missing = await runProgram('go', ['version'], { env, stalled: timeout(30_000) });
  if (missing !== null) throw new Error(`it cannot be built: ${missing}`);
  onProgress(`building the Temporal CLI ${version} with Go; this takes a few minutes, once`);
  await inFolderBeside(target, async (folder) => {
    const source = 'github.com/temporalio/cli';
    const failure = await runProgram(
      'go',
      [
        'install',
        '-ldflags',
        `-s -w -X ${source}/temporalcli.Version=${version}`,
        `${source}/cmd/temporal@v${version}`,
      ],
      { env: { ...env, GOBIN: folder }, cwd: folder, stalled: timeout(buildTimeoutMs) },
    );
    if (failure !== null) throw new Error(`it cannot be built with Go: ${failure}`);
    const [built] = await readdir(folder);
    if (built === undefined) throw new Error('building it with Go left no program');
    await install(join(folder, built), target);
  });
}

/** Works in a folder on the same disk as the target, so that the program appears there whole or not at all. */
async function inFolderBeside(target: string, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The innermost two of the causes that the core strings together with colons. */
function tail(message: string): string {
  return message.split(': ').slice(-2).join(': ');
}

async function install(program: string, target: string): Promise<void> {
  await chmod(program, 0o755);
  await rename(program, target);
}

/** Arguments for Node to run the download: from source that needs the same loader that runs us. */
function childModule(): string[] {
  const extension = extname(import.meta.url);
  const file = fileURLToPath(new URL(`./download-child${extension}`, import.meta.url));
  return extension === '.ts' ? ['--import', createRequire(import.meta.url).resolve('tsx'), file] : [file];
}

interface RunOptions {
  readonly env?: Environment;
  readonly cwd?: string;
  /** Asked every half second; a reason ends the program. */
  readonly stalled: () => Promise<string | null>;
}

/** Runs a program to its end. @returns null on success, else one line that says why not */
function runProgram(program: string, args: readonly string[], options: RunOptions): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      ...(options.env && { env: { ...options.env } }),
      ...(options.cwd && { cwd: options.cwd }),
      stdio: ['ignore', 'ignore', 'pipe'],
      // A group of its own, so that what the program has started ends with it.
      detached: process.platform !== 'win32',
    });
    let last = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      last = text.trim().split('\n').at(-1) ?? last;
    });
    const watch = setInterval(() => {
      void options.stalled().then((reason) => {
        if (reason === null || child.pid === undefined || child.exitCode !== null) return;
        last = reason;
        process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
      });
    }, 500);
    const end = (failure: string | null) => {
      clearInterval(watch);
      resolve(failure);
    };
    child.on('error', (error: NodeJS.ErrnoException) => {
      end(error.code === 'ENOENT' ? `${program} is not installed` : error.message);
    });
    child.on('close', (code, signal) => {
      end(code === 0 ? null : last === '' ? `${program} ended with ${signal ?? code}` : last);
    });
  });
}

/** Fires when the files in a folder have not grown for so long. */
function stallWatch(folder: string, stallMs: number): () => Promise<string | null> {
  let seen = -1;
  let since = Date.now();
  return async () => {
    const sizes = await Promise.all(
      (await readdir(folder)).map((name) =>
        stat(join(folder, name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    const size = sizes.reduce((sum, each) => sum + each, 0);
    if (size !== seen) [seen, since] = [size, Date.now()];
    return Date.now() - since < stallMs ? null : `nothing came for ${stallMs / 1_000} s`;
  };
}

function timeout(limitMs: number): () => Promise<string | null> {
  const deadline = Date.now() + limitMs;
  return () => Promise.resolve(Date.now() < deadline ? null : `it took more than ${limitMs / 60_000} minutes`);
}
