/** `tauflow serve mcp`: one task for a person's own MCP client, graded at its end. */

import type { Command } from 'commander';
import { serveFunction } from '../../agent-function/index.ts';
import { UsageError } from '../../errors/index.ts';
import type { CliContext } from '../context.ts';
import { addFlags, givenFlags } from '../options/flags.ts';

/** Time that the person has. @unit seconds */
const WHOLE_DAY = '86400';

export function defineServeCommand(command: Command, context: CliContext): void {
  const mcp = command
    .command('mcp')
    .description(
      'offer one task to your own MCP client, such as an IDE or MCP Inspector: policy, tools and a tool that speaks to ' +
        'the user, at an address that it prints; the episode is graded at its end',
    )
    .option('--task <id>', 'number of the task in its split (required)');
  addFlags(mcp, 'serve', ['env', 'pack', 'taskSplit', 'userModel', 'userModelProvider', 'userModelSettings']);
  addFlags(mcp, 'serve', ['userStrategy', 'maxSteps', 'logDir', 'runId']);
  mcp.action(async () => {
    const { task, ...others } = givenFlags(mcp);
    if (typeof task !== 'string' || !/^\d+$/.test(task)) {
      throw new UsageError('name the task to play by its number, for example --task 5.');
    }
    const { runSweep } = await import('../run/run-sweep.ts');
    const agent = await serveFunction({ name: 'mcp', version: '1', answer: (turn) => offer(turn, context) }, 0);
    try {
      const ours = { agentUrl: agent.url, taskIds: [task], numTrials: '1', requestTimeout: WHOLE_DAY };
      context.end(await runSweep({ options: { ...others, ...ours } }, context));
    } finally {
      await agent.close();
    }
  });
}

/** Leaves the episode to the client: it ends when the user, or a tool, ends it. */
function offer(
  { mcpUrl, messages }: { readonly mcpUrl: string; readonly messages: readonly { readonly content: string | null }[] },
  { out }: CliContext,
): Promise<never> {
  out(`Connect your MCP client (Streamable HTTP) to ${mcpUrl}/user`);
  out(`The user says: ${messages[0]?.content ?? ''}`);
  return new Promise<never>(() => undefined);
}
