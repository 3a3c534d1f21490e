/**
 * The ReAct loop of one turn: the model names one of five tools, the tool's result is added to the trajectory, until
 * `finish`. Only `execute_workflow_query` and `ask_user` can reach the environment.
 *
 * The trajectory starts empty in every turn. Iterations are counted per turn, and again from 0 after an answer from the
 * user.
 */

import type { PromptPart, SolveEnd } from '../../port.ts';
import { askWithTrajectory, UnreadableReply, type ReadableReply, askForText, expectFields } from '../prompts/ask.ts';
import type { ReplyFields } from '../prompts/reply.ts';
import { ARGUMENTS, TOOLS, signaturesFor, type ToolName } from '../prompts/signatures.ts';
import { ToolError, type LoopContext } from './execution.ts';
import type { Cycle, Turn, AgentContext } from '../context.ts';
import type { PyDict } from '../../../benchmarks/python/index.ts';
import { offloadObservations } from './offloading.ts';
import { COMMANDS_TEXT } from '../prompts/messages.ts';

/** Most illegal tool choices between two answers of the user; the last one ends the loop. */
const MAX_ILLEGAL_CHOICES = 3;

type Work =
  /**
   * End of the loop: the agent has finished, or has no iterations left, and the answer follows; or the episode has
   * ended.
   */
  { readonly kind: 'worked' } | { readonly kind: 'ended'; readonly end: SolveEnd };

export async function runReactLoop(loop: LoopContext, turn: Turn): Promise<Work> {
  const { session, iterations, options } = loop;
  iterations.restart();
  let illegalChoices = 0;
  while (illegalChoices < MAX_ILLEGAL_CHOICES) {
    const choice = await chooseTool(loop, turn);
    if (choice.kind !== 'fields') {
      illegalChoices++;
      if (choice.kind === 'illegal_choice') session.count('illegal_tool_choices');
      const problem = describeProblem(choice);
      session.transcribe({ what: 'note', text: `The model chose no tool: ${problem}.` });
      turn.cycles.push(...makeRecovery(loop, choice, problem));
      continue;
    }
    const cycle = toCycle(choice, options.useReasoning);
    if (cycle.thought) session.transcribe({ what: 'thought', text: cycle.thought });
    const position = turn.cycles.push(cycle) - 1;
    const outcome = await callTool(loop, turn, cycle.tool.name, cycle.tool.args);
    if (outcome.kind === 'ended') return outcome;
    turn.cycles[position] = { ...cycle, ...toObservation(outcome) };
    turn.repeats.endStep();
    if (options.isOfVersion1 !== true) offloadObservations(turn.cycles);
    if (outcome.kind === 'finished') break;
    if (outcome.kind === 'answered') {
      iterations.restart();
      illegalChoices = 0;
    } else if (!iterations.use()) {
      session.count('iterations_exhausted');
      session.transcribe({ what: 'note', text: 'No iterations are left: the answer is made of what there is.' });
      break;
    }
  }
  return { kind: 'worked' };
}

/** A choice of an unknown tool, or a reply without a choice. */
type NoTool =
  Extract<ReadableReply, { kind: 'illegal_choice' }> | { readonly kind: 'unreadable'; readonly problem: string };

async function chooseTool(loop: LoopContext, turn: Turn): Promise<ReadableReply | NoTool> {
  const last = turn.cycles.at(-1);
  const after = last?.outcome ?? last?.tool?.name;
  const verb = loop.options.useReasoning ? 'think' : 'act';
  try {
    return await askWithTrajectory(
      loop,
      turn,
      signaturesFor(loop.options).react,
      (trajectory) => [
        ['user_query', turn.plannedQuery],
        ['trajectory', trajectory],
      ],
      `${verb} ${turn.cycles.length + 1}${after === undefined ? '' : ` (after ${after})`}`,
    );
  } catch (error) {
    if (!(error instanceof UnreadableReply)) throw error;
    return { kind: 'unreadable', problem: error.problem };
  }
}

function toObservation({ observation, ...rest }: Exclude<ToolOutcome, { kind: 'ended' }>): Partial<Cycle> {
  return 'outcome' in rest && rest.outcome !== undefined ? { observation, outcome: rest.outcome } : { observation };
}

