/**
 * The agent of strategies and services that send the conversation to their model: one move of the script per request.
 */

import { RESPOND_TO_USER } from '../../agents/index.ts';
import { dumpJson } from '../../benchmarks/python/index.ts';
import { RESPOND } from '../../benchmarks/index.ts';
import { isObject } from '../../io/index.ts';
import type { OfferedTool } from '../../models/index.ts';
import { findCaseCode, type CaseCode } from '../case-code.ts';
import type { Conversation } from '../conversation.ts';
import { withoutLastBrace } from '../faults.ts';
import type { ScriptedReply } from '../reply.ts';
import type { Move } from '../script.ts';
import { writeMove, type ActionForm } from './action-text.ts';

/** Place of an agent's request in its episode. */
export interface AgentTurnPlace {
  readonly code: CaseCode;
  /** Number of moves that the agent has made. */
  readonly position: number;
  /** The conversation after the case code; absent if earlier moves are in one text. */
  readonly turns?: Conversation['turns'];
}

/** Matches an agent's earlier move in a prompt with the whole conversation in one text. */
const MOVE_IN_TEXT = /"role"\s*:\s*"assistant"|^(?:assistant|agent)\s*:/gim;

/** Finds the case code, and counts the agent's moves after it. @returns undefined without a case code */
export function findPlace({ system, turns }: Conversation): AgentTurnPlace | undefined {
  const texts = [system, ...turns.map(({ text }) => text)];
  const at = [...texts.keys()];
  // The user says the code first. An agent may also quote it, or have it in its system message.
  const order = [...at.filter((place) => turns[place - 1]?.role === 'user'), ...at];
  for (const place of order) {
    const text = texts[place] ?? '';
    const code = findCaseCode(text);
    if (code === undefined) continue;
    const later = turns.slice(place);
    const made = later.filter(({ role }) => role === 'assistant').length;
    const inText = text.slice(text.indexOf('[case ')).match(MOVE_IN_TEXT)?.length ?? 0;
    return { code, position: made + inText, turns: inText === 0 ? later : undefined };
  }
  return undefined;
}

interface AgentMove {
  readonly move: Move;
  readonly episode: string;
  readonly position: number;
}

/** Makes the agent's move as a tool call or a message. `position` is the number of earlier moves. */
export function playToolCalling(conversation: Conversation, { move, episode, position }: AgentMove): ScriptedReply {
  const base = { role: 'agent', episode, position };
  if (move.kind === 'say') {
    const speaker = speakingTool(conversation);
    if (speaker === undefined) return { ...base, content: move.text };
    const [tool, field] = speaker;
    return { ...base, content: null, toolCall: { name: tool, arguments: dumpJson({ [field]: move.text }) } };
  }
  const text = dumpJson(move.action.kwargs);
  const args = move.garbled === true ? withoutLastBrace(text) : text;
  const name = offeredName(move.action.name, conversation.tools);
  return { ...base, content: null, toolCall: { name, arguments: args } };
}

/** Finds the offered name of a tool; frameworks add the name of an MCP server as a prefix. */
export function offeredName(name: string, tools: readonly OfferedTool[]): string {
  if (tools.some((tool) => tool.name === name)) return name;
  const longer = tools.filter(
    (tool) => tool.name.endsWith(name) && /[^a-z\d]$/i.test(tool.name.slice(0, -name.length)),
  );
  return longer.length === 1 ? (longer[0]?.name ?? name) : name;
}

/** Finds the tool with which an agent speaks to the user, and its text field; undefined: it speaks by messages. */
export function speakingTool({
  tools,
}: Pick<Conversation, 'tools'>): readonly [tool: string, field: string] | undefined {
  for (const speaker of [RESPOND_TO_USER, RESPOND]) {
    const name = offeredName(speaker, tools);
    const tool = tools.find((each) => each.name === name);
    if (tool !== undefined) return [name, textField(tool) ?? 'content'];
  }
  return undefined;
}

function textField({ parameters: { properties } }: OfferedTool): string | undefined {
  const fields = isObject(properties) ? Object.entries(properties) : [];
  return fields.find(([, schema]) => isObject(schema) && schema['type'] === 'string')?.[0];
}

/** Makes the same moves for agents that describe their tools in the prompt. */
export function playActionText({ move, episode, position }: AgentMove, form: ActionForm): ScriptedReply {
  return { role: 'agent', episode, position, content: writeMove(move, form) };
}
