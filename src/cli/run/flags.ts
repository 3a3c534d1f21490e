/**
 * Flags that ask for a run, for `run` and for what starts one at another time, and their names as options. Those of
 * options and model roles derive from the strategies' descriptors.
 */

import { Command, Option } from 'commander';
import {
  camelCase,
  knownStrategies,
  optionFlag,
  optionName,
  strategies,
  type StrategyDefinition,
  type StrategyOption,
} from '../../agents/index.ts';
import { UsageError } from '../../errors/index.ts';
import { DEFAULT_TOKEN_CAPS, providerNames } from '../../models/providers.ts';
import { userCompat, userStrategies } from '../../users/index.ts';
import { DEFAULT_REPLY_LIMITS } from '../../wire/index.ts';
import type { RawRunOptions } from './options.ts';

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
    .option('--agent-model-settings <json>', `further settings of the agent's model, such as '{"top_p": 0.9}'`)
    .addOption(new Option('--agent-llm-args <json>').hideHelp())
    .option('--user-model-settings <json>', "the same for the simulated user's model, its temperature among them")
    .addOption(new Option('--user-llm-args <json>').hideHelp())
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
    .option('--temperature <t>', "agent's sampling temperature, or default (default: the strategy's original's)")
    .option('--seed <n>', 'order of shuffled tasks, and seeds for providers that take one (default: 10)')
    .option('--shuffle <0|1>', 'shuffle the tasks of each trial (default: 0)')
    .option('--max-steps <n>', 'environment steps per episode (default: 30)')
    .option('--use-reasoning', 'think before acting, where a strategy has both (default)')
    .option('--no-use-reasoning', 'act without thinking')
    .option('--log-dir <folder>', 'where the run log goes, also s3://bucket/prefix (default: results)')
    .option('--run-id <id>', 'name of the run, and the key to resume it')
    .option('--pack <folder|name>', "domain pack (default: the env's shipped pack)")
    .option('--episode-timeout <duration>', "an episode's deadline (default: 2h)")
    .option('--max-retries <n>', 'retries of one model call after API failures (default: 3)')
    .option('--call-timeout <duration>', 'time limit of one model call (default: 10m; 30m with a high effort)')
    .option(
      '--outage-timeout <duration>',
      'how long to wait for a provider that is down; none: do not wait (default: 6h)',
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
    .option('--response-cache', 'reuse completions of equal calls of earlier runs with the same seed and trial')
    .addOption(new Option('--no-response-cache').hideHelp())
    .option('--keep-requests', 'keep the raw request and reply of every model call in the run log')
    .addOption(new Option('--no-keep-requests').hideHelp())
    .option('--clear-cache [0|1]', 'delete cached completions of this configuration before running (default: 0)')
    .option(
      '--max-cost <usd>',
      'open no further episodes once the run has cost this much; open ones continue to their end',
    )
    .option('--prices <file>', 'JSON of USD per million tokens by provider/model; overrides the price list')
    .option('--detach', 'start the run and return; any worker continues it')
    .option('--no-worker', 'run no worker in this process')
    .option('--task-queue <name>', 'task queue that workers listen on (default: tauflow)')
    .option(
      '--max-llm-calls-per-second <provider=n...>',
      'limit of the task queue, over all workers; openai=none: no limit',
    )
    .option('--config <file>', 'JSON file with any of these flags; flags on the command line win')
    .option('--fail-under <share>', 'exit with 1 when the average reward is lower')
    .option('--dry-run', 'show what would run, with its estimated tokens and cost, and exit')
    .option('--all', 'end with the whole report instead of its first screen')
    .option('--json', 'print one JSON document instead of tables')
    .option('--scripted-latency <duration>', 'how long the scripted model takes to answer')
    .option(
      '--scripted-faults <rates>',
      'faults of the scripted model, e.g. 429=0.05,arguments=0.01 (see scripted-model --help)',
    );
  addSettingFlags(command);
  addSharedFlags(command);
  addStrategyFlags(command, all);
  command.addHelpText('after', () => `${rolesHelp(command)}\n${compatHelp(command)}`);
}

