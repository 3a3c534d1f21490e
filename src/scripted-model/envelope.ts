/** OpenAI's chat-completions envelope around a scripted reply. */

import { createHash } from 'node:crypto';
import type { RequestProblem } from './reply.ts';
import { type ScriptedReply } from './reply.ts';

/** Says in every completion that no model was at work. */
const FINGERPRINT = 'tauflow-scripted-model';

/** Characters a token; close enough for English and JSON to make usage numbers look real. */
const CHARS_PER_TOKEN = 4;

/** @param model the name as the client gave it, because clients look prices up by it */
export function completionBody(model: string, reply: ScriptedReply, promptChars: number, requestId: string): object {
  const { content, toolCall } = reply;
  const message = {
    role: 'assistant',
    content,
    refusal: null,
    ...(toolCall === undefined
      ? {}
      : { tool_calls: [{ id: toolCallId(reply), type: 'function', function: { ...toolCall } }] }),
  };
  const { promptTokens, completionTokens } = tokensOf(reply, promptChars);
  return {
    id: `chatcmpl-${requestId}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: toolCall === undefined ? 'stop' : 'tool_calls' }],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    },
    system_fingerprint: FINGERPRINT,
  };
}

/** Usage that a provider would bill, estimated from the number of characters. */
export function tokensOf(
  { content, toolCall }: ScriptedReply,
  promptChars: number,
): { readonly promptTokens: number; readonly completionTokens: number } {
  const called = toolCall === undefined ? 0 : toolCall.name.length + toolCall.arguments.length;
  return { promptTokens: toTokens(promptChars), completionTokens: toTokens((content?.length ?? 0) + called) };
}

export function errorBody(problem: RequestProblem): object {
  const type =
    problem.status === 429 ? 'rate_limit_error' : problem.status >= 500 ? 'server_error' : 'invalid_request_error';
  return { error: { message: problem.message, type, param: problem.param, code: problem.code } };
}

export function modelsBody(models: readonly string[]): object {
  return { object: 'list', data: models.map((id) => ({ id, object: 'model', created: 0, owned_by: FINGERPRINT })) };
}

/** The same call of the same episode always has the same id. */
function toolCallId({ episode, position }: ScriptedReply): string {
  const digest = createHash('sha256')
    .update(`${episode ?? ''} ${position}`)
    .digest('hex');
  return `call_${digest.slice(0, 24)}`;
}

function toTokens(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}
