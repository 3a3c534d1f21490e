/** A request to an agent. */

import type { TurnRequest } from '../../../src/agent-service/index.ts';

export const REQUEST: TurnRequest = {
  protocol: '1',
  episode: 'e1',
  turn: 1,
  request: 3,
  attempt: 1,
  idempotency_key: 'e1/3',
  messages: [{ role: 'user', content: 'Where is my order?' }],
  conversation: [{ role: 'user', content: 'Where is my order?' }],
  policy: 'Be kind.',
  tools: [{ type: 'function', function: { name: 'get_order_details' } }],
  tools_url: 'http://127.0.0.1:1/t/x/tools',
  model_url: 'http://127.0.0.1:1/t/x/openai/v1',
  anthropic_url: 'http://127.0.0.1:1/t/x/anthropic',
  mcp_url: 'http://127.0.0.1:1/t/x/mcp',
};
