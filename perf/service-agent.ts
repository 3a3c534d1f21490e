/** An agent as a service, with a loop of its own: it calls model and tools at the gateway, and notes how long each call takes. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import type { TurnRequest } from '../src/agent-service/index.ts';
import { onEnd } from './processes.ts';

interface ToolCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

interface Completion {
  readonly choices: readonly {
    readonly message: { readonly content: string | null; readonly tool_calls?: readonly ToolCall[] };
  }[];
}

interface TimedAgent {
  readonly url: string;
  /** Times of the calls, as the agent sees them. @unit milliseconds */
  readonly modelMs: readonly number[];
  readonly toolMs: readonly number[];
  /** Calls that were answered with another status than 200, but for those of an episode that has ended. */
  readonly failed: readonly string[];
  close(): Promise<void>;
}

export async function startTimedAgent(): Promise<TimedAgent> {
  const times = { modelMs: [] as number[], toolMs: [] as number[] };
  const failed: string[] = [];
  const call = async <Said>(kind: keyof typeof times, url: string, body: object): Promise<Said | null> => {
    const started = performance.now();
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const said = await response.text();
    if (response.status === 200) {
      times[kind].push(performance.now() - started);
      return JSON.parse(said) as Said;
    }
    if (response.status !== 410) failed.push(`${response.status} ${said.slice(0, 200)}`);
    return null;
  };
  const work = async ({ policy, conversation, tools, tools_url, model_url }: TurnRequest): Promise<object> => {
    const messages: object[] = [{ role: 'system', content: policy }, ...conversation];
    for (;;) {
      const reply = await call<Completion>('modelMs', `${model_url}/chat/completions`, { model: 'm', messages, tools });
      const message = reply?.choices[0]?.message;
      const [asked] = message?.tool_calls ?? [];
      if (message === undefined || asked === undefined) return { message: message?.content ?? '' };
      const { id, function: called } = asked;
      const result = await call<{ readonly observation: string }>('toolMs', tools_url, called);
      if (result === null) return { end: true };
      messages.push(
        { ...message, tool_calls: [asked] },
        { role: 'tool', tool_call_id: id, content: result.observation },
      );
    }
  };
  const server = createServer((request, response) => {
    const answer = async () =>
      request.method === 'POST'
        ? work(JSON.parse(await text(request)) as TurnRequest)
        : { name: 'bench', version: '1' };
    answer().then(
      (said) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said)),
      // A worker that is taken down breaks its connections off.
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const close = onEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...times, failed, close };
}
