/** Agents that are services, as tests play them: a function answers each request, and may call back. */

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { TurnRequest } from '../../src/agent-service/index.ts';

/** The agent's answer: the body of a 200, or a status with a body. */
export type Said = object | { readonly status: number; readonly body: object };

export interface AgentCall {
  readonly request: TurnRequest;
  /** Calls a tool at the request's address. @returns status and body */
  readonly tool: (
    name: string,
    args: object,
  ) => Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;
  /** Breaks the connection off, as a process that dies does. */
  readonly die: () => never;
}

class Died extends Error {}

export interface PlayedAgent {
  readonly url: string;
  readonly requests: readonly TurnRequest[];
}

/** Starts an agent, and ends it with the test. */
export async function playAgent(answer: (call: AgentCall) => Promise<Said> | Said): Promise<PlayedAgent> {
  const agent = await startAgent(answer);
  onTestFinished(agent.close);
  return agent;
}

/** Starts an agent, which whoever starts it ends. */
export async function startAgent(
  answer: (call: AgentCall) => Promise<Said> | Said,
): Promise<PlayedAgent & { readonly close: () => void }> {
  const requests: TurnRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = JSON.parse(Buffer.concat(chunks).toString()) as TurnRequest;
      requests.push(request);
      void respond(request, response);
    });
  });
  const respond = async (request: TurnRequest, response: ServerResponse) => {
    const tool: AgentCall['tool'] = async (name, args) => {
      const called = await post(request.tools_url, { name, arguments: args });
      return { status: called.status, body: (await called.json()) as Record<string, unknown> };
    };
    const die = (): never => {
      throw new Died();
    };
    try {
      const said = await answer({ request, tool, die });
      const { status, body } = 'status' in said && 'body' in said ? said : { status: 200, body: said };
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    } catch (error) {
      response.destroy();
      if (!(error instanceof Died)) throw error;
    }
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests, close };
}

function post(url: string, body: object): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}
