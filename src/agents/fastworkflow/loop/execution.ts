/**
 * Runs the agent's commands through two replaceable functions, and reports each command (`onCommand`).
 *
 * `executeWorkflowQuery` gets a command as the agent wrote it. By default it parses the command and calls
 * `performAction` with the planned command, which takes a step in the benchmark's environment. A replacement of
 * `executeWorkflowQuery` does not call `performAction`, so no command runs twice.
 *
 * It also limits how many tools the agent may use before it must answer.
 */

import type { PromptPart, SolveEnd } from '../../port.ts';
import type { Action } from '../../../benchmarks/index.ts';
import { toAction, type ActionResult, type PlannedCommand } from '../bridge.ts';
import { understand } from '../understanding/understand.ts';
import type { CommandPlan } from '../understanding/types.ts';
import { listCommands } from '../understanding/written-commands.ts';
import { COMMANDS_TEXT } from '../prompts/messages.ts';
import type { AgentContext, Turn } from '../context.ts';

export type ExecutionResult =
  /** The command ran, and this is its response, which the turn's summary includes. */
  | { readonly kind: 'ran'; readonly response: string; readonly commandName?: string }
  /** The command did not run; the observation is the reason or the requested information. */
  | { readonly kind: 'not_run'; readonly observation: PromptPart }
  /** The command was abandoned; the agent gets the message with a new plan. */
  | { readonly kind: 'aborted'; readonly message: string }
  | { readonly kind: 'ended'; readonly end: SolveEnd };

/**
 * Runs a command. @param command the agent's text
 * @throws ToolError with a message for the agent, which continues; any other error ends the episode
 */
export type ExecuteWorkflowQuery = (agent: AgentContext, turn: Turn, command: string) => Promise<ExecutionResult>;

/** Performs the action of a planned command. @throws ToolError as {@link ExecuteWorkflowQuery} */
export type PerformAction = (agent: AgentContext, planned: PlannedCommand) => Promise<ActionResult>;

/** Error of a tool. The agent reads the message, and the call is not repeated. */
export class ToolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ToolError';
  }
}

/** A command that the agent wrote, with its result. */
export interface CommandEvent {
  /** The agent's text. */
  readonly text: string;
  /** The understood command; null if `executeWorkflowQuery` is replaced. */
  readonly plan: CommandPlan | null;
  /** The environment action of the plan; null if nothing is executed. */
  readonly action: Action | null;
  /** The text that the agent reads; null for the command list, and when the episode ended with this command. */
  readonly observation: string | null;
}

/**
 * Called once for every command, in order, before the agent reads the result; not for a command that ended in an error.
 * Runs in workflow code: deterministic, no I/O. Its result is not awaited; a thrown error ends the episode.
 */
export type OnCommand = (event: CommandEvent, agent: AgentContext) => void;

export interface ExecutionPorts {
  /** Runs a command that the agent wrote. @default parses the command and performs it */
  readonly executeWorkflowQuery?: ExecuteWorkflowQuery;
  /** Performs an action; never called if only decisions are wanted. @default a step in the session's environment */
  readonly performAction?: PerformAction;
  /** Called for every command. */
  readonly onCommand?: OnCommand;
}

export function createExecution(ports: ExecutionPorts = {}): ExecuteWorkflowQuery {
  const { executeWorkflowQuery, performAction = stepInEnvironment, onCommand } = ports;
  return async (agent, turn, command) => {
    let plan: CommandPlan | null = null;
    let executed: ExecutionResult;
    if (executeWorkflowQuery === undefined) {
      const refusal = refuseSeveral(agent, command);
      if (refusal === undefined) {
        plan = await understand(agent, turn, command);
        executed = refuseRepeated(agent, turn, plan) ?? (await perform(agent, plan, performAction));
        if (plan.kind === 'plan') turn.repeats.note(plan.commandName, command, executed);
      } else executed = refusal;
    } else executed = await executeWorkflowQuery(agent, turn, command);
    onCommand?.(toEvent(agent, command, plan, executed), agent);
    return executed;
  };
}

