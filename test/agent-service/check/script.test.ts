import { expect, it } from 'vitest';
import { observe, turnsAbout } from '../../../src/agent-service/testing.ts';

const ORDER = { order_id: '#W1', status: 'in transit', total: 131.5 };

it.each([
  ['get_order_details', { order_id: '#W1' }, JSON.stringify(ORDER)],
  ['get_order_details', {}, 'Error: get_order_details takes order_id'],
  ['get_order_details', { order_id: '#W2' }, 'Error: order not found'],
  ['get_order_details', { order_id: '#W1', more: 1 }, 'Error: get_order_details takes order_id'],
  ['cancel_order', { reason: 'x', order_id: '#W0000' }, 'Error: order not found'],
  [
    'change_address',
    { order_id: '#W1', address: '5 Elm Street' },
    JSON.stringify({ ...ORDER, address: '5 Elm Street' }),
  ],
  ['refund', {}, 'Unknown action refund'],
])('a tool answers as an environment does: %s %j', (name, given, observation) => {
  const { question } = turnsAbout('#W1');
  expect(observe(question, { name, argumentsJson: JSON.stringify(given) })).toBe(observation);
});
