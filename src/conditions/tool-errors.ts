import type { Condition } from './port.ts';

/** Makes tool calls fail. A failed call is executed when it is repeated. */
export const toolErrors: Condition = {
  name: 'tool-errors',
  summary: 'tool calls fail before they take effect; the same call later works',
  rate: 0.2,
  call: ({ name, argumentsJson }, { rate, draw, earlier }) => {
    const hasFailed = earlier.some(
      (call) => !call.isExecuted && call.name === name && call.argumentsJson === argumentsJson,
    );
    if (hasFailed || draw('fails') >= rate) return undefined;
    return { instead: `Error: ${name} is temporarily unavailable. The call was not carried out. Please try again.` };
  },
};
