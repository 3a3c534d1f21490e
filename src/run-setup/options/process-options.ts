/** Options of a run that concern this process, not the evaluation; see `table.ts`. */

import { AGENT_SERVICE, MOST_UNASKED } from '../../evaluation/index.ts';
import { HIDDEN, type OptionEntry } from './entry.ts';
import { UsageError } from '../../errors/index.ts';
import { PROVIDERS } from '../../models/providers.ts';

/** Help of the flag for gates, in every command that has gates. */
export const FAIL_IF_HELP = "exit with 1 if 'pass^1 < 0.8', or unless 'task 3: 4 of 5'; may be repeated";

export const PROCESS_OPTIONS = {
  detach: {
    isEssential: true,
    flags: { '--detach': 'start the run and return; any worker continues it' },
    helpIn: {
      fork: 'start the fork and return; any worker continues it',
      errors: 'start and return; any worker continues it',
    },
    schema: (as) => as.yesOrNo.default(false),
    notScheduled: 'always starts its runs apart from this command',
  },
  worker: {
    flags: { '--no-worker': 'run no worker in this process' },
    schema: (as) => as.yesOrNo.default(true),
    notScheduled: 'always leaves its runs to the workers of its task queue',
  },
  taskQueue: {
    flags: { '--task-queue <name>': 'task queue that workers listen on (default: tauflow)' },
    schema: (as) => as.name.default('tauflow'),
  },
  maxLlmCallsPerSecond: {
    flags: {
      '--max-llm-calls-per-second <provider=n...>': 'limit of the task queue, over all workers; openai=none: no limit',
    },
    schema: (as) => as.names.default([]).transform(parseRateLimits),
  },
  config: {
    isEssential: true,
    flags: { '--config <file>': 'JSON file with any of these flags; flags on the command line win' },
    schema: (as) => as.name.optional(),
    isNotInFiles: true,
  },
  failUnder: {
    flags: { '--fail-under <share>': HIDDEN },
    schema: (as) => as.share.optional(),
    notScheduled: 'compares its runs with each other; use --on-regression for alerts',
  },
  failIf: {
    flags: { '--fail-if <gate>': FAIL_IF_HELP },
    isRepeatable: true,
    schema: (as) => as.texts.default([]),
  },
  dryRun: {
    isEssential: true,
    flags: { '--dry-run': 'show what would run, with its estimated tokens and cost, and exit' },
    schema: (as) => as.yesOrNo.default(false),
    notScheduled: 'is not a run; give these flags to `tauflow run --dry-run` to see what a run would be',
  },
  yes: {
    flags: { '--yes': `start also a run of more than ${MOST_UNASKED} episodes` },
    schema: (as) => as.yesOrNo.default(false),
  },
  all: {
    flags: { '--all': 'end with the whole report instead of its first screen' },
    schema: (as) => as.yesOrNo.default(false),
  },
  json: {
    isEssential: true,
    flags: { '--json': 'print one JSON document instead of tables' },
    helpIn: { fork: 'print one JSON document', errors: 'print one JSON document' },
    schema: (as) => as.yesOrNo.default(false),
  },
  gatewayUrl: {
    flags: { '--gateway-url <url>': 'URL at which an agent elsewhere reaches this worker (default: loopback alone)' },
    shownWith: [AGENT_SERVICE],
    schema: (as) => as.name.optional(),
    notScheduled: 'leaves that to its workers',
  },
  scriptedLatency: {
    flags: { '--scripted-latency <duration>': HIDDEN },
    schema: (as) => as.duration.optional(),
    recorded: ({ scripted }) => (scripted?.latencyMs === undefined ? undefined : `${scripted.latencyMs}ms`),
    notScheduled: 'leaves the scripted model to its workers',
  },
  scriptedFaults: {
    flags: { '--scripted-faults <rates>': HIDDEN },
    schema: (as) => as.text.optional(),
    recorded: ({ scripted }) => scripted?.faults,
    notScheduled: 'leaves the scripted model to its workers',
  },
} as const satisfies Readonly<Record<string, OptionEntry>>;

/** The value that removes a limit. */
const NONE = 'none';

/**
 * Parses rate limits: `openai=5`, `openai=none`.
 * @throws UsageError
 */
export function parseRateLimits(items: readonly string[]): Readonly<Record<string, number | null>> {
  const known = PROVIDERS.map(({ name }) => name);
  return Object.fromEntries(
    items.map((item) => {
      const [provider = '', rate = ''] = item.split('=');
      const limit = rate === NONE ? null : Number(rate);
      if (!known.includes(provider) || (limit !== null && !(limit > 0 && Number.isFinite(limit)))) {
        throw new UsageError(
          `--max-llm-calls-per-second takes pairs such as openai=5, or openai=${NONE}, not "${item}"; ` +
            `providers are: ${known.join(', ')}.`,
        );
      }
      return [provider, limit];
    }),
  );
}
