/** The agent of the tool-calling, few-shot, act and react strategies: one move of the script a request. */

import { dumpJson } from '../../benchmark/python/index.ts';
import { RESPOND } from '../../benchmark/index.ts';
import { FIRST_AGENT_MESSAGE } from '../../benchmark/tau3/index.ts';
import { countTurns, firstText, type Conversation, type ScriptedReply } from '../chat-completions.ts';
import { withoutLastBrace } from '../faults.ts';
import { moveAt, type Move } from '../script.ts';

/** @param moves the episode's script; each answer so far was one of its moves */
export function playToolCalling(conversation: Conversation, moves: readonly Move[], episode: string): ScriptedReply {
  const position = movesMade(conversation);
  const move = moveAt(moves, position);
  const base = { role: 'agent', episode, position };
  if (move.kind === 'say') return { ...base, content: move.text };
  const text = dumpJson(move.action.kwargs);
  const args = move.garbled === true ? withoutLastBrace(text) : text;
  return { ...base, content: null, toolCall: { name: move.action.name, arguments: args } };
}

/** The agent's messages so far. The first message of τ³-bench's agent is nobody's move. */
function movesMade(conversation: Conversation): number {
  const isGreeted = firstText(conversation, 'assistant') === FIRST_AGENT_MESSAGE;
  return countTurns(conversation, 'assistant') - (isGreeted ? 1 : 0);
}

/** A system prompt that asks for actions as text. */
export function asksForActionText(system: string): boolean {
  return /^Action:$/m.test(system) && system.includes('"arguments"');
}

/** The same moves for agents that have no tool API: a thought where one is wanted, and the action as JSON. */
export function playActionText(conversation: Conversation, moves: readonly Move[], episode: string): ScriptedReply {
  const position = movesMade(conversation);
  const move = moveAt(moves, position);
  const thought = /^Thought:$/m.test(conversation.system) ? `Thought:\n${thoughtOf(move)}\n` : '';
  return { role: 'agent', episode, position, content: `${thought}Action:\n${actionText(move)}` };
}

function actionText(move: Move): string {
  if (move.kind === 'say') return dumpJson({ name: RESPOND, arguments: { content: move.text } });
  // Text that is no JSON would be shown to the user and the conversation go on; this ends the episode instead,
  // as unreadable arguments of a tool call do.
  if (move.garbled === true) return dumpJson({ name: move.action.name });
  return dumpJson({ name: move.action.name, arguments: move.action.kwargs });
}

function thoughtOf(move: Move): string {
  return move.kind === 'say' ? 'I can answer the user now.' : `The next thing to do is ${move.action.name}.`;
}
