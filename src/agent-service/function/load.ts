/** Loads a file of TypeScript or JavaScript whose default export is an agent as a function. */

import { existsSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { AgentFunction } from '../../agents/index.ts';
import { UsageError } from '../../errors/index.ts';
import { loadModule } from '../../io/index.ts';

export interface FunctionFile {
  readonly name: string;
  /** First characters of the code's sha256, without its packages. */
  readonly version: string;
  readonly answer: AgentFunction;
}

/** @param path absolute @throws UsageError with one sentence */
export async function loadFunction(path: string): Promise<FunctionFile> {
  if (!existsSync(path)) {
    throw new UsageError(
      `the agent's file ${path} is not on this machine; put it there on each machine with a worker, or start ` +
        '`npx tauflow agent serve FILE` and give its URL as --agent-url.',
    );
  }
  const { default: answer, digest } = await loadModule(path, `the agent in ${path}`);
  if (typeof answer !== 'function') {
    throw new UsageError(`the agent in ${path} exports no function; export one as default: async (turn) => answer.`);
  }
  return { name: basename(path, extname(path)), version: digest.slice(0, 12), answer: answer as AgentFunction };
}
