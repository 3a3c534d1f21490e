/** A loopback provider that answers as it is told, and a pack small enough to read. */

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseJson, isDict, isList } from '../../src/benchmarks/python/index.ts';
import type { Pack } from '../../src/benchmarks/testing.ts';

export const KEY = 'sk-proj-THE+SECRET/KEY==0123456789';

export interface SeenRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export type Answer = (response: ServerResponse, request: SeenRequest) => void;

export interface FakeProvider {
  /** Base URL with `/v1`. */
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Settles when the next request has arrived. */
  arrived(): Promise<void>;
  /** Settles when a request's connection was closed before its answer was complete. */
  readonly abandoned: Promise<void>;
  close(): Promise<void>;
}

/** Answers the first request with the first answer, and so on; the last one serves all further requests. */
export async function startFakeProvider(...answers: readonly Answer[]): Promise<FakeProvider> {
  const requests: SeenRequest[] = [];
  let abandon: () => void = () => undefined;
  const abandoned = new Promise<void>((resolve) => (abandon = resolve));
  const waiting: (() => void)[] = [];
  const server = createServer((message, response) => {
    response.on('close', () => {
      if (!response.writableFinished) abandon();
    });
    void readBody(message).then((text) => {
      const seen = {
        url: message.url ?? '',
        headers: message.headers,
        body: JSON.parse(text) as Record<string, unknown>,
      };
      requests.push(seen);
      (answers[requests.length - 1] ?? answers.at(-1))?.(response, seen);
      for (const resolve of waiting.splice(0)) resolve();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    requests,
    arrived: () => new Promise((resolve) => waiting.push(resolve)),
    abandoned,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

export function answerJson(body: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_1', ...headers });
    response.end(JSON.stringify(body));
  };
}

export function answerText(text: string, status = 200, contentType = 'application/json'): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': contentType });
    response.end(text);
  };
}

export function answerError(
  status: number,
  error: Record<string, unknown>,
  headers: Record<string, string> = {},
): Answer {
  return answerJson({ error }, status, headers);
}

/** The connection breaks before anything was said. */
export const answerReset: Answer = (response) => response.destroy();

/** Headers and the first half of a body, then the connection breaks. */
export const answerHalf: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"choices": [', () => response.destroy());
};

/** Never says a word. */
export const answerNothing: Answer = () => undefined;

/** Headers at once, the body never. */
export const answerHeadersOnly: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
};

/** A completion as OpenAI sends it; `message` and the top level can be overridden. */
export function completion(
  message: Record<string, unknown> = { content: 'Hello.' },
  top: Record<string, unknown> = {},
  finishReason = 'stop',
): Record<string, unknown> {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'gpt-4o-2024-08-06',
    system_fingerprint: 'fp_1',
    choices: [{ index: 0, finish_reason: finishReason, message: { role: 'assistant', refusal: null, ...message } }],
    usage: {
      prompt_tokens: 1000,
      completion_tokens: 100,
      prompt_tokens_details: { cached_tokens: 400 },
      completion_tokens_details: { reasoning_tokens: 30 },
    },
    ...top,
  };
}

export function openaiEnv(provider: FakeProvider): NodeJS.ProcessEnv {
  return { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: provider.url };
}

const TOOLS = `[{"type": "function", "function": {"name": "look_up", "description": "Caf\\u00e9",
  "parameters": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}}}]`;

export function smallPack(): Pack {
  const tables = parseJson('{}');
  const tools = parseJson(TOOLS);
  if (!isDict(tables) || !isList(tools)) throw new Error('the small pack is not in order');
  return {
    ref: { name: 'small', digest: '0'.repeat(64), path: '/nowhere/small' },
    domain: 'retail',
    source: 'test',
    licence: 'MIT',
    tables,
    policy: 'Be kind.',
    tools,
    terminateTools: [],
    userPrompts: {
      greeting: 'How can I help?',
      strategies: {
        llm: { systemPrompt: 'You want: {instruction}.', systemPromptWithoutInstruction: 'You want nothing.' },
      },
    },
    agentPrompts: { react_instruction: 'Think first.' },
    splits: { test: [{ userId: 'u1', instruction: 'a $& refund', actions: [], outputs: [] }] },
  };
}
