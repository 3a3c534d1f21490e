/** Agents that speak A2A, by the server of the official SDK, on loopback. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentCard, Role, TaskState, type Artifact, type Message, type Part } from '@a2a-js/sdk';
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
  type ExecutionEventBus,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { onTestFinished } from 'vitest';

export interface A2aCall {
  readonly message: Message;
  readonly context: string;
  readonly task: string;
  readonly headers: IncomingMessage['headers'];
  /** Answers with a message. */
  readonly say: (...parts: Part[]) => void;
  /** Begins a task, or changes its state. */
  readonly state: (state: TaskState, ...parts: Part[]) => void;
  readonly artifact: (id: string, parts: Part[], append?: boolean) => void;
  /** Breaks every connection off, as a process that dies does. */
  readonly die: () => void;
}

export interface A2aAgent {
  readonly url: string;
  readonly messages: readonly Message[];
  readonly requests: readonly { readonly path: string; readonly headers: IncomingMessage['headers'] }[];
}

interface Options {
  /** Members of the card beside the usual ones. */
  readonly card?: object;
  /** @default 1.0 */
  readonly version?: '1.0' | '0.3';
  readonly path?: string;
}

export const text = (value: string): Part => ({
  content: { $case: 'text', value },
  metadata: undefined,
  filename: '',
  mediaType: '',
});
export const data = (value: object): Part => ({
  content: { $case: 'data', value },
  metadata: undefined,
  filename: '',
  mediaType: '',
});

/** Starts an agent, and ends it with the test. */
export async function startA2a(
  answer: (call: A2aCall) => void | Promise<void>,
  { card = {}, version = '1.0', path = '/' }: Options = {},
): Promise<A2aAgent> {
  const messages: Message[] = [];
  const requests: { path: string; headers: IncomingMessage['headers'] }[] = [];
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => stop(server));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endpoint = `${origin}${path}`;
  const json = cardOf(endpoint, version, card);
  const known = AgentCard.fromJSON({
    ...json,
    supportedInterfaces: [{ url: endpoint, protocolBinding: 'JSONRPC', protocolVersion: version }],
  });
  let headers: IncomingMessage['headers'] = {};
  const handler = new DefaultRequestHandler(known, new InMemoryTaskStore(), {
    execute: async (context, bus) => {
      messages.push(context.userMessage);
      await answer(callOf(context, bus, { headers, die: () => server.closeAllConnections() }));
      bus.finished();
    },
    cancelTask: () => Promise.resolve(),
  });
  const rpc = version === '1.0' ? new JsonRpcTransportHandler(handler) : new LegacyJsonRpcTransportHandler(handler);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    void readAll(request).then(async (body) => {
      requests.push({ path: request.url ?? '', headers: request.headers });
      if (request.method !== 'POST') {
        const isCard = request.url === '/.well-known/agent-card.json';
        response.writeHead(isCard ? 200 : 404, { 'content-type': 'application/json' });
        response.end(isCard ? JSON.stringify(json) : '{}');
        return;
      }
      headers = request.headers;
      const said = await rpc.handle(body, new ServerCallContext({ requestedVersion: version }));
      if (Symbol.asyncIterator in said) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for await (const event of said) response.write(`data: ${JSON.stringify(event)}\n\n`);
        response.end();
      } else {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(said));
      }
    });
  });
  return { url: origin, messages, requests };
}

function cardOf(url: string, version: string, more: object): Record<string, unknown> {
  const usual = {
    name: 'shop helper',
    description: 'Helps.',
    version: '1.2.0',
    capabilities: { streaming: false },
    defaultInputModes: ['text'],
    defaultOutputModes: ['text'],
    skills: [],
  };
  return version === '1.0'
    ? { ...usual, supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }], ...more }
    : { ...usual, url, protocolVersion: '0.3.0', preferredTransport: 'JSONRPC', ...more };
}

function callOf(context: RequestContext, bus: ExecutionEventBus, rest: Pick<A2aCall, 'headers' | 'die'>): A2aCall {
  const { taskId, contextId, userMessage } = context;
  const message = (parts: Part[]): Message => ({
    messageId: `answer-${userMessage.messageId}`,
    contextId,
    taskId: '',
    role: Role.ROLE_AGENT,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  });
  let begun = false;
  return {
    ...rest,
    message: userMessage,
    context: contextId,
    task: taskId,
    say: (...parts) => bus.publish(AgentEvent.message(message(parts))),
    state: (state, ...parts) => {
      const status = { state, message: parts.length === 0 ? undefined : message(parts), timestamp: undefined };
      if (begun) bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
      else {
        bus.publish(
          AgentEvent.task({
            id: taskId,
            contextId,
            status,
            artifacts: [],
            history: [userMessage],
            metadata: undefined,
          }),
        );
      }
      begun = true;
    },
    artifact: (artifactId, parts, append = false) => {
      const artifact: Artifact = { artifactId, name: '', description: '', parts, metadata: undefined, extensions: [] };
      bus.publish(
        AgentEvent.artifactUpdate({ taskId, contextId, artifact, append, lastChunk: true, metadata: undefined }),
      );
    },
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

async function stop(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

export { TaskState };
