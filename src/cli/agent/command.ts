/** `tauflow agent`: checks an agent that is a service, without Temporal and without a model, or makes a service of a file. */

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ExitCode, UsageError } from '../../errors/index.ts';
import { agentAt, loadFunction, serveFunction, startGateway } from '../../agent-service/index.ts';
import { type CliContext, printJson } from '../context.ts';
import { wholeNumber } from '../flag-values.ts';
import { awaitInterrupt } from '../interrupt.ts';
import { checkAgent, refuseOther, type CheckFinding } from '../../agent-service/check/index.ts';

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
    .addHelpText('after', '\nExits with 1 where something is wrong, with 3 where nothing answers.')
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
      const number = wholeNumber('--port', port, 0, 65_535);
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
  const findings: CheckFinding[] = [];
  const gateway = await startGateway({ passThrough: refuseOther });
  try {
    await checkAgent({ service, gateway, timeoutMs: seconds * 1_000 }, (finding) => {
      findings.push(finding);
      if (!json) for (const line of formatFinding(finding)) context.out(line);
    });
  } finally {
    await gateway.close();
  }
  const wrong = findings.filter(({ state }) => state === 'wrong').length;
  if (json) printJson({ format_version: 1, url, findings }, context);
  else context.out(wrong === 0 ? 'Nothing is wrong.' : `${wrong} of ${findings.length} checks found something wrong.`);
  if (wrong > 0) context.end(ExitCode.Failed);
}

const MOST_SECONDS = 86_400;
const MARKS = { right: '✓', note: '–', wrong: '✗' } as const;
const WIDTH = 14;

function formatFinding({ check, state, message, cost }: CheckFinding): string[] {
  const first = `${MARKS[state]} ${check.padEnd(WIDTH)} ${message}`;
  return cost === undefined ? [first] : [first, `${' '.repeat(WIDTH + 3)}in a run: ${cost}`];
}
