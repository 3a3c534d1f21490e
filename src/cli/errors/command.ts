/** `tauflow errors RUN|FILE`: a judge says of each failed episode whose fault it was, and of the agent which. */

import { Option, type Command } from 'commander';
import { DEFAULT_TOKEN_CAPS } from '../../models/providers.ts';
import type { CliContext } from '../context.ts';
import { givenFlags } from '../run/flags.ts';

export function defineErrorsCommand(errors: Command, context: CliContext): void {
  errors
    .argument('[run|file]', 'a run id, or the path of a results file')
    .addOption(new Option('--results-path <file>', 'the same, by the name that tau-bench has for it').hideHelp())
    .option('--output-path <file>', "where the document goes (default: the run's errors.json, or beside the file)")
    .option('-n, --max-num-failed-results <n>', 'judge the first so many failed episodes only')
    .option('--model <model>', "the judge's model (default: that of the run, where it is scripted)")
    .option('--model-provider <name>', "the model's provider")
    .addOption(new Option('--provider <name>', 'short for --model-provider').hideHelp())
    .addOption(new Option('--platform <name>', 'the same, by the name that tau-bench has for it').hideHelp())
    .option('--base-url <url>', "the provider's address, for this command alone")
    .option('--temperature <t>', "the judge's sampling temperature (default: 0)")
    .option(
      '--max-completion-tokens <n>',
      `tokens of an answer, or none (default: ${DEFAULT_TOKEN_CAPS.judge}; ${DEFAULT_TOKEN_CAPS.reasoning} if it reasons)`,
    )
    .option('--max-concurrency <n>', 'episodes judged at once (default: 1)')
    .option('--max-retries <n>', 'retries of one model call after API failures (default: 3)')
    .option('--call-timeout <duration>', 'how long one model call may take before it is tried again (default: 10m)')
    .option(
      '--heartbeat-timeout <duration>',
      "a model call is retried if its worker's heartbeats stop for this long (default: 30s)",
    )
    .option('--outage-timeout <duration>', 'how long to wait for a provider that is away; none: do not (default: 6h)')
    .option('--max-cost <usd>', 'judge no further episode when so much was spent')
    .option('--prices <file>', 'JSON of USD per million tokens by provider/model, which go before the price list')
    .option('--env <env>', "domain of a file's tasks (default: told by its tools)")
    .option('--task-split <split>', "split of a file's tasks (default: test)")
    .option('--pack <folder|name>', "domain pack of a file's tasks (default: the env's shipped pack)")
    .option('--log-dir <folder>', 'where the run log is (default: results)')
    .option('--detach', 'start and return; it goes on wherever workers run')
    .option('--no-worker', 'run no worker in this process')
    .option('--task-queue <name>', 'task queue that workers listen on (default: tauflow)')
    .option(
      '--max-llm-calls-per-second <provider=n...>',
      'limit of the task queue, over all workers; openai=none: none',
    )
    .option('--json', 'print one JSON document')
    .addOption(new Option('--scripted-latency <duration>').hideHelp())
    .addOption(new Option('--scripted-faults <rates>').hideHelp());
  errors.action(async (subject: string | undefined) => {
    const { judgeErrors } = await import('./errors.ts');
    context.end(await judgeErrors(subject, givenFlags(errors), context));
  });
}
