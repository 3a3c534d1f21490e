/**
 * The options of a run, each defined once: in this table, or with its field of the configuration. From this table
 * derive flags, `--help`, config files, checks, shell completion, schedules, forks, and the values that a resumed run
 * takes from `run.json`. Strategies define their own options.
 */

import { strategies } from '../../agents/index.ts';
import { BENCHMARK_NAMES, domains } from '../../benchmarks/index.ts';
import { providerNames } from '../../models/providers.ts';
import { CONDITIONS, formatConditionName } from '../../conditions/index.ts';
import { OUTSIDE } from '../../agents/users/index.ts';
import {
  MOST_TRIALS,
  USUAL_USER,
  furtherSettings,
  type EvaluationConfig,
  type ModelSettings,
} from '../../evaluation/index.ts';
import { CONFIG_OPTIONS } from './config-options.ts';
import { HIDDEN, type OptionEntry } from './entry.ts';
import { PROCESS_OPTIONS } from './process-options.ts';
import { SETTING_OPTIONS } from './setting-options.ts';

export const DEFAULT_STRATEGY = 'tool-calling';

export const DEFAULT_LOG_DIR = 'results';

export const STRATEGY_GROUP = 'Options of some agent strategies:';

/** Options with a fixed place in `--help`; other options follow the timeouts. */
const {
  env,
  userStrategy,
  taskSplit,
  seed,
  maxSteps,
  episodeTimeout,
  maxRetries,
  callTimeout,
  keepRequests,
  ...further
} = CONFIG_OPTIONS;

