/**
 * How an agent's messages say what it does: `tools` by a provider's tool calls (tool-calling, few-shot, and our
 * fastworkflow), `text` by JSON after `Action:` (act, react).
 */
export type TrajectoryForm = 'tools' | 'text';

export const FORM_OF_STRATEGY: ReadonlyMap<string, TrajectoryForm> = new Map([
  ['tool-calling', 'tools'],
  ['few-shot', 'tools'],
  ['fastworkflow', 'tools'],
  ['act', 'text'],
  ['react', 'text'],
]);
