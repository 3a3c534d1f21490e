/** A gateway, and requests to it as an agent makes them. */

import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { onTestFinished } from 'vitest';
import { startGateway, type TurnBinding } from '../../../src/agent-service/index.ts';
import type { RunningGateway } from '../../../src/agent-service/testing.ts';

export async function serve(options: Parameters<typeof startGateway>[0] = {}): Promise<RunningGateway> {
  const gateway = await startGateway(options);
  onTestFinished(() => gateway.close());
  return gateway;
}

/** A binding whose tools and models answer nothing but what a test gives them. */
export function bindingWith(changes: Partial<TurnBinding> = {}): TurnBinding {
  return {
    episode: 'sweep/task-1/trial-0/run-1',
    request: 3,
    attempt: 2,
    toolCall: ({ name, argumentsJson }) => Promise.resolve({ observation: `${name} ${argumentsJson}`, done: false }),
    modelCall: () => Promise.reject(new Error('no model is called here')),
    ...changes,
  };
}

export interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request with any headers; a body that is no text is sent as JSON. */
export async function send(
  url: string | RequestOptions,
  body?: unknown,
  { method = 'POST', headers = {} }: Sent = {},
): Promise<Answered> {
  const options = { method, headers: { 'content-type': 'application/json', ...headers } };
  const request = typeof url === 'string' ? httpRequest(url, options) : httpRequest({ ...url, ...options });
  request.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const isJson = String(response.headers['content-type']).includes('json');
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: isJson ? (JSON.parse(text) as unknown) : text,
  };
}
