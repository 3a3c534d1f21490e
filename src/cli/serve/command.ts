/** `tauflow serve`: one task for a user's own MCP client, graded at its end; and assessments, for A2A clients. */

import type { Command } from 'commander';
import { serveFunction, WITH_USER } from '../../agent-service/index.ts';
import { UsageError } from '../../errors/index.ts';
import type { CliContext } from '../context.ts';
import { parseWholeNumber } from '../flag-values.ts';
import { awaitInterrupt } from '../interrupt.ts';
import { addFlags, givenFlags } from '../options/flags.ts';

/** Time limit of the episode for the user, in seconds. */
const WHOLE_DAY = '86400';

export function defineServeCommand(command: Command, context: CliContext): void {
  defineA2a(command, context);
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

function defineA2a(command: Command, context: CliContext): void {
  const a2a = command
    .command('a2a')
    .description(
      'offer evaluations as an A2A agent on this machine: a task names an agent by its URL, is a run, reports its progress ' +
        'and ends with the report',
    )
    .option('--port <port>', 'port to listen on', '9009');
  addFlags(a2a, 'serve', ['env', 'pack', 'model', 'modelProvider', 'userModel', 'userModelProvider', 'userStrategy']);
  addFlags(a2a, 'serve', ['maxConcurrency', 'maxCost', 'yes', 'logDir']);
  a2a.action(async () => {
    const { port = '9009', logDir = 'results', ...others } = givenFlags(a2a) as Record<string, unknown>;
    const number = parseWholeNumber('--port', String(port), 0, 65_535);
    const [{ AssessmentRuns }, { startAssessor }] = await Promise.all([import('./runs.ts'), import('./a2a.ts')]);
    const runs = new AssessmentRuns(toWords(others), String(logDir), context);
    const { url, close } = await startAssessor(runs, number);
    context.out(`listening on ${url}; its card is ${url}/.well-known/agent-card.json`);
    await awaitInterrupt().asked;
    await runs.close();
    await close();
  });
}

/** Formats flags for another command line. */
function toWords(flags: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return value === true ? [flag] : [flag, String(value)];
  });
}

/** Offers the episode to the client. It ends when the user, or a tool, ends it. */
function offer(
  { mcpUrl, messages }: { readonly mcpUrl: string; readonly messages: readonly { readonly content: string | null }[] },
  { out }: CliContext,
): Promise<never> {
  out(`Connect your MCP client (Streamable HTTP) to ${mcpUrl}${WITH_USER}`);
  out(`The user says: ${messages[0]?.content ?? ''}`);
  return new Promise<never>(() => undefined);
}
