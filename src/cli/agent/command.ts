/**
 * `tauflow agent`: checks an agent service, without Temporal and without a model, or serves an agent's file as a
 * service.
 */

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../../errors/index.ts';
import { agentAt, loadFunction, serveFunction, startGateway } from '../../agent-service/index.ts';
import type { CliContext } from '../context.ts';
import { CHECK_EXIT_CODES, reportFindings } from '../findings.ts';
import { parseWholeNumber } from '../flag-values.ts';
import { awaitInterrupt } from '../interrupt.ts';
import { checkAgent, refuseOther } from '../../agent-service/check/index.ts';

interface CheckFlags {
  readonly timeout: string;
  readonly json?: boolean;
}

export function defineAgentCommand(command: Command, context: CliContext): void {
  command
    .command('check')
    .description(
      'play scripted episodes against an agent that is a service, and say what is right, what is wrong and what that ' +
        'would cost in a run; no model is called but what the agent itself calls elsewhere',
    )
    .argument('<url>', 'the value of --agent-url: a URL, or a file with a function')
    .option('--timeout <seconds>', 'time that the agent has for one request', '60')
    .option('--json', 'print one JSON document')
    .addHelpText('after', CHECK_EXIT_CODES)
    .action(async (url: string, flags: CheckFlags) => {
      await check(url, flags, context);
    });
  command
    .command('serve')
    .description(
      'make a service of a file whose default export is async (turn) => answer; it can use any package of its project',
    )
    .argument('<file>', 'TypeScript or JavaScript')
    .option('--port <port>', 'port to listen on', '8000')
    .action(async (file: string, { port }: { readonly port: string }) => {
      const number = parseWholeNumber('--port', port, 0, 65_535);
      const { url, close } = await serveFunction(await loadFunction(resolve(context.cwd, file)), number);
      context.out(`listening on ${url}; evaluate it with: npx tauflow run --agent-url ${url}`);
      await awaitInterrupt().asked;
      await close();
    });
}

async function check(url: string, { timeout, json = false }: CheckFlags, context: CliContext): Promise<void> {
  const seconds = Number(timeout);
  if (!(seconds > 0 && seconds <= MOST_SECONDS)) {
    throw new UsageError(`--timeout ${timeout} is no number of seconds from 1 to ${MOST_SECONDS}.`);
  }
  const service = await agentAt('<url>', url, context);
  const gateway = await startGateway({ passThrough: refuseOther });
  try {
    const checking = { service, gateway, timeoutMs: seconds * 1_000 };
    await reportFindings({ url }, { json }, context, (onFinding) => checkAgent(checking, onFinding));
  } finally {
    await gateway.close();
  }
}

const MOST_SECONDS = 86_400;
