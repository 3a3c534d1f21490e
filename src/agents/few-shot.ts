/**
 * tau-bench's few-shot agent: tool-calling with five solved conversations after the policy, drawn for each episode where
 * the call is made.
 *
 * Many of the benchmark's displays are about the very customers and orders of its test tasks, so a run can leave those
 * out, and says whether it did.
 */

import { policyPrompt, toolCaller } from './tool-calling.ts';

export const fewShot = toolCaller({ name: 'few-shot', label: 'FS', settings: ['fewShots'] }, (options) => [
  ...policyPrompt(options),
  '\n\n',
  { ref: 'few-shots' },
]);
