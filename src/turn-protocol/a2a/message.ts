/** A request of the turn protocol as an A2A message, and an agent's message or task as its answer. */

import { Role, TaskState, type Artifact, type Message, type Part, type StreamResponse, type Task } from '@a2a-js/sdk';
import { dataPart, textPart } from './parts.ts';
import { writeRequest } from './text.ts';
import { A2A_EXTENSION, type A2aTools } from '../http.ts';
import type { TurnRequest } from '../protocol.schema.ts';

/** Place of a conversation at the agent. */
export interface Peer {
  readonly context?: string;
  /** A task that waits for the user's words. */
  readonly task?: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

const NO_METADATA = undefined;

/** @param tools form in which the agent gets them */
export function toMessage(body: TurnRequest, tools: A2aTools, { context = '', task = '' }: Partial<Peer>): Message {
  const { episode, turn, request, attempt, idempotency_key, model_url, anthropic_url, mcp_url } = body;
  const place = { episode, turn, request, attempt, idempotency_key, model_url, anthropic_url };
  return {
    // An agent that knows what it has answered knows a repeated request by it.
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

/** The agent's words so far in a request: a message, or a task that goes on. */
export type Said = { readonly message: Message } | { readonly task: Task };

/** Parts of an artifact that a stream may bring. */
const MOST_PARTS = 10_000;

/** Enters an event of a stream. */
export function enterEvent(said: Said | undefined, { payload }: StreamResponse): Said | undefined {
  const task = said !== undefined && 'task' in said ? said.task : undefined;
  switch (payload?.$case) {
    case 'message':
      return { message: payload.value };
    case 'task':
      return { task: payload.value };
    case 'statusUpdate': {
      const { taskId: id, contextId, status } = payload.value;
      return { task: { ...(task ?? emptyTask(id, contextId)), status } };
    }
    case 'artifactUpdate': {
      const { taskId: id, contextId, artifact, append } = payload.value;
      const known = task ?? emptyTask(id, contextId);
      return artifact === undefined
        ? said
        : { task: { ...known, artifacts: withArtifact(known.artifacts, artifact, append) } };
    }
    case undefined:
      return said;
  }
}

function emptyTask(id: string, contextId: string): Task {
  return { id, contextId, status: undefined, artifacts: [], history: [], metadata: NO_METADATA };
}

function withArtifact(artifacts: readonly Artifact[], artifact: Artifact, append: boolean): Artifact[] {
  const at = artifacts.findIndex(({ artifactId }) => artifactId === artifact.artifactId);
  const before = artifacts[at];
  if (before === undefined) return [...artifacts, artifact];
  const parts = append ? [...before.parts, ...artifact.parts].slice(0, MOST_PARTS) : artifact.parts;
  return artifacts.with(at, { ...before, parts });
}

/** True if the agent will say nothing more before it is asked again. */
export function isSettled(said: Said): boolean {
  return 'message' in said || !UNDER_WAY.has(said.task.status?.state ?? TaskState.TASK_STATE_UNSPECIFIED);
}

const UNDER_WAY: ReadonlySet<TaskState> = new Set([
  TaskState.TASK_STATE_UNSPECIFIED,
  TaskState.TASK_STATE_SUBMITTED,
  TaskState.TASK_STATE_WORKING,
]);

/** The agent's words: a task's artifacts, else the message that it ended with, else its last message. */
export function partsSaid(said: Said): readonly Part[] {
  if ('message' in said) return said.message.parts;
  const { artifacts, status, history } = said.task;
  const made = artifacts.flatMap(({ parts }) => joined(parts));
  const isQuestion = status?.state === TaskState.TASK_STATE_INPUT_REQUIRED;
  const ended = status?.message?.parts ?? [];
  if (isQuestion && ended.length > 0) return ended;
  if (made.length > 0) return made;
  if (ended.length > 0) return ended;
  return history.findLast(({ role }) => role === Role.ROLE_AGENT)?.parts ?? [];
}

/** Parts of an artifact, its texts as one: it may have come word by word. */
function joined(parts: readonly Part[]): Part[] {
  const texts = parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []));
  const others = parts.filter(({ content }) => content?.$case !== 'text');
  return texts.length === 0 ? others : [textPart(texts.join('')), ...others];
}
