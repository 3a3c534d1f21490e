import type { Condition } from './port.ts';

export const lostAnswers: Condition = {
  name: 'lost-answers',
  summary: 'calls that change data take effect, but their answer is an error',
  rate: 0.5,
  call: ({ name }, { rate, draw }) =>
    draw('is lost') < rate
      ? {
          lost: `Error: the connection was lost before ${name} answered. The call may or may not have been carried out.`,
        }
      : undefined,
};
