/** The command line inside the test's process: from the sources, for what starts no worker; or from the build. */

import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { expect, inject } from 'vitest';

import { runProgram, type CliContext, type createContext } from '../../src/cli/testing.ts';
import { atEndOfFile } from '../helpers/end-of-file.ts';
import { eventually } from '../helpers/eventually.ts';
import { BUILT_CLI } from '../helpers/program.ts';
import { testEnvironment, testHome } from '../helpers/temporal-environment.ts';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder that is removed after the file's last test. */
export function scratchFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tauflow-cli-')));
  atEndOfFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Nothing listens there: a command that goes on to a server fails at once, and starts none. */
export const NOWHERE = { TEMPORAL_ADDRESS: '127.0.0.1:1' } as const;

export interface Surroundings {
  /** @default a new folder */
  readonly cwd?: string;
  /** Variables on top of this machine's environment without its configuration and keys. */
  readonly env?: Readonly<Record<string, string>>;
  /** Text that is piped in. @default nothing */
  readonly stdin?: Iterable<Uint8Array | string>;
}

export async function tauflow(words: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  const { context, ended } = inProcessContext(words, surroundings);
  await runProgram(words, context);
  return ended();
}

export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs a command of the build to its end, as `processes.ts` does in a process of its own, which costs three times as much
 * CPU time. One at a time may have workers: the SDK's runtime is the process's. Whether a worker lives is not seen: its pid does.
 */
export async function run(words: readonly string[], { cwd, env }: Place): Promise<Ended> {
  const { Runtime } = await import('@temporalio/worker');
  // A command that was refused leaves it without workers; one that failed does not wait for the end of its workers.
  await eventually(async () => {
    await Runtime._instance?.['shutdownIfIdle']();
    if (Runtime._instance !== undefined) throw new Error('something in this process has workers; use `runApart`');
  });
  const cli = (await import(BUILT_CLI)) as { createContext: typeof createContext; runProgram: typeof runProgram };
  const printed = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof printed) =>
    new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        printed[name] += text;
        done();
      },
    });
  const process = {
    env,
    cwd: () => cwd,
    stdin: Readable.from([]),
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    exitCode: 0,
  };
  const context = cli.createContext(process as unknown as NodeJS.Process, words.includes('--debug'));
  await cli.runProgram(words, context);
  return { code: process.exitCode, ...printed };
}

/** Runs a command as {@link run}, which must end with this code. @returns what it has printed */
export async function printed(words: readonly string[], place: Place, code = 0): Promise<string> {
  const { stdout, stderr, ...ended } = await run(words, place);
  expect(ended.code, stderr).toBe(code);
  return stderr + stdout;
}

/** Exactly one error sentence, commander's hint aside, and no stack trace. */
export function expectSentence({ code, stdout, stderr }: Ended, exitCode: number, sentence: RegExp): void {
  expect(stderr).toMatch(sentence);
  const lines = stderr.split('\n').filter((line) => !/^\((see --help|Did you mean .*)\)$/.test(line));
  expect(lines).toEqual([expect.stringMatching(/^error: .+/)]);
  expect(stdout).toBe('');
  expect(code).toBe(exitCode);
}

/** Surroundings whose output is kept, and what a command in them has come to. */
export function inProcessContext(
  words: readonly string[],
  surroundings: Surroundings = {},
  own: Partial<CliContext> = {},
): { context: CliContext; ended: () => Ended } {
  const stdout: string[] = [];
  const stderr: string[] = [];
  let code = 0;
  const context: CliContext = {
    env: environment({ ...NOWHERE, ...surroundings.env }),
    cwd: surroundings.cwd ?? scratchFolder(),
    home: surroundings.env?.['TAUFLOW_HOME'] ?? testHome(),
    debug: words.includes('--debug'),
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: Readable.from(surroundings.stdin ?? []),
    out: (line) => void stdout.push(line),
    drained: () => Promise.resolve(),
    log: (line) => void stderr.push(line),
    end: (given) => {
      code = given;
    },
    ...own,
  };
  return { context, ended: () => ({ code, stdout: stdout.join('\n'), stderr: stderr.join('\n') }) };
}

/** Variables of the test run's server, which all tests share: tell runs apart by id and task queue. */
export function serverOfTests(): Record<string, string> {
  const { address, namespace } = inject('temporal');
  return { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
}

/** This machine's environment without what would change a test: configuration of Temporal, keys, addresses, colours. */
export function environment(more: Readonly<Record<string, string>> = {}): Record<string, string | undefined> {
  const quiet = {
    OPENAI_API_KEY: '',
    OPENAI_BASE_URL: '',
    OPENAI_ORG_ID: '',
    OPENAI_PROJECT_ID: '',
    TAUFLOW_SCRIPTED_URL: '',
    NO_COLOR: '1',
    FORCE_COLOR: '',
  };
  return { ...testEnvironment(), ...quiet, ...more };
}

/** Names of a folder's entries. */
export function namesIn(folder: string): string[] {
  return readdirSync(folder).sort();
}
