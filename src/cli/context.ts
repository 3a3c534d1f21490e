/** The process's surroundings as values, for every command. Only this module reads the environment. */

import { once } from 'node:events';
import { isAbsolute, relative, resolve } from 'node:path';
import { UsageError, type ExitCode } from '../errors/index.ts';
import { isOutputClosed } from './interrupt.ts';
import { logFormat, type Surroundings } from '../host/surroundings.ts';
import { forTerminal } from '../io/index.ts';

/**
 * Finds the platform's folders. It is null for a user without a home folder, such as a container's unknown user id, for
 * whom the module fails to load.
 */
const envPaths = await import('env-paths').then(
  (module) => module.default,
  () => null,
);

/** Context of a command. The home folder is TAUFLOW_HOME, or the platform's cache folder. */
export interface CliContext extends Surroundings {
  /** Standard output, for the terminal's properties; {@link CliContext.out} and {@link CliContext.log} write lines. */
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Standard input, opened on first use. */
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Writes one line of results to stdout. */
  out(this: void, line: string): void;
  /** Waits until stdout accepts more, for commands with unbounded output. */
  drained(this: void): Promise<void>;
  /** Sets the exit code. @default success */
  end(this: void, code: ExitCode): void;
}

export function createContext(process: NodeJS.Process, debug: boolean): CliContext {
  const cwd = process.cwd();
  const isJson = logFormat(process.env) === 'json';
  return {
    env: process.env,
    cwd,
    get home() {
      return homeFolder(process.env['TAUFLOW_HOME'], cwd);
    },
    debug,
    stdout: process.stdout,
    stderr: process.stderr,
    get stdin() {
      return process.stdin;
    },
    // Text for a file or another program is not changed.
    out: (line) => void process.stdout.write(`${process.stdout.isTTY ? forTerminal(line, true) : line}\n`),
    drained: async () => {
      // Nobody reads the output any more, and it may be endless.
      if (isOutputClosed()) process.exit();
      if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain').catch(() => process.exit());
    },
    log: (line) => {
      const shown = forTerminal(line);
      process.stderr.write(`${isJson ? jsonLogLine(shown, new Date()) : shown}\n`);
    },
    end: (code) => {
      process.exitCode = code;
    },
  };
}

/**
 * @param given `TAUFLOW_HOME`
 * @throws UsageError if the variable is not set and the user has no home folder
 */
export function homeFolder(given: string | undefined, cwd: string, paths = envPaths): string {
  if (given !== undefined && given !== '') return absolute(given, cwd);
  if (paths !== null) return paths('tauflow', { suffix: '' }).cache;
  throw new UsageError('this user has no home folder; set TAUFLOW_HOME to a folder that you may write to.');
}

/** Returns a path relative to the working folder if it is there; an address unchanged. */
export function shownPath(path: string, cwd: string): string {
  if (/^\w+:\/\//.test(path)) return path;
  const near = relative(cwd, path);
  return near === '' ? '.' : near.startsWith('..') || isAbsolute(near) ? path : near;
}

function absolute(path: string, cwd: string): string {
  return isAbsolute(path) ? path : resolve(cwd, path);
}

/** Prints a document for programs: one JSON document on stdout. */
export function printJson(document: unknown, context: Pick<CliContext, 'out'>): void {
  context.out(JSON.stringify(document, null, 2));
}

const LEVELS: Readonly<Record<string, string>> = { error: 'ERROR', warning: 'WARN' };

/**
 * Formats a message of a command on stderr as a line of JSON.
 * @param line the message as text; `error: …` and `warning: …` become levels
 */
export function jsonLogLine(line: string, at: Date): string {
  const [, kind = '', text = line] = /^(error|warning): (.*)$/s.exec(line) ?? [];
  return JSON.stringify({ timestamp: at.toISOString(), level: LEVELS[kind] ?? 'INFO', message: text });
}

/** gRPC status codes of a server that is unreachable, or does not answer in time. */
const LOST = new Set([14, 4]);

/** True for the Temporal SDK's errors of a lost server. It tests name and code, because importing the SDK is slow. */
export function isConnectionLost(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause.name === 'TransportError') return true;
    if ('code' in cause && typeof cause.code === 'number' && LOST.has(cause.code)) return true;
  }
  return false;
}
