/**
 * The model endpoints: an agent's request becomes a model call of its episode. The answer is the recorded reply, whole
 * or as a stream if the agent requested one.
 */

import type { WireName } from '../../agents/index.ts';
import { SERVED_WIRES, readRawRequest, type RequestHeaders } from '../../models/index.ts';
import { MAX_CONVERSATION_BYTES, conversationBytes } from '../../evaluation/index.ts';
import type { ModelCallResult, RefusedCall } from '../payloads.ts';
import type { Conversations } from './conversations.ts';
import { GatewayProblem } from './problem.ts';
import type { Caller, GatewayTurn } from './turn.ts';

interface ModelAnswer {
  readonly status: number;
  readonly type: 'application/json' | 'text/event-stream';
  readonly body: string;
}

/**
 * @param body JSON text
 * @param headers of the request
 * @throws GatewayProblem
 */
export async function callModel(
  turn: GatewayTurn,
  wire: WireName,
  body: string,
  conversations: Conversations,
  headers: RequestHeaders,
  caller: Caller,
): Promise<ModelAnswer> {
  const asked = readRawRequest(body, wire, headers);
  if (typeof asked === 'string') throw new GatewayProblem('invalid', `${asked}; send the request as the API has it`);
  const { model, items, digest, isStreamed, wantsUsage } = asked;
  const role = roleIn(headers);
  const bytes = conversationBytes(items.map((content) => ({ role: 'user', content })));
  if (bytes > MAX_CONVERSATION_BYTES) {
    throw new GatewayProblem(
      'too_large',
      `the request takes ${bytes} bytes in the episode's history, which takes ${MAX_CONVERSATION_BYTES}; shorten the conversation`,
    );
  }
  const { status, body: reply } = await turn.callOnce<ModelCallResult>(
    'model',
    { key: `${wire} ${digest}`, caller },
    async (binding): Promise<ModelCallResult | RefusedCall> => {
      const { episode, request, attempt } = binding;
      const sending = conversations.send(episode, wire, items);
      const call = { request, attempt, wire, digest, model, role };
      let isKept = false;
      try {
        let result = await binding.modelCall({ ...call, transcript: sending.delta });
        if ('refused' in result && result.refused === 'transcript') {
          result = await binding.modelCall({ ...call, transcript: sending.whole() });
        }
        isKept = !('refused' in result);
        return result;
      } finally {
        sending.end(isKept);
      }
    },
  );
  if (!isStreamed || status >= 400) return { status, type: 'application/json', body: reply };
  const events = SERVED_WIRES[wire].stream(reply, wantsUsage);
  return events === null
    ? { status, type: 'application/json', body: reply }
    : { status, type: 'text/event-stream', body: events };
}

/** Header in which an agent names the part of it that makes the call, for the costs. */
const ROLE_HEADER = 'x-tauflow-role';

function roleIn(headers: RequestHeaders): string | undefined {
  const role = headers[ROLE_HEADER];
  return typeof role === 'string' && /^[a-z][a-z0-9-]{0,39}$/.test(role) ? role : undefined;
}