type ToolCycle = Cycle & { readonly tool: { readonly name: ToolName } };

function toCycle(choice: Extract<ReadableReply, { kind: 'fields' }>, useReasoning: boolean): ToolCycle {
  const { texts, objects } = choice.fields;
  // The tools were the allowed choices when the reply was read, so the chosen one exists.
  const chosen = texts.get('next_tool_name');
  const name = TOOLS.find((tool) => tool === chosen) ?? 'finish';
  const tool = { name, args: objects.get('next_tool_args') ?? new Map<string, never>() };
  return useReasoning ? { thought: texts.get('next_thought') ?? '', tool } : { tool };
}

function describeProblem(choice: NoTool): string {
  return choice.kind === 'unreadable'
    ? `the reply could not be read, ${choice.problem}`
    : `'${choice.value.slice(0, MAX_NAMED)}' is none of ${TOOLS.join(', ')}`;
}

/** Most characters of a choice in the observation. */
const MAX_NAMED = 200;

/** Returns the observation for the model after it chose no tool. */
function makeRecovery({ catalogue, options }: LoopContext, choice: NoTool, problem: string): Cycle[] {
  const command = choice.kind === 'illegal_choice' ? catalogue.find(choice.value.toLowerCase()) : undefined;
  const hint =
    command === undefined
      ? 'Choose one of the tools, by its exact name, with a JSON object of its arguments.'
      : `${command.name} is a command, not a tool. Choose the tool execute_workflow_query, and write the command into its ` +
        `argument: ${ARGUMENTS.execute_workflow_query}.`;
  return [
    { observation: `Agent failed to select a valid tool: ${problem}.` },
    options.useReasoning
      ? {
          thought: 'To run a command I have to choose execute_workflow_query; its argument is the command.',
          observation: hint,
        }
      : { observation: hint },
  ];
}

type ToolOutcome =
  | { readonly kind: 'observed'; readonly observation: PromptPart; readonly outcome?: string }
  /** The user has answered a question; the observation contains the answer. */
  | { readonly kind: 'answered'; readonly observation: PromptPart }
  /** The agent has finished this turn. */
  | { readonly kind: 'finished'; readonly observation: PromptPart }
  | { readonly kind: 'ended'; readonly end: SolveEnd };

/**
 * Calls a tool once. An error becomes an observation without a second attempt, because data may have changed;
 * FastWorkflow runs a failing command twice.
 */
async function callTool(loop: LoopContext, turn: Turn, name: ToolName, args: PyDict): Promise<ToolOutcome> {
  try {
    return await useTool(loop, turn, name, args);
  } catch (error) {
    if (error instanceof ToolError || error instanceof UnreadableReply) return reportFailure(loop, name, error.message);
    throw error;
  }
}

async function useTool(loop: LoopContext, turn: Turn, name: ToolName, args: PyDict): Promise<ToolOutcome> {
  switch (name) {
    case 'what_can_i_do':
    case 'intent_misunderstood':
      return { kind: 'observed', observation: COMMANDS_TEXT };
    case 'finish':
      return { kind: 'finished', observation: 'Completed.' };
    case 'execute_workflow_query':
      return executeWorkflowQuery(loop, turn, textArgument(args, ARGUMENTS.execute_workflow_query));
    case 'ask_user':
      return askUser(loop, turn, textArgument(args, ARGUMENTS.ask_user));
  }
}

async function executeWorkflowQuery(loop: LoopContext, turn: Turn, command: string): Promise<ToolOutcome> {
  loop.session.transcribe({ what: 'command', text: command });
  const executed = await loop.execute(loop, turn, command);
  switch (executed.kind) {
    case 'ran':
      turn.records.push({ kind: 'command', command, response: executed.response });
      return {
        kind: 'observed',
        observation: executed.response,
        outcome: summarizeOutcome(executed.commandName ?? command, executed.response),
      };
    case 'not_run':
      if (typeof executed.observation === 'string') {
        loop.session.transcribe({ what: 'clarification', text: executed.observation });
      }
      return { kind: 'observed', observation: executed.observation, outcome: 'nothing ran' };
    case 'aborted':
      loop.session.transcribe({ what: 'clarification', text: executed.message });
      // The command is abandoned; the new plan says how to get the missing information.
      return {
        kind: 'observed',
        observation: await planFor(loop, turn, `${executed.message}\ncommand aborted`, 'parameter_error'),
        outcome: 'wrong parameters, nothing ran',
      };
    case 'ended':
      return executed;
  }
}