/** Settings of the agent's and the simulated user's models that have flags of their own. */
export function addSettingFlags(command: Command): void {
  command
    .option('--reasoning-effort <level>', "the agent's: none, minimal, low, medium, high, or what the model takes")
    .option('--user-reasoning-effort <level>', "the simulated user's")
    .option('--top-p <p>', "agent's nucleus sampling, from 0 to 1")
    .option('--user-top-p <p>', "the simulated user's")
    .option('--wire <name>', 'how the agent is called: chat, responses, messages (default: by its model)')
    .option('--user-wire <name>', "the same for the simulated user's model")
    .option('--extra-body <json>', "fields to add to the agent's requests")
    .option('--user-extra-body <json>', "fields to add to the simulated user's requests")
    .option(
      '--max-completion-tokens <n>',
      `tokens of an agent's completion, or none (default: ${DEFAULT_TOKEN_CAPS.agent}; ${DEFAULT_TOKEN_CAPS.reasoning} if it reasons)`,
    )
    .option(
      '--user-max-completion-tokens <n>',
      `the same for the simulated user (default: ${DEFAULT_TOKEN_CAPS.user}; ${DEFAULT_TOKEN_CAPS.reasoning} if it reasons)`,
    )
    .addOption(new Option('--max-output-tokens <n>').hideHelp())
    .addOption(new Option('--user-max-output-tokens <n>').hideHelp());
}

/** Other names of options: short, or tau²-bench's. */
export const ALIASES: Readonly<Record<string, string>> = {
  provider: 'modelProvider',
  agentLlmArgs: 'agentModelSettings',
  userLlmArgs: 'userModelSettings',
  maxOutputTokens: 'maxCompletionTokens',
  userMaxOutputTokens: 'userMaxCompletionTokens',
};

/** Returns the flags given on the command line: commander's own defaults (of `--no-…` flags) were not. */
export function givenFlags(command: Command): RawRunOptions & { config?: unknown } {
  const given = Object.entries(command.opts<Record<string, unknown>>()).filter(
    ([name]) => command.getOptionValueSource(name) === 'cli',
  );
  const renamed = given.map(([name, value]) => [ALIASES[name] ?? name, value] as const);
  const isAlias = (index: number) => given[index]?.[0] !== renamed[index]?.[0];
  // A flag given by its own name comes last, so that it wins over its alias.
  return Object.fromEntries<unknown>([
    ...renamed.filter((_, index) => isAlias(index)),
    ...renamed.filter((_, index) => !isAlias(index)),
  ]);
}

/** A command line whose agent may be a file with flags of its own. */
export interface RunFlags {
  readonly options: RawRunOptions;
  /** Of `--config`. */
  readonly config?: string;
  /**
   * Reads the flags that only this strategy has.
   * @throws CommanderError, already printed, for flags that it does not have either; UsageError for a flag of another
   *   meaning
   */
  readonly readOwn?: (strategy: StrategyDefinition | undefined) => RawRunOptions;
}

/** Leaves flags that the program does not have for {@link readRunFlags}: an agent's file may have them. */
export function allowOwnFlags(command: Command): void {
  command.allowUnknownOption().allowExcessArguments();
}

/** @param command has parsed its command line, see {@link allowOwnFlags} */
export function readRunFlags(command: Command): RunFlags {
  const { config, ...options } = givenFlags(command);
  const readOwn = (strategy: StrategyDefinition | undefined) => readOwnFlags(command, strategy);
  return { options, readOwn, ...(typeof config === 'string' ? { config } : {}) };
}

/** Parses again what the command did not know, with the strategy's flags, and reports what they do not explain. */
function readOwnFlags(command: Command, strategy: StrategyDefinition | undefined): RawRunOptions {
  const again = new Command(command.name()).copyInheritedSettings(command).allowExcessArguments(false);
  // Its errors then name the command.
  again.parent = command.parent;
  for (const argument of command.registeredArguments) again.addArgument(argument);
  for (const option of command.options) again.addOption(option);
  if (strategy !== undefined) addStrategyFlags(again, [strategy]);
  again.action(() => undefined).parse(command.args, { from: 'user' });
  return givenFlags(again);
}

const all = Object.values(strategies);

