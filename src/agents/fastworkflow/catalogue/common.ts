/** What domains have in common, as they do some of their tools. */

import type { CommandDefinition, OutputDefinition } from './types.ts';

/** What every change answers. */
export const STATUS: readonly OutputDefinition[] = [
  { name: 'status', description: 'the changed record, or why nothing was changed', type: 'text' },
];

export const CALCULATE: CommandDefinition = {
  name: 'calculate',
  description: 'Calculate the value of an arithmetic expression.',
  utterances: [
    'work out 12.5 * 3',
    'compute the sum of the prices',
    'how much is 100 - 36.4',
    'add up the amounts for the total',
    'evaluate an arithmetic expression',
  ],
  context: '*',
  isRead: true,
  label: 'Result: ',
  fields: [
    {
      name: 'expression',
      description: 'digits, + - * / ( ) . and spaces',
      type: 'text',
      required: true,
      pattern: '[0-9+\\-*/().\\s]+',
      form: 'digits, + - * / ( ) . and spaces',
      examples: ['(1 + 2) * 0.5'],
    },
  ],
  outputs: [{ name: 'result', description: 'the value, or what is wrong with the expression', type: 'text' }],
};

export const TRANSFER_TO_HUMAN_AGENTS: CommandDefinition = {
  name: 'transfer_to_human_agents',
  description: 'Hand the customer over to a human and end the conversation. For what no other command can do.',
  utterances: [
    'transfer the customer to a human agent',
    'the user wants to speak to a real person',
    'hand the conversation over to human support',
    'escalate what cannot be handled here',
    'connect them with a representative',
  ],
  context: '*',
  label: 'Response: transfer status: ',
  fields: [
    {
      name: 'summary',
      description: "the customer's issue in short",
      type: 'text',
      required: true,
      examples: ['Customer asks for something that no command offers.'],
    },
  ],
  outputs: STATUS,
};

export function asRead(command: CommandDefinition): CommandDefinition {
  return { ...command, isRead: true };
}
