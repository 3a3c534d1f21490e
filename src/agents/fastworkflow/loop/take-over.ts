/**
 * A conversation that another strategy has begun, as FastWorkflow would have it in memory: what was said to the customer
 * ends a turn, what was done is a command with its response.
 *
 * Nothing is made up. Turns that have ended are summed up, as they would have been at the opening of the next one. The
 * turn under way is planned as at its opening, and what was done in it since stands in its trajectory, without a
 * thought, because nobody has thought it; so the agent goes on from any step.
 */

import { RESPOND, actionOf, type Action } from '../../../benchmark/index.ts';
import type { Message } from '../../port.ts';
import { replyText } from '../../live-transcript.ts';
import { renderObsForAgent } from '../bridge/bridge.ts';
import { writeCommand } from '../understanding/command-syntax.ts';
import type { LoopContext } from './execution.ts';
import type { AnsweredTurn, Turn } from '../context.ts';
import { newTurn, openFirstTurn, openNextTurn, makeNextQuery } from './turn.ts';

/** The conversation that the loop continues. */
export interface Conversation {
  /** Entries of the turns that have ended. */
  readonly history: string[];
  readonly turn: Turn;
}

/** The actions that followed a message of the user. */
interface Begun {
  readonly message: string;
  readonly done: readonly Done[];
}

/** A turn that ended in words to the customer. */
interface Past extends Begun {
  readonly answer: string;
}

interface Done {
  readonly action: Action;
  readonly observation: string;
}

export async function resumeConversation(loop: LoopContext): Promise<Conversation> {
  const { past, current } = readTurns(loop.session.trajectory);
  const history: string[] = [];
  let previous: AnsweredTurn | undefined;
  for (const begun of past) previous = await rememberTurn(loop, history, previous, begun);
  const turn =
    previous === undefined ? await openFirstTurn(loop) : await openNextTurn(loop, history, previous, current.message);
  return { history, turn: withDone(loop, turn, current.done) };
}

/** A turn that has ended needs no plan any more. */
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

function withDone({ options }: LoopContext, turn: Turn, done: readonly Done[]): Turn {
  const commands = new Map(Object.entries(options.toolNames ?? {}).map(([command, tool]) => [tool, command]));
  for (const { action, observation } of done) {
    // A tool that shows nothing was a thought, for which there is no command.
    if (observation === '') continue;
    const command = writeCommand(commands.get(action.name) ?? action.name, action.kwargs);
    const response = renderObsForAgent({ observation, info: { source: action.name, done: false } });
    const args = new Map([['command', command]]);
    turn.cycles.push({ tool: { name: 'execute_workflow_query', args }, observation: response });
    turn.records.push({ kind: 'command', command, response });
  }
  return turn;
}

/** @param messages a trajectory whose every step was answered; what goes before the customer's opening is passed over */
function readTurns(messages: readonly Message[]): { readonly past: readonly Past[]; readonly current: Begun } {
  const past: Past[] = [];
  let message = '';
  let done: Done[] = [];
  let action: Action | undefined;
  for (const entry of messages) {
    if (entry.role === 'assistant') action = actionOf(entry);
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
