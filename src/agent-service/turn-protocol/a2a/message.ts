/** Writes a request of the turn protocol as an A2A message. */

import { Role, type Message, type Part } from '@a2a-js/sdk';
import { dataPart, textPart } from './parts.ts';
import { writeRequest } from './text.ts';
import type { ReceivedTask } from './received-task.ts';
import { A2A_EXTENSION, type A2aTools } from '../http.ts';
import type { TurnRequest } from '../protocol.schema.ts';

/** The client's state of a conversation with an agent. */
export interface Peer {
  /** The agent's name of the conversation; absent if it gives none. */
  readonly context?: string;
  /** A task that waits for the user's words. */
  readonly task?: string;
  /** State of the last task. */
  readonly heard?: ReceivedTask;
  /** Start of the conversation's first request, in milliseconds since 1970. */
  readonly since: number;
}

/** @param tools form of the tools */
export function toMessage(body: TurnRequest, tools: A2aTools, { context = '', task = '' }: Partial<Peer>): Message {
  const { episode, turn, request, attempt, idempotency_key, model_url, anthropic_url, mcp_url } = body;
  const place = { episode, turn, request, attempt, idempotency_key, model_url, anthropic_url };
  return {
    // Identifies a repeated request.
    messageId: idempotency_key,
    contextId: context,
    taskId: task,
    role: Role.ROLE_USER,
    parts: toParts(body, tools),
    metadata: { [A2A_EXTENSION]: { ...place, ...(tools === 'mcp' ? { mcp_url } : {}) } },
    extensions: tools === 'text' ? [] : [A2A_EXTENSION],
    referenceTaskIds: [],
  };
}

function toParts(body: TurnRequest, tools: A2aTools): Part[] {
  if (tools === 'text') return [textPart(writeRequest(body))];
  const said = body.messages.filter(({ role }) => role === 'user').map(({ content }) => textPart(content));
  return tools === 'mcp' ? said : [...said, dataPart(body)];
}
