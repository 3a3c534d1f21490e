/** Serves an agent as a function by the turn protocol. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AgentTurn } from '../../agents/index.ts';
import { firstLine } from '../../errors/index.ts';
import { closeServer, listenOnLoopback, readBody, sendText } from '../../io/index.ts';
import { AGENT_FAILED } from '../turn-protocol/http.ts';
import type { TurnRequest } from '../turn-protocol/protocol.schema.ts';
import { describeValue } from '../../errors/index.ts';
import type { FunctionFile } from './load.ts';
import { judgeThrown } from './thrown.ts';

/** Largest request in bytes, far above policy, tools and a conversation. */
const MAX_BODY_BYTES = 16_000_000;

export async function serveFunction(
  file: FunctionFile,
  port: number,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => void handle(file, request, response));
  const url = await listenOnLoopback(server, port);
  return { url, close: () => closeServer(server) };
}

async function handle(file: FunctionFile, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const send = (status: number, body: object) =>
    sendText(response, status, formatAnswer(body), { 'Content-Type': 'application/json' });
  if (request.method === 'GET') {
    send(200, { name: file.name, version: file.version, protocol: '1' });
    return;
  }
  const left = new AbortController();
  response.on('close', () => left.abort());
  try {
    const turn = JSON.parse(await readBody(request, MAX_BODY_BYTES)) as TurnRequest;
    const answer = await file.answer(toTurn(turn, left.signal));
    send(200, typeof answer === 'string' ? { message: answer } : answer);
  } catch (error) {
    const { status, isOwn } = judgeThrown(error);
    const message = describeValue(error);
    send(status, isOwn ? { error: AGENT_FAILED, message } : { error: message });
  }
}

/** Writes an answer as JSON, or as text if that is impossible. An answer of undefined becomes an empty text. */
function formatAnswer(answer: unknown): string {
  try {
    return answer === undefined ? '' : JSON.stringify(answer);
  } catch (error) {
    return `no JSON: ${firstLine(error)}`;
  }
}

function toTurn(asked: TurnRequest, signal: AbortSignal): AgentTurn {
  const { model_url: modelUrl, anthropic_url: anthropicUrl, mcp_url: mcpUrl, tools_url: toolsUrl, ...rest } = asked;
  return {
    // Left-out fields stay absent.
    ...(rest as Pick<AgentTurn, keyof AgentTurn & keyof typeof rest>),
    modelUrl,
    anthropicUrl,
    mcpUrl,
    callTool: async (name, args) => {
      const response = await fetch(toolsUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name, arguments: args }),
        signal,
      });
      const { observation, message = '' } = (await response.json()) as { observation?: string; message?: string };
      if (observation !== undefined) return observation;
      // The model handles a wrong call; anything else ends the attempt.
      if (response.status === 400) return message;
      throw new Error(message);
    },
  };
}
