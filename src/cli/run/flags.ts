/** The flags that ask for a sweep: those of `run`, and of what starts one at another time. */

import { Option, type Command } from 'commander';
import { strategies } from '../../agents/index.ts';
import { DEFAULT_TOKEN_CAPS, providerNames } from '../../models/providers.ts';
import { userStrategies } from '../../users/index.ts';
import { DEFAULT_REPLY_LIMITS } from '../../wire/index.ts';
import type { RawRunOptions } from './options.schema.ts';
import { addStrategyFlags } from './strategy-flags.ts';

/** As tau-bench's `run.py` names them where it has them. */
export function addRunFlags(command: Command): void {
  command
    .option('--env <env>', 'domain (default: retail)')
    .option(
      '--agent-strategy <name|file>',
      `${Object.keys(strategies).join(', ')}, or a file such as ./my-agent.ts (default: tool-calling)`,
    )
    .option('--model <model>', "agent's model; without one the scripted model plays (no key needed)")
    .option('--model-provider <name>', `the model's provider: ${providerNames()}`)
    .addOption(new Option('--provider <name>', 'short for --model-provider').hideHelp())
    .option('--user-model <model>', "simulated user's model (default: gpt-4o; scripted beside a scripted agent)")
    .option('--user-model-provider <name>', "the simulated user's provider (default: openai)")
    .option(
      '--user-strategy <name>',
      `how the user is simulated: ${Object.keys(userStrategies).join(', ')} (default: llm)`,
    )
    .option('--task-split <split>', 'train, test or dev, as the pack has them (default: test)')
    .option('--task-ids <ids...>', 'tasks, as 1 2 3 or 1,2,3; wins over the range')
    .option('--start-index <n>', 'first task of a half-open range (default: 0)')
    .option('--end-index <n>', 'task after the last one; -1: all (default: -1)')
    .option('--num-trials <n>', 'trials per task (default: 1)')
    .option('--max-concurrency <n>', 'episodes open at once (default: 1)')
    .option('--temperature <t>', "agent's sampling temperature (default: 0)")
    .option('--seed <n>', 'order of shuffled tasks, and seeds for providers that take one (default: 10)')
    .option('--shuffle <0|1>', 'shuffle the tasks of each trial (default: 0)')
    .option('--few-shot-displays-path <file>', "displays for the few-shot agent, as JSON lines (default: the pack's)")
    .option('--max-steps <n>', 'environment steps per episode (default: 30)')
    .option('--use-reasoning', 'think before acting, where a strategy has both (default)')
    .option('--no-use-reasoning', 'act without thinking')
    .option('--log-dir <folder>', 'where the run log goes (default: results)')
    .option('--run-id <id>', 'name of the run, and the key to resume it')
    .option('--pack <folder|name>', "domain pack (default: the env's shipped pack)")
    .option('--episode-timeout <duration>', "an episode's deadline (default: 2h)")
    .option('--max-retries <n>', 'retries of one model call after API failures (default: 3)')
    .option('--call-timeout <duration>', 'how long one model call may take before it is tried again (default: 10m)')
    .option('--outage-timeout <duration>', 'how long to wait for a provider that is away; none: do not (default: 6h)')
    .option(
      '--max-completion-tokens <n>',
      `tokens of an agent's completion, or none (default: ${DEFAULT_TOKEN_CAPS.agent}; ${DEFAULT_TOKEN_CAPS.reasoning} if it reasons)`,
    )
    .option(
      '--user-max-completion-tokens <n>',
      `the same for the simulated user (default: ${DEFAULT_TOKEN_CAPS.user}; ${DEFAULT_TOKEN_CAPS.reasoning} if it reasons)`,
    )
    .option(
      '--max-reply-chars <n>',
      `longest reply of a model, in characters (default: ${DEFAULT_REPLY_LIMITS.contentChars})`,
    )
    .option(
      '--max-tool-argument-chars <n>',
      `longest tool arguments of a reply (default: ${DEFAULT_REPLY_LIMITS.toolArgumentChars})`,
    )
    .option(
      '--heartbeat-timeout <duration>',
      "a model call is retried if its worker's heartbeats stop for this long (default: 30s)",
    )
    .option('--omit-policy', "leave the policy out of the agent's prompts")
    .option('--response-cache', 'answer a call that an earlier run with equal seed and trial made from its completion')
    .addOption(new Option('--no-response-cache').hideHelp())
    .option('--clear-cache [0|1]', 'forget cached completions of this configuration before running (default: 0)')
    .option(
      '--max-cost <usd>',
      'open no further episode when the run has cost this much; it ends above it by the open ones at most',
    )
    .option('--prices <file>', 'JSON of USD per million tokens by provider/model, which go before the price list')
    .option('--detach', 'start the sweep and return; it goes on wherever workers run')
    .option('--no-worker', 'run no worker in this process')
    .option('--task-queue <name>', 'task queue that workers listen on (default: tauflow)')
    .option(
      '--max-llm-calls-per-second <provider=n...>',
      'limit of the task queue, over all workers; openai=none: none',
    )
    .option('--config <file>', 'JSON file with any of these flags; flags on the command line win')
    .option('--fail-under <share>', 'exit with 1 when the average reward is lower')
    .option('--dry-run', 'say what would run, with an estimate of its tokens and cost, and stop')
    .option('--json', 'print one JSON document instead of tables')
    .option('--scripted-latency <duration>', 'how long the scripted model takes to answer')
    .option(
      '--scripted-faults <rates>',
      'faults of the scripted model, e.g. 429=0.05,arguments=0.01 (see scripted-model --help)',
    );
  addStrategyFlags(command);
}

/** What stood on the command line: commander's own defaults (of `--no-…` flags) are not the user's word. */
export function givenFlags(command: Command): RawRunOptions & { config?: unknown } {
  const { provider, ...values } = command.opts<Record<string, unknown>>();
  const given = Object.entries(values).filter(([name]) => command.getOptionValueSource(name) === 'cli');
  return { ...(provider === undefined ? {} : { modelProvider: provider }), ...Object.fromEntries(given) };
}