/** Summarizes an outcome: `get_order_details: Error: order not found`; for a success, only the command. */
function summarizeOutcome(command: string, response: string): string {
  const problem = /(?:^|: ")((?:Error|Unknown action)\b[^"]*)/.exec(response)?.[1];
  return problem === undefined ? command : `${command}: ${problem}`;
}

async function askUser(loop: LoopContext, turn: Turn, question: string): Promise<ToolOutcome> {
  if (loop.options.decisionOnly === true) return { kind: 'ended', end: 'decided' };
  const acted = await loop.bridge.say(question);
  if (acted.kind === 'ended') return acted;
  turn.records.push({ kind: 'question', question, answer: acted.text });
  return { kind: 'answered', observation: await planFor(loop, turn, acted.text, 'answer') };
}

/** Returns the query with a plan; if the plan is unreadable, the query alone. */
async function planFor(loop: LoopContext, turn: Turn, response: string, reason: ReplanReason): Promise<string> {
  try {
    return await replan(loop, turn, response, reason);
  } catch (error) {
    if (!(error instanceof UnreadableReply)) throw error;
    loop.session.count('tool_errors');
    return `${response}\n\nNo new plan could be made of this: ${error.message}`;
  }
}

function textArgument(args: PyDict, argument: string): string {
  const value = args.get(argument);
  if (typeof value === 'string') return value;
  throw new ToolError(`it needs the argument ${argument}, a text.`);
}

function reportFailure({ session }: LoopContext, tool: ToolName, problem: string): ToolOutcome {
  session.count('tool_errors');
  return { kind: 'observed', observation: `Execution error in ${tool}: ${problem}` };
}

/**
 * Plans a conversation's first turn. A plan is only text beside the query, with its line breaks; its steps are not
 * tracked.
 * @returns the query with the planned steps
 */
export async function planQuery(agent: AgentContext, query: string): Promise<string> {
  const { session, options } = agent;
  return unlessUnreadable(query, async () => {
    const fields = await askForText(session, options, signaturesFor(options).plan, [['user_query', query]], 'plan');
    return withNextSteps(agent, query, fields, '');
  });
}

/** Returns the result of `ask`, or `without` if the model's reply cannot be read. */
export async function unlessUnreadable(without: string, ask: () => Promise<string>): Promise<string> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof UnreadableReply) return without;
    throw error;
  }
}

/** The reason for a new plan: an answer from the user, invalid parameters, or a new message. */
type ReplanReason = 'answer' | 'parameter_error' | 'turn';

const REASONS: Readonly<Record<ReplanReason, string>> = {
  answer: "the user's answer",
  parameter_error: 'parameters were missing or invalid',
  turn: 'a new message',
};

/**
 * Makes a new plan, which does not repeat finished steps.
 * @param turn the query, and the agent's actions so far
 * @param response the new information: an answer, an error text, or the next turn's query
 * @returns the response with the planned steps
 */
export async function replan(agent: AgentContext, turn: Turn, response: string, reason: ReplanReason): Promise<string> {
  agent.session.count(`replans_${reason}`);
  const signature = signaturesFor(agent.options).replan;
  const answer = await askWithTrajectory(
    agent,
    turn,
    signature,
    (trajectory) => [
      ['agent_inputs', `user_query: ${turn.plannedQuery}`],
      ['agent_trajectory', trajectory],
      ['user_response', response],
    ],
    `replan: ${REASONS[reason]}`,
  );
  return withNextSteps(agent, response, expectFields(signature, answer), 'User Query:\n');
}

function withNextSteps({ session }: AgentContext, query: string, { texts }: ReplyFields, heading: string): string {
  const written = texts.get('next_steps') ?? '';
  if (written.trim() === '') return query;
  session.transcribe({ what: 'plan', text: written });
  return `${heading}${query}\n\nExecute these next steps:\n${written}`;
}
