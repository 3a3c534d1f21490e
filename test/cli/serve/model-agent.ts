/** An agent of the turn protocol that does what its model says, and keeps nothing. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { TurnRequest } from '../../../src/agent-service/index.ts';

/** @returns its URL */
export async function modelAgent(): Promise<string> {
  const server = createServer((incoming, response) => {
    const send = (body: object) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (incoming.method === 'GET') {
      send({ name: 'mine', version: '1', protocol: '1' });
      return;
    }
    void json(incoming).then(async (body) => {
      const { model_url, policy, conversation, tools } = body as TurnRequest;
      const messages = [{ role: 'system', content: policy }, ...conversation];
      const reply = await fetch(`${model_url}/chat/completions`, {
        method: 'POST',
        body: JSON.stringify({ model: 'any', messages, tools }),
      });
      const { choices } = (await reply.json()) as {
        readonly choices: readonly {
          readonly message: { readonly content: string | null; readonly tool_calls?: unknown };
        }[];
      };
      const { content = '', tool_calls } = choices[0]?.message ?? {};
      send(tool_calls === undefined ? { message: content ?? '' } : { tool_calls });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
