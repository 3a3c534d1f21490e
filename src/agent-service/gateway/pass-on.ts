/**
 * Passes on an agent's requests that are not model calls, such as embeddings, to the provider. They are sent unchanged,
 * and counted.
 */

import type { IncomingMessage } from 'node:http';
import { readBody } from '../../io/index.ts';
import type { PassThrough, RawApi } from '../../models/index.ts';
import { GatewayProblem, nothingHere } from './problem.ts';
import type { GatewayTurn } from './turn.ts';

/** Headers that the provider receives. All others, including keys, are for the gateway only. */
const PASSED_HEADERS = ['anthropic-version', 'anthropic-beta', 'openai-beta', 'accept'] as const;

/** Matches the path of a request that may be passed on; a path cannot leave the API. */
const PLAIN_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.:@~-]+)+$/;

/** Matches paths of model calls outside of the API's, which would be neither recorded nor priced. */
const MODEL_PATH = /\/chat\/completions$|^(?:\/v1)?\/(?:messages|responses)$/;

const METHODS: ReadonlyMap<string, 'get' | 'post' | 'delete'> = new Map([
  ['GET', 'get'],
  ['POST', 'post'],
  ['DELETE', 'delete'],
]);

/**
 * Sends an agent's request to the provider of its model calls, and returns the answer. `rest` is the path below the
 * API's base.
 *
 * @throws GatewayProblem
 */
export async function passOn(
  request: IncomingMessage,
  turn: GatewayTurn,
  { api, rest, maxBytes }: { readonly api: RawApi; readonly rest: string; readonly maxBytes: number },
  passThrough: PassThrough | undefined,
): Promise<{ readonly status: number; readonly type: string; readonly body: string }> {
  const method = METHODS.get(request.method ?? '');
  if (method === undefined) throw new GatewayProblem('method_not_allowed', 'this address takes GET, POST and DELETE');
  const path = api === 'openai' ? rest.replace(/^\/v1(?=\/)/, '') : rest;
  const isBeside = !rest.startsWith('/v1/') || rest.startsWith('/v1/v1/') || MODEL_PATH.test(path);
  if (!PLAIN_PATH.test(path) || isBeside) throw nothingHere(api);
  const { model } = turn.binding;
  if (model === undefined || passThrough === undefined) {
    throw new GatewayProblem('invalid', "the run names no provider for the agent's model calls (--model-provider)");
  }
  const body = await readBody(request, maxBytes);
  const { url = '' } = request;
  const query = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  const headers = Object.fromEntries(
    PASSED_HEADERS.flatMap((name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
  const call = { method, path: `${path}${query}`, headers, body: body === '' ? undefined : body };
  const {
    status,
    contentType: type,
    body: said,
  } = await turn.call('passed', () => passThrough({ provider: model.provider, api, ...call }));
  return { status, type, body: said };
}
