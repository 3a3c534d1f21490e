/** The scripted conversations that an agent is checked with: a policy, three tools, the user's turns, and the model's part in them. */

import type { TurnRequest } from '../../turn-protocol/index.ts';

export const POLICY =
  'You help the users of an online store with their orders. Look an order up before you speak about it. ' +
  'Call one tool at a time, and answer in one or two sentences.';

function tool(name: string, description: string, fields: readonly string[]): TurnRequest['tools'][number] {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: 'string' }]));
  return {
    type: 'function',
    function: { name, description, parameters: { type: 'object', properties, required: [...fields] } },
  };
}

export const TOOLS: TurnRequest['tools'] = [
  tool('get_order_details', 'Look an order up.', ['order_id']),
  tool('cancel_order', 'Cancel an order.', ['order_id', 'reason']),
  tool('change_address', 'Change the address of an order.', ['order_id', 'address']),
];

/** One message of the user, and what the scripted model makes of it: a call of a tool, then a text. */
export interface ScriptedTurn {
  readonly user: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, string>>;
  readonly observation: string;
  readonly reply: string;
}

/** An order that no other conversation of the check has. */
export function turnsAbout(order: string): Record<'question' | 'error' | 'change' | 'thanks', ScriptedTurn> {
  return {
    question: {
      user: `Hello, this is Ana Lima. Where is my order ${order}?`,
      tool: 'get_order_details',
      arguments: { order_id: order },
      observation: JSON.stringify({ order_id: order, status: 'in transit', total: 131.5 }),
      reply: `Your order ${order} is in transit.`,
    },
    error: {
      user: `Then cancel my other order, #W0000, please. I have ordered it by mistake.`,
      tool: 'cancel_order',
      arguments: { order_id: '#W0000', reason: 'ordered by mistake' },
      observation: 'Error: order not found',
      reply: 'There is no order #W0000.',
    },
    change: {
      user: `I see. Send ${order} to 5 Elm Street instead, please.`,
      tool: 'change_address',
      arguments: { order_id: order, address: '5 Elm Street' },
      observation: JSON.stringify({ order_id: order, address: '5 Elm Street' }),
      reply: `Your order ${order} goes to 5 Elm Street.`,
    },
    thanks: {
      user: `Thank you. What is the status of ${order} now?`,
      tool: 'get_order_details',
      arguments: { order_id: order },
      observation: JSON.stringify({ order_id: order, status: 'address changed', total: 131.5 }),
      reply: `The address of your order ${order} has been changed.`,
    },
  };
}
