/** What every command gets: the process's surroundings as values. The environment is read here and nowhere else. */

import { isAbsolute, resolve } from 'node:path';
import envPaths from 'env-paths';

export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Server binary and imported packs: TAUFLOW_HOME, or the platform's cache folder. Absolute. */
  readonly home: string;
  readonly debug: boolean;
  /** One line to stdout: results. */
  out(line: string): void;
  /** One line to stderr: progress and logs. */
  log(line: string): void;
}

export function createContext(process: NodeJS.Process, debug: boolean): CliContext {
  const cwd = process.cwd();
  const home = process.env['TAUFLOW_HOME'];
  return {
    env: process.env,
    cwd,
    home: home === undefined || home === '' ? envPaths('tauflow', { suffix: '' }).cache : absolute(home, cwd),
    debug,
    out: (line) => void process.stdout.write(`${line}\n`),
    log: (line) => void process.stderr.write(`${line}\n`),
  };
}

function absolute(path: string, cwd: string): string {
  return isAbsolute(path) ? path : resolve(cwd, path);
}
