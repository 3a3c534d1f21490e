import type { Condition } from './port.ts';

const LEAST_MS = 1_000;
const MOST_MS = 20_000;

export const slowTools: Condition = {
  name: 'slow-tools',
  summary: 'tool calls take 1 to 20 seconds longer',
  rate: 0.3,
  call: (_, { rate, draw }) =>
    draw('is slow') < rate ? { waitMs: Math.round(LEAST_MS + draw('time') * (MOST_MS - LEAST_MS)) } : undefined,
};