const GROUP = 'Options of some agent strategies:';

/** Of what several strategies have in common. */
function addSharedFlags(command: Command): void {
  const able = namesOf((strategy) => strategy.decisionOnly === true);
  const add = (flag: string, help: string) => command.addOption(new Option(flag, help).helpGroup(GROUP));
  add('--compat <names...>', 'bring defects of the original back, as a b or a,b; the names are below');
  add('--decision-only', `plan actions and print them as JSON, without any step (${able})`);
  add(
    '--decisions <list|stdio>',
    'stdio: any strategy; actions go out as JSON lines, observations come in (default: list)',
  );
}

/** @throws UsageError for a flag that the command has in another meaning */
export function addStrategyFlags(command: Command, of: readonly StrategyDefinition[]): void {
  for (const option of of.flatMap(({ options = [] }) => options)) addOwn(command, toFlag(option), of);
  for (const { name } of of.flatMap(({ modelRoles = [] }) => modelRoles)) {
    // Ten flags a role would drown the others; a section of their own explains them.
    for (const { ending, value } of ROLE_FLAGS) {
      addOwn(command, new Option(`--${name}-${ending} ${value}`).hideHelp(), of);
    }
  }
}

/** Two strategies may have the same flag, if it takes a value in both or in none. */
function addOwn(command: Command, flag: Option, of: readonly StrategyDefinition[]): void {
  const before = command.options.find(({ long }) => long === flag.long);
  if (before === undefined) command.addOption(flag);
  else if (!strategyNames(all).has(flag.attributeName()) || before.required !== flag.required) {
    const names = of.map(({ name }) => name).join(', ');
    throw new UsageError(`${String(flag.long)} of the agent ${names} means something else to this command; rename it.`);
  }
}

function toFlag(option: StrategyOption): Option {
  const { value, help } = option;
  const who = namesOf(({ options = [] }) => options.some(({ key }) => key === option.key));
  const usual = 'default' in value ? `default: ${value.default}` : '';
  const words = [who, usual].filter((word) => word !== '').join('; ');
  const flag = `--${optionFlag(option)}${valueOf(option)}`;
  return new Option(flag, words === '' ? help : `${help} (${words})`).helpGroup(GROUP);
}

function valueOf({ value }: StrategyOption): string {
  switch (value.kind) {
    case 'choice':
      return ` <${value.choices.join('|')}>`;
    case 'integer':
    case 'number':
      return ' <n>';
    case 'boolean':
      return '';
    case 'text':
      return ' <text>';
    case 'list':
      return ' <words...>';
    case 'pairs':
      return ` <${value.of}=${value.to}...>`;
    case 'file':
      return ' <file>';
  }
}

/** Flags of a model role, as `--planner-model` ends, and the field of the role's options that each gives. */
const ROLE_FLAGS = [
  { ending: 'model', value: '<model>', field: 'model' },
  { ending: 'model-provider', value: '<name>', field: 'modelProvider' },
  { ending: 'temperature', value: '<t>', field: 'temperature' },
  { ending: 'max-completion-tokens', value: '<n>', field: 'maxCompletionTokens' },
  { ending: 'model-settings', value: '<json>', field: 'modelSettings' },
  { ending: 'reasoning-effort', value: '<level>', field: 'reasoningEffort' },
  { ending: 'top-p', value: '<p>', field: 'topP' },
  { ending: 'wire', value: '<name>', field: 'wire' },
  { ending: 'extra-body', value: '<json>', field: 'extraBody' },
  // Another name of a flag above.
  { ending: 'max-output-tokens', value: '<n>', field: 'maxCompletionTokens' },
] as const;
type RoleField = (typeof ROLE_FLAGS)[number]['field'];

/** Names of the options that strategies have, as the program spells them: `parameterTries`, `plannerModel`. */
export function strategyNames(known: readonly StrategyDefinition[] = knownStrategies()): ReadonlySet<string> {
  return new Set([...known.flatMap(({ options = [] }) => options.map(optionName)), ...roleNames(known).keys()]);
}

