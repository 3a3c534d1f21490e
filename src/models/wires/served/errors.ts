/** Errors as each API writes them. */

import type { WireError } from './wire.ts';

/** Writes an error of OpenAI's API. @returns JSON text */
export function openaiError({ status, code, message, param = null }: WireError): string {
  return JSON.stringify({ error: { message, type: openaiType(status), param, code } });
}

/** Writes an error of Anthropic's API, which has no code, so the code precedes the message. @returns JSON text */
export function anthropicError({ status, code, message }: WireError): string {
  return JSON.stringify({ type: 'error', error: { type: anthropicType(status), message: `${code}: ${message}` } });
}

function openaiType(status: number): string {
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

function anthropicType(status: number): string {
  const types: Readonly<Record<number, string | undefined>> = {
    401: 'authentication_error',
    403: 'permission_error',
    404: 'not_found_error',
    413: 'request_too_large',
    429: 'rate_limit_error',
    529: 'overloaded_error',
  };
  return types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}
