/** The scripted conversations of the check: a policy, three tools, the user's turns, and the model's part. */

import type { TurnRequest } from '../turn-protocol/protocol.schema.ts';
import type { ToolCallRequest } from '../payloads.ts';

export const POLICY =
  'You help the users of an online store with their orders. Look an order up before you speak about it. ' +
  'Call one tool at a time, and answer in one or two sentences.';

/** Arguments of the tools, all required. */
const FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['get_order_details', ['order_id']],
  ['cancel_order', ['order_id', 'reason']],
  ['change_address', ['order_id', 'address']],
]);

/** Tools that change the order. */
export const WRITES: readonly string[] = ['cancel_order', 'change_address'];

export const TOOLS: TurnRequest['tools'] = Array.from(FIELDS, ([name, fields]) => {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: 'string' }]));
  const description = `${name.replaceAll('_', ' ')}.`;
  return {
    type: 'function',
    function: { name, description, parameters: { type: 'object', properties, required: [...fields] } },
  };
});

/** One message of the user, and the scripted model's reply to it: a call of a tool, then a text. */
export interface ScriptedTurn {
  readonly user: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, string>>;
  /** The only order. */
  readonly order: { readonly order_id: string; readonly status: string; readonly total: number };
  readonly reply: string;
}

type Turns = Readonly<Record<'question' | 'error' | 'change' | 'thanks', ScriptedTurn>>;

export function toScripts({ question, error, change, thanks }: Turns): readonly [ScriptedTurn, ...ScriptedTurn[]] {
  return [question, error, change, thanks];
}

/** @param orderId an order that no other conversation of the check has */
export function turnsAbout(orderId: string): Turns & Readonly<Record<'recall', ScriptedTurn>> {
  const order = { order_id: orderId, status: 'in transit', total: 131.5 };
  return {
    question: {
      user: `Hello, this is Ana Lima. Where is my order ${orderId}?`,
      tool: 'get_order_details',
      arguments: { order_id: orderId },
      order,
      reply: `Your order ${orderId} is in transit.`,
    },
    error: {
      user: `Then cancel my other order, #W0000, please. I have ordered it by mistake.`,
      tool: 'cancel_order',
      arguments: { order_id: '#W0000', reason: 'ordered by mistake' },
      order,
      reply: 'There is no order #W0000.',
    },
    change: {
      user: `I see. Send ${orderId} to 5 Elm Street instead, please.`,
      tool: 'change_address',
      arguments: { order_id: orderId, address: '5 Elm Street' },
      order,
      reply: `Your order ${orderId} goes to 5 Elm Street.`,
    },
    thanks: {
      user: `Thank you. What is the status of ${orderId} now?`,
      tool: 'get_order_details',
      arguments: { order_id: orderId },
      order: { ...order, status: 'address changed' },
      reply: `The address of your order ${orderId} has been changed.`,
    },
    recall: {
      user: 'Which order did I ask you about first? Give me its number, please.',
      tool: 'get_order_details',
      arguments: { order_id: orderId },
      order,
      reply: `You asked about your order ${orderId}.`,
    },
  };
}

/** Returns the observation of a tool call, or an error, as tau-bench's environment does. */
export function observe(
  { order }: ScriptedTurn,
  { name, argumentsJson }: Pick<ToolCallRequest, 'name' | 'argumentsJson'>,
): string {
  const fields = FIELDS.get(name);
  if (fields === undefined) return `Unknown action ${name}`;
  const given = JSON.parse(argumentsJson) as Readonly<Record<string, unknown>>;
  if ([...fields].sort().join() !== Object.keys(given).sort().join())
    return `Error: ${name} takes ${fields.join(', ')}`;
  return given['order_id'] === order.order_id ? JSON.stringify({ ...order, ...given }) : 'Error: order not found';
}
