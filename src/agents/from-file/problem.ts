/** Errors of agents' files. */

import { UsageError } from '../../errors/index.ts';

/** The message is one sentence: which file, what is wrong, and what to do. */
export class AgentFileError extends UsageError {
  override readonly name = 'AgentFileError';

  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`the agent in ${path} ${problem.replace(/\.$/, '')}.`, options);
  }
}
