/**
 * The model provider that all tools call: OpenAI's chat completions, answered by the scripted model. It counts what it
 * bills by content, and can have an outage or revoke its key.
 */

import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { Pack } from '../../src/benchmarks/packs/index.ts';
import { closeServer, listen, readBody, sendJson } from '../../src/io/index.ts';
import { startScriptedModel } from '../../src/scripted-model/index.ts';

const MAX_BODY_BYTES = 64 * 2 ** 20;

interface ChatRequest {
  readonly messages: readonly {
    readonly role: string;
    readonly content?: unknown;
    readonly tool_calls?: readonly { readonly function: unknown }[];
  }[];
}

export type Provider = Awaited<ReturnType<typeof startProvider>>;

export async function startProvider(pack: Pack, latencyMs: number) {
  const model = await startScriptedModel({ packs: [pack], latencyMs });
  const server = createServer((request, response) => {
    void answer(request)
      .catch((error: unknown) => [500, toError('server_error', String(error))] as const)
      .then(([status, body]) => {
        sendJson(response, status, body);
      });
  });
  const provider = {
    /** Base URL: `http://127.0.0.1:8123/v1`. */
    url: `http://127.0.0.1:${await listen(server, { port: 0, host: '127.0.0.1' })}/v1`,
    /** The key that it accepts. */
    key: makeKey(),
    /** Answers billed so far, by a digest of their request's messages; those whose client has gone are billed as well. */
    billed: new Map<string, number>(),
    /** Requests with a revoked key since the last revocation. */
    refused: 0,
    /** Answers nothing but 503. */
    isOut: false,
    /** From now on only a new key is accepted. */
    revokeKey() {
      provider.key = makeKey();
      provider.refused = 0;
    },
    async close() {
      await closeServer(server);
      await model.close();
    },
  };
  async function answer(request: IncomingMessage): Promise<readonly [number, object]> {
    // Without a seed the scripted user would word each repetition of a task differently.
    const body = { ...(JSON.parse(await readBody(request, MAX_BODY_BYTES)) as ChatRequest), seed: 0 };
    if (request.headers.authorization !== `Bearer ${provider.key}`) {
      provider.refused += 1;
      return [401, toError('invalid_api_key', 'Incorrect API key provided.')];
    }
    if (provider.isOut) return [503, toError('server_error', 'The server is temporarily unavailable.')];
    const reply = await fetch(`${model.url}/chat/completions`, { method: 'POST', body: JSON.stringify(body) });
    const digest = digestMessages(body);
    if (reply.ok) provider.billed.set(digest, (provider.billed.get(digest) ?? 0) + 1);
    return [reply.status, (await reply.json()) as object];
  }
  return provider;
}

function makeKey(): string {
  return `sk-${randomUUID()}`;
}

function toError(code: string, message: string): object {
  return { error: { message, type: code, code, param: null } };
}

/** The ids of calls are left out, which differ between attempts. */
function digestMessages({ messages }: ChatRequest): string {
  const content = messages.map(({ role, content, tool_calls: calls }) => [
    role,
    content ?? '',
    calls?.map((call) => call.function),
  ]);
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}
