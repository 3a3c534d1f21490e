/** `tauflow chat [RUN] [EPISODE]`: answer the agent as the human user of an episode that waits. */

import type { Command } from 'commander';
import type { CliContext } from '../context.ts';

export interface ChatFlags {
  readonly json?: boolean;
}

export function addChatCommand(program: Command, context: CliContext): void {
  program
    .command('chat')
    .description('answer the agent as the human user of an episode, or list the episodes that wait')
    .argument('[run]', 'a run id; without one, every run of the server is looked at')
    .argument('[episode]', 'task-17.trial-0, or task-17; without one, that which waits')
    .option('--json', 'list those that wait as one JSON document')
    .action(async (runId: string | undefined, episode: string | undefined, flags: ChatFlags) => {
      const { chat } = await import('./chat.ts');
      context.end(await chat(runId, episode, flags, context));
    });
}
