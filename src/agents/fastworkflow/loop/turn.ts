/**
 * One message of the user, from the plan to the answer, and the history for later turns.
 *
 * The model summarizes a turn with commands or questions; the history has the message and the answer of any other turn
 * verbatim. Summaries are made at the start of the next turn, because the last turn of an episode needs none.
 */

import type { PromptPart, SolveEnd, Message } from '../../port.ts';
import { planQuery, replan, runReactLoop, unlessUnreadable } from './react.ts';
import { askForText, expectFields, askShortened, askWithTrajectory } from '../prompts/ask.ts';
import type { LoopContext } from './execution.ts';
import { Repeats } from './repeats.ts';
import type { ActionRecord, AgentContext, AnsweredTurn, Turn } from '../context.ts';
import { signaturesFor } from '../prompts/signatures.ts';
import { RESPOND, findAction, isUsersCall, type Action } from '../../../benchmarks/pure.ts';
import { replyText } from '../../step-events.ts';
import { renderObsForAgent } from '../bridge.ts';
import { writeCommand } from '../understanding/command-syntax.ts';

export async function openFirstTurn(loop: LoopContext): Promise<Turn> {
  loop.session.count('turns');
  const query = loop.session.firstMessage;
  return newTurn(query, query, await planQuery(loop, query));
}

/**
 * Opens a turn for the user's reply to an answer; its plan considers the previous turn.
 * @param history entries of the earlier turns; adds the previous turn's entry
 */
export async function openNextTurn(
  loop: LoopContext,
  history: string[],
  previous: AnsweredTurn,
  message: string,
): Promise<Turn> {
  const query = await makeNextQuery(loop, history, previous, message);
  const planned = unlessUnreadable(query, () => replan(loop, previous.turn, query, 'turn'));
  return newTurn(message, query, await planned);
}

/** Returns the query of a later turn. @param history see {@link openNextTurn} */
async function makeNextQuery(
  loop: LoopContext,
  history: string[],
  previous: AnsweredTurn,
  message: string,
): Promise<string> {
  loop.session.count('turns');
  history.push(await toHistoryEntry(loop, previous, history.length + 1));
  return refineQuery(loop.session.firstMessage, history, message);
}

type TurnEnd = { readonly kind: 'ended'; readonly end: SolveEnd };

/** Works on a turn and answers the user. */
export async function serveTurn(
  loop: LoopContext,
  turn: Turn,
): Promise<{ readonly kind: 'replied'; readonly answered: AnsweredTurn; readonly reply: string } | TurnEnd> {
  const worked = await workToAnswer(loop, turn);
  if (worked.kind === 'ended') return worked;
  const acted = await loop.bridge.say(worked.answer);
  if (acted.kind === 'ended') return acted;
  return { kind: 'replied', answered: { turn, answer: worked.answer }, reply: acted.text };
}

async function workToAnswer(
  loop: LoopContext,
  turn: Turn,
): Promise<{ readonly kind: 'answered'; readonly answer: string } | TurnEnd> {
  const worked = await runReactLoop(loop, turn);
  if (worked.kind === 'ended') return worked;
  if (loop.options.decisionOnly === true) return { kind: 'ended', end: 'decided' };
  return { kind: 'answered', answer: await extractAnswer(loop, turn) };
}

function newTurn(message: string, query: string, plannedQuery: string): Turn {
  return { message, query, plannedQuery, cycles: [], records: [], repeats: new Repeats() };
}

/** Number of entries in a query. */
const WINDOW = 5;

/**
 * Returns the history entry of a turn, as `key: value` lines.
 * @param number number of the turn, from 1
 */
async function toHistoryEntry(agent: AgentContext, answered: AnsweredTurn, number: number): Promise<string> {
  const { turn, answer } = answered;
  const verbatim = `user_query: ${turn.message}\nagent_answer: ${answer}`;
  if (turn.records.length === 0) return verbatim;
  return unlessUnreadable(verbatim, async () => {
    return `conversation summary: ${await summarise(agent, answered, number)}`;
  });
}

/** Returns a later turn's query. It includes the user's first message, because summaries may lose the request. */
function refineQuery(firstMessage: string, history: readonly string[], message: string): string {
  return [`first_user_query: ${firstMessage}`, ...history.slice(-WINDOW), `new_user_query: ${message}`].join('\n');
}

