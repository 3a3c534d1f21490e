/**
 * The episode as a server of the Model Context Protocol, revision 2026-07-28 and the two before it: its tools, and its
 * policy as instructions and as a resource. The token in the address names the episode, never a session. A refused call
 * is an error of the tool, never of the protocol.
 */

import {
  ResourceNotFoundError,
  Server,
  createMcpHandler,
  type CallToolResult,
  type Tool,
} from '@modelcontextprotocol/server';
import { RESPOND_TO_USER, withoutThoughts } from '../../agents/index.ts';
import { jsonMember, jsonObject } from '../../io/index.ts';
import type { EpisodeOffer } from './binding.ts';
import { GatewayProblem, toProblem } from './problem.ts';
import { takeTool } from './tools.ts';
import type { Caller, GatewayTurn } from './turn.ts';

const POLICY_URI = 'tauflow://policy';
const NOTHING_OFFERED: EpisodeOffer = { policy: '', tools: [], writes: [] };

/** A `POST`. */
interface McpRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** JSON text; empty: none. */
  readonly body: string;
  /** True if {@link RESPOND_TO_USER} is offered. */
  readonly withUser: boolean;
}

/**
 * Answers one request; each has a server of its own, because the protocol keeps no state.
 * @throws GatewayProblem for several requests at once, which these revisions do not have
 */
export async function answerMcp(turn: GatewayTurn, request: McpRequest, caller: Caller): Promise<Response> {
  const { body, withUser } = request;
  if (body.trimStart().startsWith('[')) throw new GatewayProblem('invalid', 'send one request at a time, not a list');
  const handler = createMcpHandler(() => createMcpServer(turn, { body, withUser, caller }), {
    // Lists never change, so there is nothing to subscribe to.
    maxSubscriptions: 0,
  });
  const headers = new Headers();
  for (const name of READ_HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return await handler.fetch(new Request('http://gateway.invalid/mcp', { method: 'POST', headers, body }));
}

/** Headers of the protocol; all others belong to the connection. */
const READ_HEADERS = [
  'accept',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
] as const;

interface CallerRequest extends Pick<McpRequest, 'body' | 'withUser'> {
  readonly caller: Caller;
}

function createMcpServer(turn: GatewayTurn, { body, withUser, caller }: CallerRequest): Server {
  const { policy, tools, writes } = turn.binding.offer ?? NOTHING_OFFERED;
  const server = new Server(
    { name: 'tauflow', version: '1' },
    { capabilities: { tools: {}, resources: {} }, instructions: policy },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: [...tools.map((tool) => toMcpTool(tool, writes)), ...(withUser ? [RESPOND_TOOL] : [])],
  }));
  server.setRequestHandler('tools/call', async ({ params: { name } }) => {
    try {
      if (name === RESPOND_TO_USER && !withUser) return failedToolResult(`there is no tool named ${name}`);
      const written = writtenArguments(body);
      const argumentsJson = name === RESPOND_TO_USER ? withoutSpokenThoughts(written) : written;
      if (argumentsJson === null)
        return failedToolResult('content is a thought and no text; give the words for the user');
      return toToolResult(await takeTool(turn, { name, argumentsJson }, caller));
    } catch (error) {
      const problem = toProblem(error);
      // A problem that is not the tool's ends the agent's attempt.
      if (problem.code === 'unavailable') throw problem;
      return failedToolResult(problem.message);
    }
  });
  const resource = { uri: POLICY_URI, name: 'policy', description: 'What the agent has to keep to' };
  server.setRequestHandler('resources/list', () => ({ resources: [{ ...resource, mimeType: 'text/markdown' }] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    if (uri !== POLICY_URI) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType: 'text/markdown', text: policy }] };
  });
  return server;
}

/** @returns the arguments of a message to the user without thoughts in it; null if nothing else is left */
function withoutSpokenThoughts(argumentsJson: string): string | null {
  const given = jsonObject(argumentsJson);
  const content = given?.['content'];
  if (typeof content !== 'string') return argumentsJson;
  const said = withoutThoughts(content);
  if (said === content) return argumentsJson;
  return said === '' ? null : JSON.stringify({ ...given, content: said });
}

const OBSERVED = {
  type: 'object',
  properties: {
    observation: { type: 'string', description: 'What the tool, or the user, answers' },
    done: { type: 'boolean', description: 'True if the episode has ended with this call' },
  },
  required: ['observation', 'done'],
} as const;

const RESPOND_TOOL: Tool = {
  name: RESPOND_TO_USER,
  description: "Says something to the user; the result is the user's reply. Ends when the user ends the conversation.",
  inputSchema: { type: 'object', properties: { content: { type: 'string' } }, required: ['content'] },
  outputSchema: OBSERVED,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
};

function toMcpTool(
  { function: { name, description, parameters } }: EpisodeOffer['tools'][number],
  writes: readonly string[],
): Tool {
  const isWrite = writes.includes(name);
  return {
    name,
    description,
    inputSchema: { ...parameters, type: 'object' },
    outputSchema: OBSERVED,
    annotations: {
      readOnlyHint: !isWrite,
      ...(isWrite ? { destructiveHint: true, idempotentHint: false } : {}),
      openWorldHint: false,
    },
  };
}

function toToolResult({ observation, done }: { readonly observation: string; readonly done: boolean }): CallToolResult {
  return {
    content: [{ type: 'text', text: observation }],
    structuredContent: { observation, done },
    isError: IS_ERROR.test(observation) ? true : undefined,
  };
}

/** Beginnings of the observations of failed calls. */
const IS_ERROR = /^(?:Error: |Unknown action )/;

function failedToolResult(message: string): CallToolResult {
  return { content: [{ type: 'text', text: message }], isError: true };
}

/**
 * Returns the arguments of a call as they were written, because `131.0` and `131` are different numbers to the
 * environment.
 */
function writtenArguments(body: string): string {
  return jsonMember(jsonMember(body, 'params') ?? '{}', 'arguments') ?? '{}';
}
