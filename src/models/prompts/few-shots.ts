/**
 * The examples in the few-shot agent's prompt: displays of solved conversations, drawn anew for every episode.
 *
 * The reference draws from a generator that all threads share, so its runs show different displays. Here the draw
 * depends only on the episode's seed.
 */

import { isDict } from '../../benchmarks/python/index.ts';
import { shuffleBySeed, type Task } from '../../benchmarks/index.ts';
import { PackError, fewShotFile, type Pack } from '../../benchmarks/packs/index.ts';
import type { FewShotOptions } from '../../agents/index.ts';

/** Number of displays per prompt, as in the reference. */
export const DISPLAYS_PER_PROMPT = 5;

/** `Example 1:`, a display, and so on, with empty lines between. @throws PackError when there are too few displays */
export function fewShotsText(pack: Pack, task: Task, options: FewShotOptions, seed: number): string {
  const displays = displaysFor(pack, task, options);
  if (displays.length < DISPLAYS_PER_PROMPT) throw tooFew(pack, task, displays.length);
  return shuffleBySeed(displays, seed)
    .slice(0, DISPLAYS_PER_PROMPT)
    .map((display, index) => `Example ${index + 1}:\n${display}`)
    .join('\n\n');
}

/** Returns the displays that may be shown for a task. @throws PackError for a missing or changed file */
export function displaysFor(pack: Pack, task: Task, options: FewShotOptions): readonly string[] {
  const displays = options.file === undefined ? (pack.fewShotDisplays ?? []) : fewShotFile(options.file);
  if (options.leaveOut !== true) return displays;
  const ids = listUserIds(pack, task);
  return displays.filter((display) => !ids.some((id) => display.includes(id)));
}

/**
 * Returns texts that identify a display about the task's user: the user's id, and the ids of their records (orders,
 * reservations) in the ground truth's actions.
 */
function listUserIds(pack: Pack, { userId, actions }: Task): string[] {
  const owned = [...pack.tables.values()].filter(isDict);
  const named = actions.flatMap(({ kwargs }) => [...kwargs.values()].filter((value) => typeof value === 'string'));
  const isOwned = (id: string) =>
    owned.some((table) => {
      const record = table.get(id);
      return isDict(record) && record.has('user_id');
    });
  return [...new Set([userId, ...named.filter(isOwned)])];
}

function tooFew(pack: Pack, { userId }: Task, left: number): PackError {
  return new PackError(
    `the few-shot agent shows ${DISPLAYS_PER_PROMPT} displays, but ${left} are left for the task of ${userId} with the ` +
      `pack ${pack.ref.name}; give more with --few-shot-displays-path, or a pack that has them.`,
  );
}
