/** `tauflow scripted-model`: the scripted model as a server, for other harnesses too. */

import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { DEFAULTS } from '../../benchmarks/index.ts';
import { UsageError } from '../../errors/index.ts';
import { addHelpSections } from '../help.ts';
import { awaitInterrupt } from '../interrupt.ts';
import { parseFaults, parseWholeNumber } from '../flag-values.ts';

interface Flags {
  readonly port: string;
  readonly env?: string;
  readonly pack?: string[];
  readonly envUrl?: string;
  readonly envOptions?: string;
  readonly latency?: string;
  readonly faults?: string;
  readonly seed: string;
  readonly log?: string;
}

const HELP = {
  'Models:': [
    ['oracle', 'plays every task to its end without a mistake'],
    ['oracle:RATE', 'makes a mistake in some episodes; RATE is the chance of success, from 0 to 1'],
    [
      'oracle+natural, oracle:RATE+natural',
      "the same, but words its commands as FastWorkflow's agent in many ways: half of them to the letter, the others " +
        'misspelt, cut short, as sentences, or so that it must be asked what it means',
    ],
    [
      '…+careless, …+careless:SHARE',
      'any of them as the user: it misbehaves in one episode of five, or in the SHARE, from 0 to 1 (an invented id, ' +
        'the solution revealed, its instruction read out, …), to test its detection',
    ],
    [
      '…+no-retry, …+blind-repeats, …+by-heart',
      'any of them as an agent with a weakness that --conditions shows: it never repeats a call that failed, repeats ' +
        'one whose answer was lost without looking, or calls tools by the names of the benchmark',
    ],
    ['any other name', 'as oracle'],
  ],
  'Faults, as shares of the requests (from 0 to 1); --seed and their content decide which requests have them:': [
    [
      '429, 500, reset, hang, malformed',
      'the request fails: rate limit, server error, connection reset, no answer, a body that breaks off; one request ' +
        'at most twice, so a client that tries again is answered',
    ],
    [
      'arguments',
      "the reply is sent, but its tool call's arguments (or FastWorkflow's, in its text) are not JSON; the same replies " +
        'in every run',
    ],
  ],
} as const;

export function defineScriptedModelCommand(command: Command, context: CliContext): void {
  command
    .option('--port <port>', 'port to listen on', '8085')
    .option('--env <env>', `domain of the packs (default: ${DEFAULTS.env})`)
    .option('--pack <pack...>', "packs whose tasks it knows: folders or names (default: the env's shipped pack)")
    .option('--env-url <url>', 'URL of an environment service, whose tasks it knows instead')
    .option('--env-options <json>', 'its options')
    .option('--latency <duration>', 'how long an answer takes, e.g. 500ms (run: --scripted-latency)')
    .option('--faults <rates>', 'injected faults, see below, e.g. 429=0.05,500=0.02 (run: --scripted-faults)')
    .option('--seed <seed>', 'seed of the faults', '0')
    .option('--log <file>', 'append a line per completed call to this file')
    .action(async (flags: Flags) => {
      await serve(flags, context);
    });
  addHelpSections(command, HELP);
}

async function serve(flags: Flags, context: CliContext): Promise<void> {
  const port = parseWholeNumber('--port', flags.port, 0, 65_535);
  const seed = parseWholeNumber('--seed', flags.seed, 0, Number.MAX_SAFE_INTEGER);
  const { duration } = await import('../../evaluation/kinds.schema.ts');
  const latency = duration.safeParse(flags.latency ?? '0');
  if (!latency.success) throw new UsageError('--latency must be a duration such as 500ms or 2s.');
  const faults = parseFaults(flags.faults);
  const { resolveNamed } = await import('../../run-setup/index.ts');
  const { startScriptedModel } = await import('../../scripted-model/index.ts');
  const packs = await Promise.all((flags.pack ?? [undefined]).map((pack) => resolveNamed({ ...flags, pack }, context)));
  const server = await startScriptedModel({
    packs,
    port,
    latencyMs: latency.data,
    seed,
    ...(faults === undefined ? {} : { faults }),
    ...(flags.log === undefined ? {} : { logFile: flags.log }),
  });
  context.out(
    `scripted model at ${server.url} (models: oracle, oracle:0.8, oracle+natural, …); statistics at /stats; press Ctrl-C to stop`,
  );
  await awaitInterrupt().asked;
  await server.close();
}
