/**
 * `npm run real-model`: every strategy with a small language model on this machine. Such a model calls unknown tools,
 * repeats itself and overflows its context; none of that may count as an infrastructure error, or crash anything.
 */

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { obtain, serve, type ModelServer } from './server.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../dist/program/tauflow.js');
const STRATEGIES = ['tool-calling', 'act', 'react', 'few-shot', 'fastworkflow'];

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: path.join(homedir(), '.cache', 'tauflow-real-model') },
    strategies: { type: 'string', default: STRATEGIES.join(',') },
    tasks: { type: 'string', default: '0,1' },
    steps: { type: 'string', default: '6' },
  },
});

interface Row {
  readonly outcome: string;
  readonly error?: string | null;
}

interface Tried {
  readonly strategy: string;
  readonly code: number | null;
  readonly outcomes: readonly string[];
  /** One sentence each. */
  readonly problems: readonly string[];
}

/** Runs one strategy in a folder of its own. */
async function tryStrategy(strategy: string, folder: string, server: ModelServer): Promise<Tried> {
  const model = [
    'smollm2',
    '--model-provider',
    'llama.cpp',
    '--user-model',
    'smollm2',
    '--user-model-provider',
    'llama.cpp',
  ];
  const bounds = ['--max-steps', values.steps, '--max-completion-tokens', '200', '--user-max-completion-tokens', '100'];
  const times = ['--call-timeout', '30m', '--outage-timeout', '1m', '--max-retries', '1', '--max-concurrency', '1'];
  const displays = strategy === 'few-shot' ? ['--few-shot-displays-path', await writeDisplays(folder)] : [];
  const place = ['--run-id', strategy, '--log-dir', folder, '--task-ids', values.tasks, '--num-trials', '1'];
  const words = ['run', '--agent-strategy', strategy, '--model', ...model, ...bounds, ...times, ...place, ...displays];
  const { code, printed } = await tauflow(words, { LLAMA_CPP_BASE_URL: server.url });
  const rows = await readFile(path.join(folder, strategy, 'rows.jsonl'), 'utf8').catch(() => '');
  const outcomes = rows
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as { readonly row?: Row } & Row)
    .map((line) => line.row ?? line);
  const problems = outcomes
    .filter(({ outcome }) => outcome === 'infrastructure_error')
    .map(({ error }) => `an infrastructure error: ${error ?? 'unknown'}`);
  const planned = values.tasks.split(',').length;
  if (outcomes.length !== planned) problems.push(`${outcomes.length} of ${planned} episodes have a record`);
  if (code !== 0) problems.push(`exit code ${code}: ${printed.slice(-2_000)}`);
  const crash = /^ {4}at .*$/m.exec(printed);
  if (crash !== null) problems.push(`a stack: ${crash[0]}`);
  if (!server.isAlive()) problems.push('the model server has ended');
  return { strategy, code, outcomes: outcomes.map(({ outcome }) => outcome), problems };
}

/** The shipped pack has no displays. */
async function writeDisplays(folder: string): Promise<string> {
  const file = path.join(folder, 'displays.jsonl');
  const lines = ['a lamp', 'a jacket', 'a desk', 'a watch', 'a teapot'].map((item) =>
    JSON.stringify({ messages_display: `User: I want to return ${item}.\nAssistant: What is your order id?` }),
  );
  await writeFile(file, lines.join('\n'));
  return file;
}

async function tauflow(words: readonly string[], more: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [PROGRAM, ...words], { env: { ...process.env, ...more } });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, printed };
}

async function main(): Promise<number> {
  const started = Date.now();
  const say = (line: string) => process.stderr.write(`[${Math.round((Date.now() - started) / 1000)} s] ${line}\n`);
  const obtained = await obtain(values.folder, say);
  const server = await serve(obtained);
  process.once('SIGINT', () => void server.stop().finally(() => process.exit(130)));
  const folder = await mkdtemp(path.join(tmpdir(), 'tauflow-real-model-'));
  say(`model at ${server.url}; runs in ${folder}`);
  let broken = 0;
  try {
    for (const strategy of values.strategies.split(',')) {
      const { outcomes, problems } = await tryStrategy(strategy, folder, server);
      say(`${strategy}: ${outcomes.join(', ') || 'no record'}`);
      for (const problem of problems) say(`  ${problem}`);
      broken += problems.length;
    }
  } finally {
    await server.stop();
  }
  return broken === 0 ? 0 : 1;
}

process.exitCode = await main();