function roleNames(known: readonly StrategyDefinition[]) {
  const roles = known.flatMap(({ modelRoles = [] }) => modelRoles);
  return new Map(
    roles.flatMap(({ name }) =>
      ROLE_FLAGS.map(({ ending, field }) => [camelCase(`${name}-${ending}`), { name, field }]),
    ),
  );
}

/** Values of strategies' options by name, and of their roles by role and field. */
export interface StrategyValues {
  readonly own: Readonly<Record<string, unknown>>;
  readonly roles: Readonly<Record<string, Partial<Record<RoleField, unknown>>>>;
}

/** Takes what strategies describe out of what was given. */
export function splitStrategyValues(
  raw: Readonly<Record<string, unknown>>,
): StrategyValues & { readonly rest: Record<string, unknown> } {
  const rest: Record<string, unknown> = {};
  const own: Record<string, unknown> = {};
  const roles: Record<string, Partial<Record<RoleField, unknown>>> = {};
  const names = strategyNames();
  const byName = roleNames(knownStrategies());
  for (const [option, value] of Object.entries(raw)) {
    const role = byName.get(option);
    if (!names.has(option)) rest[option] = value;
    else if (value === undefined) continue;
    else if (role === undefined) own[option] = value;
    else roles[role.name] = { ...roles[role.name], [role.field]: value };
  }
  return { rest, own, roles };
}

/** The options of a role's flags: `plannerModel` and its kin. */
export function roleOptions(role: string, values: Readonly<Partial<Record<RoleField, unknown>>>): RawRunOptions {
  const given = ROLE_FLAGS.filter(({ field, ending }) => values[field] !== undefined && ending !== 'max-output-tokens');
  return Object.fromEntries(given.map(({ ending, field }) => [camelCase(`${role}-${ending}`), values[field]]));
}

/** `--planner-model-provider` */
export function roleFlag(role: string, field: string): string {
  return `--${role}-${ROLE_FLAGS.find((flag) => flag.field === field)?.ending ?? field}`;
}

/** @returns true if a model is named for a role: then the run is no demonstration */
export function namesRoleModel(raw: Readonly<Record<string, unknown>>): boolean {
  return Object.values(splitStrategyValues(raw).roles).some(
    ({ model, modelProvider }) => model !== undefined || modelProvider !== undefined,
  );
}

function rolesHelp(run: Command): string {
  const heading =
    'Models by role, each with --<role>-model, --<role>-model-provider, --<role>-temperature, ' +
    '--<role>-max-completion-tokens, --<role>-reasoning-effort, --<role>-top-p, --<role>-wire, --<role>-extra-body, ' +
    "--<role>-model-settings (default: the agent's):";
  const roles = new Map(all.flatMap(({ modelRoles = [] }) => modelRoles.map((role) => [role.name, role])));
  const items = Array.from(roles.values(), ({ name, description }) => {
    const who = namesOf((strategy) => strategy.modelRoles?.some((role) => role.name === name) ?? false);
    return [name, `${description} (${who})`] as const;
  });
  return section(run, heading, items);
}

/** Every name that `--compat` takes, with what it does. */
function compatHelp(run: Command): string {
  const ofAgents = all.map(({ name, compat = {} }) => ({ who: `agent strategy is ${name}`, compat }));
  const ofUsers = Object.entries(userCompat).map(([name, compat]) => ({ who: `user strategy is ${name}`, compat }));
  return [...ofAgents, ...ofUsers]
    .filter(({ compat }) => Object.keys(compat).length > 0)
    .map(({ who, compat }) => section(run, `Names for --compat, where the ${who}:`, Object.entries(compat)))
    .join('\n');
}

/** As commander sets its own sections. */
function section(run: Command, heading: string, items: readonly (readonly [term: string, text: string])[]): string {
  const helper = run.createHelp();
  helper.prepareContext({ helpWidth: run.configureOutput().getOutHelpWidth?.() ?? 80 });
  const longest = Math.max(...items.map(([term]) => term.length));
  return ['', heading, ...items.map(([term, text]) => helper.formatItem(term, longest, text, helper))].join('\n');
}

function namesOf(isMeant: (strategy: StrategyDefinition) => boolean): string {
  return all
    .filter(isMeant)
    .map(({ name }) => name)
    .join(', ');
}
