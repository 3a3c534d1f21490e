/** A compared tool: the command that a person types, and a reader of its results. */

import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pack } from '../../src/benchmarks/packs/index.ts';

export interface Work {
  /** The folder in which the tool is called: its home, and all that it writes. */
  readonly folder: string;
  readonly tasks: readonly number[];
  readonly concurrency: number;
  /** Tasks without a result so far. */
  readonly left: readonly number[];
}

interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

interface Results {
  /** Rewards of the tasks whose episodes came to their end. */
  readonly rewards: ReadonlyMap<number, number>;
  /** Episodes that a failure of the infrastructure ended, and that are in the results with reward 0. */
  readonly scoredZero: number;
}

export interface Tool {
  readonly name: string;
  readonly version: string;
  /** The tasks, as the scripted model is to know them. */
  readonly pack: Pack;
  /** True if a person must find out what is left, and name it in the next command. */
  readonly isListedByHand: boolean;
  /** The command that starts the work, and continues it. */
  command(work: Work): Command | Promise<Command>;
  read(work: Work): Results | Promise<Results>;
}

/** @returns what the program prints; null if it fails */
export function readOutput({ program, args, env }: Command): string | null {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe', env: { ...process.env, ...env } }).trim();
  } catch {
    return null;
  }
}

export function toFlags(values: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => [`--${name}`, String(value)]);
}

/** @returns the version that a pack was imported with */
export async function readVersion({ ref }: Pack): Promise<string> {
  const { version } = JSON.parse(await readFile(join(ref.path, 'pack.json'), 'utf8')) as { version: string };
  return version;
}
