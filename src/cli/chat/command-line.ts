/** Command that opens a conversation. */

import type { RunRef } from '../../wire/index.ts';

/** @param episode `task-17.trial-0`; absent: the one that waits, or a list of those that do */
export function chatCommand({ runId }: Pick<RunRef, 'runId'>, episode?: string): string {
  return ['npx', 'tauflow', 'chat', runId, ...(episode === undefined ? [] : [episode])].join(' ');
}
