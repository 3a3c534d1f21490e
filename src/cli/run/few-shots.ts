/** Which displays the few-shot agent is shown: a file's, or the pack's, with or without those of a task's own customer. */

import { resolve } from 'node:path';
import type { FewShotOptions, StrategyDefinition, StrategyOptions } from '../../agents/index.ts';
import { DISPLAYS_PER_PROMPT, displaysFor } from '../../prompts/index.ts';
import { nameFewShotFile, type Pack } from '../../packs/index.ts';
import type { RunOptions } from './options.schema.ts';
import { UsageError } from '../../errors/index.ts';

export interface FewShotPlace {
  readonly pack: Pack;
  readonly taskIds: readonly number[];
  readonly cwd: string;
}

/**
 * @returns the part of the strategy's options; empty for a strategy that shows none, where a path is passed over as
 *   tau-bench's `run.py` does
 * @throws UsageError when a task would have too few displays, or another strategy is to leave some out; PackError
 */
export function chooseFewShots(
  { fewShotDisplaysPath, fewShotLeaveOut, taskSplit }: RunOptions,
  { name, settings = [] }: StrategyDefinition,
  { pack, taskIds, cwd }: FewShotPlace,
): Pick<StrategyOptions, 'fewShots'> {
  if (!settings.includes('fewShots')) {
    if (!fewShotLeaveOut) return {};
    throw new UsageError(`--few-shot-leave-out is for few-shot; the agent strategy ${name} shows no displays.`);
  }
  const fewShots: FewShotOptions = {
    ...(fewShotDisplaysPath === undefined ? {} : { file: nameFewShotFile(resolve(cwd, fewShotDisplaysPath)) }),
    ...(fewShotLeaveOut ? { leaveOut: true } : {}),
  };
  for (const taskId of taskIds) {
    const task = pack.splits[taskSplit]?.[taskId];
    const left = task === undefined ? 0 : displaysFor(pack, task, fewShots).length;
    if (left < DISPLAYS_PER_PROMPT) throw tooFew(pack, taskId, left);
  }
  return { fewShots };
}

function tooFew(pack: Pack, taskId: number, left: number): UsageError {
  return new UsageError(
    `the few-shot agent shows ${DISPLAYS_PER_PROMPT} displays, and there are ${left} for task ${taskId} with the pack ` +
      `${pack.ref.name}; name a file of more with --few-shot-displays-path, or a pack that has them.`,
  );
}