function toEvent(
  { options }: AgentContext,
  text: string,
  plan: CommandPlan | null,
  executed: ExecutionResult,
): CommandEvent {
  const action = plan?.kind === 'plan' ? toAction(plan, options) : null;
  return { text, plan, action, observation: observationText(executed) };
}

function observationText(executed: ExecutionResult): string | null {
  switch (executed.kind) {
    case 'ran':
      return executed.response;
    case 'not_run':
      return typeof executed.observation === 'string' ? executed.observation : null;
    case 'aborted':
      return executed.message;
    case 'ended':
      return null;
  }
}

/** @returns an observation if the text has several commands; none is executed */
function refuseSeveral({ catalogue, session, options }: AgentContext, text: string): ExecutionResult | undefined {
  if (options.isOfVersion1 === true) return undefined;
  const [first, ...others] = listCommands(catalogue, text);
  if (first === undefined || others.length === 0) return undefined;
  session.count('several_commands');
  const observation =
    `The text has ${String(others.length + 1)} commands, so nothing ran: one call takes one command. ` +
    `Begin with ${first} alone.`;
  return { kind: 'not_run', observation };
}

/** @returns an observation if the command has just repeated its own result; the command is then blocked for one step */
function refuseRepeated(
  { session, options }: AgentContext,
  turn: Turn,
  plan: CommandPlan,
): ExecutionResult | undefined {
  if (plan.kind !== 'plan' || !turn.repeats.isClosed(plan.commandName) || options.isOfVersion1 === true)
    return undefined;
  session.count('repeated_commands');
  const observation =
    `${plan.commandName} has just returned the same result again, so nothing ran and this step takes another command. ` +
    'Use that result, or do something else.';
  return { kind: 'not_run', observation };
}

async function perform(
  agent: AgentContext,
  planned: CommandPlan,
  performAction: PerformAction,
): Promise<ExecutionResult> {
  if ('others' in planned) agent.session.count('further_commands', planned.others?.length);
  switch (planned.kind) {
    case 'plan': {
      const acted = await (agent.options.decisionOnly === true
        ? agent.bridge.decide(planned)
        : performAction(agent, planned));
      if (acted.kind === 'ended') return acted;
      const { commandName, others } = planned;
      return { kind: 'ran', response: withOthers(acted.text, others), commandName };
    }
    case 'handled':
      return {
        kind: 'not_run',
        observation: planned.answer.kind === 'catalogue' ? COMMANDS_TEXT : planned.answer.text,
      };
    case 'clarification':
      return { kind: 'not_run', observation: planned.message };
    case 'error': {
      const message = withOthers(planned.message, planned.others);
      return planned.correctable === true ? { kind: 'not_run', observation: message } : { kind: 'aborted', message };
    }
  }
}

/** @param others commands that the agent wrote after this one */
function withOthers(text: string, others: readonly string[] = []): string {
  if (others.length === 0) return text;
  return (
    `${text}\n\nOne call carries out one command, the first. Not carried out: ${others.join(', ')}. ` +
    'Give each further command in a call of its own.'
  );
}

const stepInEnvironment: PerformAction = ({ bridge }, planned) => bridge.execute(planned);

/** Most tools that the agent may use before it must answer the user. */
const MAX_ITERATIONS = 25;

/** The agent's context, with further state for its loop. */
export interface LoopContext extends AgentContext {
  readonly execute: ExecuteWorkflowQuery;
  readonly iterations: Iterations;
}

/** Counter of used tools, one per episode. */
export class Iterations {
  #used = 0;

  /** Sets the counter to 0, at the start of a turn and after an answer of the user. */
  restart(): void {
    this.#used = 0;
  }

  /**
   * Counts a tool.
   * @returns true if the agent may use another one
   */
  use(): boolean {
    this.#used += 1;
    return this.#used < MAX_ITERATIONS;
  }
}