/** Options in the order of `--help`. Options of tau-bench's `run.py` have its names. */
export const RUN_OPTIONS = {
  env: { ...env, suggested: () => [...domains.keys()] },
  benchmark: {
    flags: {
      '--benchmark <name>': `whose domain the env is: ${BENCHMARK_NAMES.join(' or ')} (default: ${BENCHMARK_NAMES[0]})`,
    },
    schema: (as) => as.name.optional(),
    suggested: () => [...BENCHMARK_NAMES],
  },
  envUrl: {
    flags: { '--env-url <url>': 'URL of an environment service, whose domain --env is (default: its first domain)' },
    schema: (as) => as.name.optional(),
    recorded: ({ config }) => (findServiceSource(config)?.kind === 'url' ? config.pack.path : undefined),
  },
  envOptions: {
    flags: { '--env-options <json>': 'options of an environment service, as it describes them' },
    schema: (as) => as.environmentOptions.default({}),
    recorded: ({ config }) => config.pack.environment?.options,
  },
  envReplays: {
    flags: { '--env-replays': HIDDEN },
    schema: (as) => as.yesOrNo.default(false),
    recorded({ config }) {
      const source = findServiceSource(config);
      return source?.kind === 'url' ? source.replays : undefined;
    },
  },
  agentStrategy: {
    isEssential: true,
    flags: {
      '--agent-strategy <name|file>': `${Object.keys(strategies).join(', ')}, fastworkflow-python, or a file such as ./my-agent.ts (default: ${DEFAULT_STRATEGY})`,
    },
    helpIn: { fork: 'another strategy, which continues the conversation' },
    schema: (as) => as.name.default(DEFAULT_STRATEGY),
    suggested: () => Object.keys(strategies),
    recorded: ({ config }) => config.strategyOptions.agentFile?.path ?? config.strategy,
  },
  model: {
    isEssential: true,
    flags: { '--model <model>': "agent's model; without one the scripted model plays (no key needed)" },
    helpIn: {
      fork: "another model for the agent's calls from there on",
      errors: "the judge's model (default: that of the run, where it is scripted)",
    },
    schema: (as) => as.name.optional(),
    recorded: ({ config }) => config.agentModel?.model,
  },
  modelProvider: {
    isEssential: true,
    flags: { '--model-provider <name>': `the model's provider: ${providerNames()}`, '--provider <name>': HIDDEN },
    helpIn: { fork: 'its provider', errors: "the model's provider" },
    schema: (as) => as.name.optional(),
    suggested: () => providerNames().split(', '),
    recorded: ({ config }) => config.agentModel?.provider,
  },
  userModel: {
    isEssential: true,
    flags: {
      '--user-model <model>': `simulated user's model (default: ${USUAL_USER.model}; scripted beside a scripted agent)`,
    },
    helpIn: { fork: "another model for the simulated user's calls" },
    schema: (as) => as.name.optional(),
    recorded: ({ config }) => config.userModel.model,
  },
  userModelProvider: {
    isEssential: true,
    flags: { '--user-model-provider <name>': "the simulated user's provider (default: openai)" },
    helpIn: { fork: 'its provider' },
    schema: (as) => as.name.optional(),
    recorded: ({ config }) => config.userModel.provider,
  },
  judgeModel: {
    flags: { '--judge-model <model>': 'judge of the sentences that tasks ask for (default: they are not judged)' },
    schema: (as) => as.name.optional(),
    recorded: ({ config }) => config.judgeModel?.model,
  },
  judgeModelProvider: {
    flags: { '--judge-model-provider <name>': "the judge's provider (default: the agent's)" },
    schema: (as) => as.name.optional(),
    recorded: ({ config }) => config.judgeModel?.provider,
  },
  judgeModelSettings: {
    flags: { '--judge-model-settings <json>': "settings of the judge's model (default: temperature 0)" },
    schema: (as) => as.modelSettings.optional(),
    recorded: ({ config: { judgeModel } }) =>
      judgeModel && { ...recordedSettings(judgeModel), temperature: judgeModel.temperature },
  },
  agentModelSettings: {
    flags: {
      '--agent-model-settings <json>': `settings of the agent's model: top_p, seed, wire, extra_body and others`,
      '--model-settings <json>': HIDDEN,
      '--agent-llm-args <json>': HIDDEN,
    },
    helpIn: { errors: "settings of the judge's model" },
    schema: (as) => as.modelSettings.optional(),
    recorded: ({ config }) => (config.agentModel === null ? undefined : recordedSettings(config.agentModel)),
  },
  userModelSettings: {
    flags: {
      '--user-model-settings <json>': "the same for the simulated user's model, its temperature among them",
      '--user-llm-args <json>': HIDDEN,
    },
    schema: (as) => as.modelSettings.optional(),
    recorded: ({ config: { userModel } }) => {
      const { temperature } = userModel;
      return { ...recordedSettings(userModel), ...(temperature === null ? {} : { temperature }) };
    },
  },
  roleModels: {
    flags: {
      '--role-models <json>': `models of a strategy's roles, such as '{"planner": {"model": "gpt-6-sol"}}'; roles are below`,
    },
    helpIn: { fork: "models of a strategy's roles, as for run" },
    schema: (as) => as.givenRoleModels.default({}),
  },
  ...SETTING_OPTIONS,
  userStrategy: {
    ...userStrategy,
    recorded: ({ config }) => (config.userStrategy === OUTSIDE ? undefined : config.userStrategy),
  },
  taskSplit,
  taskIds: {
    isEssential: true,
    flags: { '--task-ids <ids...>': 'tasks, as 1 2 3, 1,2,3 or 1-3; wins over the range' },
    schema: (as) => as.taskIds.optional(),
    recorded: ({ plan }) => plan.taskIds,
  },
  startIndex: {
    flags: { '--start-index <n>': 'first task of a half-open range (default: 0)' },
    schema: (as) => as.wholeNumber(0).default(0),
  },
  endIndex: {
    flags: { '--end-index <n>': 'task after the last one; -1: all (default: -1)' },
    schema: (as) => as.wholeNumber(-1).default(-1),
  },
  numTrials: {
    isEssential: true,
    flags: { '--num-trials <n>': 'trials per task (default: 1; without --model and --pack: 4)' },
    schema: (as) => as.wholeNumber(1, MOST_TRIALS).optional(),
    recorded: ({ plan }) => plan.numTrials,
  },
  conditions: {
    isEssential: true,
    flags: {
      '--conditions <names...>': 'conditions such as tool-errors=0.2, user:claims',
    },
    schema: (as) => as.words.default([]),
    suggested: () => CONDITIONS.map(({ name }) => formatConditionName(name)),
    recorded: ({ config }) =>
      config.conditions?.map(({ name, rate, file }) => file?.path ?? (rate === undefined ? name : `${name}=${rate}`)),
  },
  maxConcurrency: {
    isEssential: true,
    flags: { '--max-concurrency <n>': 'episodes open at once (default: 1; without --model and --pack: 8)' },
    helpIn: { errors: 'episodes judged at once (default: 1)' },
    schema: (as) => as.concurrency.optional(),
    recorded: ({ maxConcurrency }) => maxConcurrency,
  },
  /** Temperature of the agent's model; null: none is sent; absent: that of the strategy's original. */
  temperature: {
    isEssential: true,
    flags: {
      '--temperature <t>': "agent's sampling temperature, or default (default: the strategy's original's)",
    },
    helpIn: { fork: "the agent's sampling temperature", errors: "the judge's sampling temperature (default: 0)" },
    schema: (as) => as.temperature.optional(),
    recorded: ({ config }) => config.agentModel?.temperature ?? 'default',
  },
  seed,
  shuffle: {
    flags: { '--shuffle <0|1>': 'shuffle the tasks of each trial (default: 0)' },
    schema: (as) => as.zeroOrOne.default(false),
    recorded: ({ plan }) => plan.shuffle,
  },
  maxSteps,
  useReasoning: {
    flags: {
      '--use-reasoning [true|false]': 'think before acting, where a strategy has both (default: true)',
      '--no-use-reasoning': HIDDEN,
    },
    schema: (as) => as.yesOrNo.default(true),
    recorded: ({ config }) => config.strategyOptions.useReasoning,
  },
  logDir: {
    isEssential: true,
    flags: { '--log-dir <folder>': 'where the run log goes, also s3://bucket/prefix (default: results)' },
    helpIn: {
      fork: 'where the run log is, also s3://bucket/prefix (default: results)',
      errors: 'where the run log is, also s3://bucket/prefix (default: results)',
    },
    schema: (as) => as.name.default(DEFAULT_LOG_DIR),
  },
  runId: {
    isEssential: true,
    flags: { '--run-id <id>': 'name of the run, and the key to resume it' },
    schema: (as) => as.name.optional(),
    notScheduled: 'names its runs itself, by its name and their time',
  },
  pack: {
    flags: { '--pack <folder|name>': "domain pack (default: the env's shipped pack)" },
    helpIn: { errors: "domain pack of a file's tasks (default: the env's shipped pack)" },
    schema: (as) => as.name.optional(),
    recorded: ({ config }) =>
      ['url', 'adapter'].includes(findServiceSource(config)?.kind ?? '') ? undefined : config.pack.path,
  },
  episodeTimeout,
  maxRetries,
  callTimeout,
  ...further,
  omitPolicy: {
    flags: { '--omit-policy': "leave the policy out of the agent's prompts" },
    schema: (as) => as.yesOrNo.default(false),
    recorded: ({ config }) => config.strategyOptions.omitPolicy,
  },
  responseCache: {
    flags: {
      '--response-cache': 'reuse completions of equal calls of earlier runs with the same seed and trial',
      '--no-response-cache': HIDDEN,
    },
    schema: (as) => as.yesOrNo.default(false),
    recorded: ({ config }) => config.responseCache !== undefined,
  },
  keepRequests,
  clearCache: {
    flags: { '--clear-cache [0|1]': 'delete cached completions of this configuration before running (default: 0)' },
    schema: (as) => as.zeroOrOne.default(false),
    notScheduled: 'would delete its completions only once, now; `tauflow cache clear` does that',
  },
  maxCost: {
    isEssential: true,
    flags: {
      '--max-cost <usd>': 'open no further episodes once the run has cost this much; open ones continue to their end',
    },
    helpIn: {
      fork: 'end the fork once its own calls have cost this much',
      errors: 'judge no further episodes once this much is spent',
    },
    schema: (as) => as.budget.optional(),
    recorded: ({ maxCostUsd }) => maxCostUsd ?? undefined,
  },
  prices: {
    flags: { '--prices <file>': 'JSON of USD per million tokens by provider/model; overrides the price list' },
    helpIn: {
      fork: "JSON of USD per million tokens by provider/model; overrides the origin's prices and the list",
    },
    schema: (as) => as.prices.optional(),
    recorded: ({ config }) => config.prices,
  },
  ...PROCESS_OPTIONS,
  decisionOnly: {
    flags: {
      '--decision-only': 'plan actions and print them as JSON, without any step',
    },
    group: STRATEGY_GROUP,
    shownWith: Object.values(strategies).flatMap(({ name, decisionOnly }) => (decisionOnly === true ? [name] : [])),
    schema: (as) => as.yesOrNo.default(false),
    recorded: ({ config }) => config.strategyOptions.decisionOnly,
    isOfStrategy: true,
    notScheduled: 'needs a score to compare, and --decision-only gives none',
  },
  decisions: {
    flags: {
      '--decisions <list|stdio>':
        'stdio: any strategy; actions go out as JSON lines, observations come in (default: list)',
    },
    group: STRATEGY_GROUP,
    schema: (as) => as.choice('list', 'stdio').default('list'),
    recorded: ({ config }) => (config.userStrategy === OUTSIDE ? 'stdio' : undefined),
    notScheduled: 'has nobody who answers on standard input',
  },
} as const satisfies Readonly<Record<string, OptionEntry>>;

/** Returns the source of a run's environment service; undefined for a run on a pack. */
function findServiceSource({ pack }: EvaluationConfig) {
  return pack.environment?.source;
}

/** Returns the settings of a recorded model, with the wire, because a later version may have another default. */
function recordedSettings(model: ModelSettings) {
  return { wire: 'chat', ...furtherSettings(model) } as const;
}