async function summarise(
  { session, options }: AgentContext,
  { turn, answer }: AnsweredTurn,
  number: number,
): Promise<string> {
  const shown = { length: turn.records.length, from: 0, count: 'summary_truncations' };
  const { texts } = await askShortened(session, shown, (from) =>
    askForText(
      session,
      options,
      signaturesFor(options).summary,
      [
        ['user_query', turn.query],
        ['workflow_actions', recordParts(turn.records.slice(from))],
        ['final_agent_response', answer],
      ],
      `summarise turn ${number}`,
    ),
  );
  return texts.get('conversation_summary') ?? '';
}

function recordParts(records: readonly ActionRecord[]): PromptPart[] {
  return records.map((record) =>
    record.kind === 'command'
      ? `command: ${record.command}\nresponse: ${record.response}\n\n`
      : `agent_query: ${record.question}\nuser_response: ${record.answer}\n\n`,
  );
}

/** Writes the message to the user from the turn's trajectory. */
async function extractAnswer(agent: AgentContext, turn: Turn): Promise<string> {
  const signature = signaturesFor(agent.options).extract;
  const answer = await askWithTrajectory(
    agent,
    turn,
    signature,
    (trajectory) => [
      ['user_query', turn.plannedQuery],
      ['trajectory', trajectory],
    ],
    'answer',
  );
  return expectFields(signature, answer).texts.get('final_answer') ?? '';
}

/** The conversation that the loop continues. */
export interface AgentConversation {
  /** Entries of ended turns. */
  readonly history: string[];
  readonly turn: Turn;
}

/** The actions that followed a message of the user. */
interface TurnStart {
  readonly message: string;
  readonly done: readonly CompletedStep[];
}

/** A turn that ended in a message to the user. */
interface Past extends TurnStart {
  readonly answer: string;
}

interface CompletedStep {
  readonly action: Action;
  readonly observation: string;
}

/**
 * Continues a conversation that another strategy has begun, as if FastWorkflow had begun it: a message to the user ends
 * a turn, and an action is a command with its response.
 *
 * Ended turns are summarized, and the current turn is planned, as usual. The current turn's actions so far are in the
 * trajectory without a thought, so the agent can continue from any step.
 */
export async function resumeConversation(loop: LoopContext): Promise<AgentConversation> {
  const { past, current } = readTurns(loop.session.trajectory);
  const history: string[] = [];
  let previous: AnsweredTurn | undefined;
  for (const begun of past) previous = await rememberTurn(loop, history, previous, begun);
  const turn =
    previous === undefined ? await openFirstTurn(loop) : await openNextTurn(loop, history, previous, current.message);
  return { history, turn: withDone(loop, turn, current.done) };
}

/** Adds an ended turn to the history; it no longer needs a plan. */
async function rememberTurn(
  loop: LoopContext,
  history: string[],
  previous: AnsweredTurn | undefined,
  { message, done, answer }: Past,
): Promise<AnsweredTurn> {
  if (previous === undefined) loop.session.count('turns');
  const query = previous === undefined ? message : await makeNextQuery(loop, history, previous, message);
  return { turn: withDone(loop, newTurn(message, query, query), done), answer };
}

function withDone({ options }: LoopContext, turn: Turn, done: readonly CompletedStep[]): Turn {
  const commands = new Map(Object.entries(options.toolNames ?? {}).map(([command, tool]) => [tool, command]));
  for (const { action, observation } of done) {
    // A tool without an observation was a thought, for which there is no command.
    if (observation === '') continue;
    const command = writeCommand(commands.get(action.name) ?? action.name, action.kwargs);
    const response = renderObsForAgent({ observation, info: { source: action.name, done: false } }, action.name);
    const args = new Map([['command', command]]);
    turn.cycles.push({ tool: { name: 'execute_workflow_query', args }, observation: response });
    turn.records.push({ kind: 'command', command, response });
  }
  return turn;
}

/** @param messages a trajectory with an answer to every step; messages before the user's opening are skipped */
function readTurns(messages: readonly Message[]): { readonly past: readonly Past[]; readonly current: TurnStart } {
  const past: Past[] = [];
  let message = '';
  let done: CompletedStep[] = [];
  let action: Action | undefined;
  for (const entry of messages) {
    if (isUsersCall(entry)) continue;
    if (entry.role === 'assistant') action = findAction(entry);
    if (entry.role === 'tool' && action !== undefined) done.push({ action, observation: entry.content });
    if (entry.role !== 'user') continue;
    if (action?.name === RESPOND) {
      past.push({ message, done, answer: replyText(action) });
      done = [];
    }
    message = typeof entry.content === 'string' ? entry.content : '';
  }
  return { past, current: { message, done } };
}
