/**
 * FastWorkflow on tau-bench: a planner, and a ReAct agent whose commands are parsed and validated before they become
 * environment actions.
 *
 * Behavior follows FastWorkflow 3.6.0; prompts and wording are this project's own.
 */

import type {
  AgentSession,
  LeastSolution,
  SolveEnd,
  StrategyDefinition,
  StrategyOptions,
  ToolChanges,
} from '../port.ts';
import { Bridge } from './bridge.ts';
import { DOMAIN_CATALOGUES, checkCatalogue, suppliedCatalogue, type CatalogueSource } from './catalogue/index.ts';
import type { Catalogue } from './catalogue/definitions.ts';
import { makeCommands } from './catalogue/from-tools.ts';
import { readCatalogue } from './catalogue/read.ts';
import { changeSource } from './catalogue/changed.ts';
import { commandReplyFields } from './understanding/understand.ts';
import { emptyMemory, type IntentClassifier } from './understanding/types.ts';
import { FASTWORKFLOW_OPTIONS, FASTWORKFLOW_ROLES, optionNotes, type FastWorkflowOptions } from './options.ts';
import {
  Iterations,
  createExecution,
  type ExecuteWorkflowQuery,
  type ExecutionPorts,
  type LoopContext,
} from './loop/execution.ts';
import { promptTexts } from './prompts/messages.ts';
import { type AgentConversation, resumeConversation, openFirstTurn, openNextTurn, serveTurn } from './loop/turn.ts';

/** Parts of FastWorkflow that can be replaced. All of them run in workflow code: deterministic, no I/O. */
export interface FastWorkflowPorts extends ExecutionPorts {
  /** Ranks the commands for a text without a command's name. @default the trained classifier */
  readonly classifier?: IntentClassifier;
  /** Catalogue of commands for every domain. @default the commands of the run's domain */
  readonly catalogue?: Catalogue;
}

/**
 * Creates a FastWorkflow agent. To make an agent of your own, give it another name: `{ ...createFastWorkflow({
 * classifier }), name: 'my-fastworkflow', label: 'My FW' }`.
 */
export function createFastWorkflow(ports: FastWorkflowPorts = {}): StrategyDefinition {
  const source = ports.catalogue === undefined ? DOMAIN_CATALOGUES : suppliedCatalogue(ports.catalogue);
  const parts: Parts = { ...ports, source, execute: createExecution(ports) };
  const changed = new Map<string, StrategyDefinition>();
  return {
    ...defineStrategy(parts, ports),
    withTools(changes) {
      const made =
        changed.get(changes.key) ?? defineStrategy({ ...parts, source: changeSource(source, changes), changes }, ports);
      changed.set(changes.key, made);
      return made;
    },
  };
}

function defineStrategy(parts: Parts, ports: FastWorkflowPorts): StrategyDefinition {
  const { source } = parts;
  return {
    name: 'fastworkflow',
    label: 'FW',
    domains: source.domains,
    // The original leaves the temperature to the provider, except when it reads parameters.
    temperature: null,
    modelRoles: FASTWORKFLOW_ROLES,
    decisionOnly: true,
    options: FASTWORKFLOW_OPTIONS,
    leastCalls,
    notes: (options) => [...optionNotes(options), rankingNote(options, ports)],
    check: ({ env, tools, options }) =>
      checkCatalogue(source.find(env), tools, (options as FastWorkflowOptions).toolNames ?? {}),
    replyFields: (key, env) => commandReplyFields(source, key, env),
    texts: promptTexts(source),
    solve: (session, options) => solve(openLoop(session, options, parts), openConversation),
    takeOver: (session, options) => solve(openLoop(session, options, parts), resumeConversation),
  };
}

interface Parts extends Pick<FastWorkflowPorts, 'classifier'> {
  readonly source: CatalogueSource;
  /** Changes of names in {@link Parts.source}. */
  readonly changes?: ToolChanges;
  readonly execute: ExecuteWorkflowQuery;
}

const TRAINED_NOTE =
  "Words that name no command are matched by this project's own trained classifier: FastWorkflow's is not published.";
const LEXICAL_NOTE =
  'Words that name no command were matched by their likeness to the command list (--intent-ranker lexical).';
const SUPPLIED_NOTE = 'Words that name no command are matched by a classifier that was supplied from outside.';

function rankingNote({ intentRanker }: FastWorkflowOptions, { classifier }: FastWorkflowPorts): string {
  if (classifier !== undefined) return SUPPLIED_NOTE;
  return intentRanker === 'lexical' ? LEXICAL_NOTE : TRAINED_NOTE;
}

const adapted = new Map<string, StrategyDefinition>();

/** Returns the strategy with commands made from tools; the same strategy for the same commands. */
function adapt(commands: unknown): StrategyDefinition {
  const key = JSON.stringify(commands);
  const made = adapted.get(key) ?? createFastWorkflow({ catalogue: readCatalogue({ commands }) });
  adapted.set(key, made);
  return made;
}

export const fastWorkflow: StrategyDefinition = {
  ...createFastWorkflow(),
  commandsOfTools: { make: makeCommands, adapt },
};

function openLoop(
  session: AgentSession,
  given: StrategyOptions,
  { source, execute, classifier, changes }: Parts,
): LoopContext {
  const options = withNames(given, changes);
  const catalogue = source.find(session.env);
  return {
    session,
    options,
    catalogue,
    bridge: new Bridge(session, options),
    memory: emptyMemory(),
    classifier,
    execute,
    iterations: new Iterations(),
  };
}

/** Replaces the names of commands and tools in `toolNames`. */
function withNames(options: FastWorkflowOptions, changes: ToolChanges | undefined): FastWorkflowOptions {
  const { toolNames } = options;
  if (changes === undefined || toolNames === undefined) return options;
  const pairs = Object.entries(toolNames).map(([command, tool]) => [changes.name(command), changes.name(tool)]);
  return { ...options, toolNames: Object.fromEntries(pairs) as typeof toolNames };
}

async function solve(loop: LoopContext, begin: (loop: LoopContext) => Promise<AgentConversation>): Promise<SolveEnd> {
  if (loop.session.stepsLeft() <= 0) return 'max_steps';
  const { history, turn: first } = await begin(loop);
  let turn = first;
  for (;;) {
    const served = await serveTurn(loop, turn);
    if (served.kind === 'ended') return served.end;
    turn = await openNextTurn(loop, history, served.answered, served.reply);
  }
}

async function openConversation(loop: LoopContext): Promise<AgentConversation> {
  return { history: [], turn: await openFirstTurn(loop) };
}

/**
 * Counts model calls: the plan, one choice per action, and, unless only decisions are wanted, the choice to finish and
 * the answer.
 */
function leastCalls({ actions, endsItself }: LeastSolution, { decisionOnly }: StrategyOptions): number {
  if (decisionOnly === true) return 1 + actions + 1;
  return 1 + actions + (endsItself ? 0 : 2);
}
