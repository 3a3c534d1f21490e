/** Refusals of the gateway: one sentence for the agent's author, in the called API's form of errors. */

import { Refusal } from '../../io/index.ts';
import { anthropicError, openaiError } from '../../models/index.ts';
import type { CallRefusal } from '../payloads.ts';

/** API of an address of the gateway. */
export type Api = 'tools' | 'mcp' | 'openai' | 'anthropic';

type ProblemCode =
  | CallRefusal
  | 'unknown_token'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'too_large'
  | 'busy'
  | 'unavailable';

const STATUS: Readonly<Record<ProblemCode, number>> = {
  invalid: 400,
  forbidden: 403,
  unknown_token: 404,
  not_found: 404,
  method_not_allowed: 405,
  stale: 409,
  transcript: 409,
  diverged: 409,
  over: 410,
  too_large: 413,
  busy: 429,
  unavailable: 500,
};

export class GatewayProblem extends Error {
  override readonly name = 'GatewayProblem';
  readonly code: ProblemCode;
  readonly status: number;

  constructor(code: ProblemCode, message: string, status: number = STATUS[code]) {
    super(message);
    this.code = code;
    this.status = status;
  }

  /** Returns the refusal as JSON text. */
  body(api: Api): string {
    const { code, message, status } = this;
    if (api === 'tools' || api === 'mcp') return JSON.stringify({ error: code, message });
    return (api === 'openai' ? openaiError : anthropicError)({ status, code, message });
  }

  headers(): Readonly<Record<string, string>> {
    return this.code === 'busy' ? { 'x-should-retry': 'true', 'retry-after': '1' } : {};
  }
}

export function toProblem(error: unknown): GatewayProblem {
  if (error instanceof GatewayProblem) return error;
  if (error instanceof Refusal) {
    const { status, message } = error;
    return new GatewayProblem(status === 413 ? 'too_large' : status === 403 ? 'forbidden' : 'invalid', message, status);
  }
  // The gateway's own errors may name tasks, which an agent must not know.
  return new GatewayProblem('unavailable', 'the call could not be carried out; see the log of the worker');
}

/** Keeps SDKs from repeating 409 and 500, because that never helps here, and calls may be paid twice. */
export const FINAL = { 'x-should-retry': 'false' } as const;

/** Addresses of an API, for the refusal of a request to another path. */
const PLACES: Readonly<Record<Api, string>> = {
  tools: 'tool calls are POST requests to tools_url, as it is given',
  mcp: 'MCP is at mcp_url, and with a tool for the user at mcp_url + /user/mcp',
  openai:
    'model_url is a base URL that ends in /v1: chat completions are at /chat/completions below it, Responses at /responses',
  anthropic: 'anthropic_url is a base URL without /v1: Messages are at /v1/messages below it',
};

/** @param api absent if the address names no API */
export function nothingHere(api?: Api): GatewayProblem {
  const places =
    api === undefined ? 'use tools_url, mcp_url, model_url and anthropic_url as they are given' : PLACES[api];
  return new GatewayProblem('not_found', `there is nothing at this address; ${places}`);
}
