/**
 * The model provider that all tools call: OpenAI's chat completions, answered by the scripted model. It counts what it
 * bills by content, and can have an outage or revoke its key.
 */

import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pack } from '../../src/benchmarks/packs/index.ts';
import { closeServer, listen, readBody, sendJson } from '../../src/io/index.ts';
import { startScriptedModel } from '../../src/scripted-model/index.ts';

const MAX_BODY_BYTES = 64 * 2 ** 20;

interface ChatRequest {
  messages: {
    role: string;
    content?: unknown;
    tool_calls?: { function: { name: string; arguments: string } }[];
  }[];
  seed?: number;
}

export interface Provider {
  /** Base URL: `http://127.0.0.1:8123/v1`. */
  readonly url: string;
  /** The key that it accepts. */
  readonly key: string;
  /** Answers billed so far, by a digest of their request's messages; those whose client has gone are billed as well. */
  readonly billed: ReadonlyMap<string, number>;
  /** Requests with a revoked key since the last revocation. */
  readonly refused: number;
  /** Answers nothing but 503. @returns resolves when it is over */
  outage(ms: number): Promise<void>;
  /** From now on only a new key is accepted. */
  revokeKey(): void;
  close(): Promise<void>;
}

export async function startProvider(packs: readonly Pack[], latencyMs: number): Promise<Provider> {
  const model = await startScriptedModel({ packs, latencyMs });
  const billed = new Map<string, number>();
  let key = makeKey();
  let refused = 0;
  let isOut = false;
  const answer = async (body: string, authorization: string | undefined) => {
    if (authorization !== `Bearer ${key}`) {
      refused += 1;
      return [401, toError('invalid_api_key', 'Incorrect API key provided.')] as const;
    }
    if (isOut) return [503, toError('server_error', 'The server is temporarily unavailable.')] as const;
    // Without a seed the scripted user would word each repetition of a task differently.
    const request = { ...(JSON.parse(body) as ChatRequest), seed: 0 };
    const response = await fetch(`${model.url}/chat/completions`, { method: 'POST', body: JSON.stringify(request) });
    const digest = digestMessages(request);
    if (response.ok) billed.set(digest, (billed.get(digest) ?? 0) + 1);
    return [response.status, (await response.json()) as object] as const;
  };
  const server = createServer((request, response) => {
    void readBody(request, MAX_BODY_BYTES)
      .then((body) =>
        request.url === '/v1/chat/completions'
          ? answer(body, request.headers.authorization)
          : ([404, toError('not_found', `There is no ${request.url}.`)] as const),
      )
      .catch((error: unknown) => [500, toError('server_error', String(error))] as const)
      .then(([status, body]) => {
        sendJson(response, status, body);
      });
  });
  const port = await listen(server, { port: 0, host: '127.0.0.1' });
  return {
    url: `http://127.0.0.1:${port}/v1`,
    billed,
    get key() {
      return key;
    },
    get refused() {
      return refused;
    },
    async outage(ms) {
      isOut = true;
      await delay(ms);
      isOut = false;
    },
    revokeKey() {
      key = makeKey();
      refused = 0;
    },
    async close() {
      await closeServer(server);
      await model.close();
    },
  };
}

function makeKey(): string {
  return `sk-${randomBytes(12).toString('hex')}`;
}

function toError(code: string, message: string): object {
  return { error: { message, type: code, code, param: null } };
}

/** Tools differ in the other fields of a message, such as null for what is absent. */
function digestMessages({ messages }: ChatRequest): string {
  const content = messages.map(({ role, content: text, tool_calls: calls }) => [
    role,
    text ?? '',
    (calls ?? []).map(({ function: { name, arguments: given } }) => [name, given]),
  ]);
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}
