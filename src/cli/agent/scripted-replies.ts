/** Replies of the scripted model in the form of each API. They are the same whenever the same is asked. */

import type { WireName } from '../../agents/index.ts';
import type { ScriptedTurn } from './script.ts';

interface Reply {
  readonly model: string;
  /** Part of identifiers, which differ between turns. */
  readonly turn: number;
  readonly script: ScriptedTurn;
}

/** @returns JSON text of a reply that calls the turn's tool, or has its text */
export function scriptedReply(wire: WireName, kind: 'call' | 'text', reply: Reply): string {
  return JSON.stringify(FORMS[wire](kind === 'call', reply));
}

const FORMS: Readonly<Record<WireName, (isCall: boolean, reply: Reply) => object>> = {
  chat: toChat,
  responses: toResponses,
  messages: toMessages,
};

/** Some time, in seconds since 1970. */
const CREATED = 1_700_000_000;

function toChat(isCall: boolean, { model, turn, script }: Reply): object {
  const called = { name: script.tool, arguments: JSON.stringify(script.arguments) };
  const calls = [{ id: `call_${turn}`, type: 'function', function: called }];
  const message = isCall ? { content: null, tool_calls: calls } : { content: script.reply };
  return {
    id: `chatcmpl-${turn}`,
    object: 'chat.completion',
    created: CREATED,
    model,
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: isCall ? 'tool_calls' : 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  };
}

function toResponses(isCall: boolean, { model, turn, script }: Reply): object {
  const status = 'completed';
  const call = {
    type: 'function_call',
    id: `fc_${turn}`,
    call_id: `call_${turn}`,
    name: script.tool,
    arguments: JSON.stringify(script.arguments),
    status,
  };
  const content = [{ type: 'output_text', text: script.reply, annotations: [] }];
  return {
    id: `resp_${turn}`,
    object: 'response',
    created_at: CREATED,
    status,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    model,
    output: [isCall ? call : { type: 'message', id: `msg_${turn}`, status, role: 'assistant', content }],
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 120,
    },
  };
}

function toMessages(isCall: boolean, { model, turn, script }: Reply): object {
  const call = { type: 'tool_use', id: `toolu_${turn}`, name: script.tool, input: script.arguments };
  return {
    id: `msg_${turn}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [isCall ? call : { type: 'text', text: script.reply }],
    stop_reason: isCall ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 20 },
  };
}
