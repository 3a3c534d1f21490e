/**
 * tau-bench's few-shot agent: tool-calling with five solved conversations after the policy, drawn anew for each
 * episode.
 *
 * Many of the benchmark's displays concern users and orders of its test tasks, so a run can leave such displays out,
 * and its results state this.
 */

import type { AgentFile, StrategyOption, StrategyOptions } from './port.ts';
import { policyPrompt, toolCaller } from './tool-calling.ts';

/** Options of every strategy whose prompts refer to `few-shots`. */
export const FEW_SHOT_OPTIONS = [
  {
    key: 'fewShots.file',
    flag: 'few-shot-displays-path',
    help: "displays for the few-shot agent, as JSON lines, in place of the pack's",
    value: { kind: 'file' },
    variant: null,
    ignoredElsewhere: true,
  },
  {
    key: 'fewShots.leaveOut',
    flag: 'few-shot-leave-out',
    help: "show no displays of a task's own user, orders or reservations",
    value: { kind: 'boolean' },
    variant: 'own displays left out',
  },
] as const satisfies readonly StrategyOption[];

export interface FewShotOptions {
  /** A file of displays. @default the pack's own */
  readonly file?: AgentFile;
  /** True to leave out displays of the task's user, their orders and reservations. @default false */
  readonly leaveOut?: true;
}

/** @returns undefined for a strategy that shows no displays */
export function fewShotOptions({ fewShots }: StrategyOptions): FewShotOptions | undefined {
  return fewShots as FewShotOptions | undefined;
}

export const fewShot = toolCaller(
  {
    name: 'few-shot',
    label: 'FS',
    options: FEW_SHOT_OPTIONS,
    notes: (options) => [fewShotNote(fewShotOptions(options) ?? {})],
  },
  (options) => [...policyPrompt(options), '\n\n', { ref: 'few-shots' }],
);

function fewShotNote({ file, leaveOut }: FewShotOptions): string {
  const source = file === undefined ? "the pack's" : `those of ${file.path} (sha256 ${file.digest.slice(0, 12)})`;
  return leaveOut === true
    ? `The agent was shown displays, ${source}, without those of a task's own user (--few-shot-leave-out).`
    : `The agent was shown displays, ${source}; displays of a task's own user were not left out, so solutions may ` +
        'have been among them.';
}
