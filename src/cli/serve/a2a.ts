/** `tauflow serve a2a`: an A2A agent that assesses other agents, one task per run. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { AgentCard } from '@a2a-js/sdk';
import { DefaultRequestHandler, JsonRpcTransportHandler, ServerCallContext } from '@a2a-js/sdk/server';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import {
  Refusal,
  checkSender,
  closeServer,
  jsonObject,
  listenOnLoopback,
  readBody,
  requestPath,
  sendJson,
} from '../../io/index.ts';
import { version } from '../../host/surroundings.ts';
import { ASSESSMENT_HELP } from './assessment.ts';
import type { AssessmentRuns } from './runs.ts';
import { Assessor, RunStore } from './tasks.ts';

const MAX_BODY_BYTES = 1_000_000;

interface RunningAssessor {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** @throws PortTakenError */
export async function startAssessor(runs: AssessmentRuns, port: number): Promise<RunningAssessor> {
  const server = createServer();
  const url = await listenOnLoopback(server, port);
  const card = createCard(url);
  const handler = new DefaultRequestHandler(AgentCard.fromJSON(card), new RunStore(runs), new Assessor(runs));
  const current = new JsonRpcTransportHandler(handler);
  const legacy = new LegacyJsonRpcTransportHandler(handler);
  const hosts = new Set([url, url.replace('127.0.0.1', 'localhost')].map((each) => new URL(each).host));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      // Web pages are refused, as at the gateway.
      checkSender(request, { names: url, isHost: (host) => hosts.has(host.toLowerCase()) });
      if (request.method === 'GET' && CARD_PATHS.has(requestPath(request))) return sendJson(response, 200, card);
      if (request.method !== 'POST' || requestPath(request) !== '/')
        throw new Refusal(404, 'there is nothing at this address');
      const body = await readBody(request, MAX_BODY_BYTES);
      const isOld = isOldMethod(body);
      const context = new ServerCallContext({ requestedVersion: isOld ? '0.3' : '1.0' });
      const said = await (isOld ? legacy : current).handle(body, context);
      if (!(Symbol.asyncIterator in said)) return sendJson(response, 200, said);
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
      for await (const event of said) {
        // The client has disconnected. Its task continues.
        if (response.destroyed) break;
        response.write(`data: ${JSON.stringify(event)}\n\n`);
      }
      response.end();
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 500;
      sendJson(response, status, { error: error instanceof Refusal ? error.message : 'internal error' });
    }
  };
  server.on('request', (request, response) => void answer(request, response));
  return { url, close: () => closeServer(server) };
}

const CARD_PATHS: ReadonlySet<string> = new Set(['/.well-known/agent-card.json', '/.well-known/agent.json']);

/** True for a method of version 0.3, which has a slash in its name. Both versions refuse text that is not JSON. */
function isOldMethod(body: string): boolean {
  const method = jsonObject(body)?.['method'];
  return typeof method === 'string' && method.includes('/');
}

/** Creates a card that clients of 1.0 and of 0.3 can read. */
function createCard(url: string) {
  const endpoint = `${url}/`;
  return {
    name: 'tauflow',
    description: 'Assesses customer-service agents on tau-bench: name an agent by its URL, get a report.',
    version,
    url: endpoint,
    protocolVersion: '0.3.0',
    preferredTransport: 'JSONRPC',
    supportedInterfaces: ['1.0', '0.3'].map((protocolVersion) => {
      return { url: endpoint, protocolBinding: 'JSONRPC', protocolVersion };
    }),
    capabilities: { streaming: true, pushNotifications: false },
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/markdown', 'application/json'],
    skills: [
      {
        id: 'assess',
        name: 'Assess an agent',
        description: ASSESSMENT_HELP,
        tags: ['evaluation', 'tau-bench'],
        examples: ['assess http://127.0.0.1:9000, 4 trials'],
      },
    ],
  };
}
