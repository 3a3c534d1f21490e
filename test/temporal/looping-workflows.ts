/** Workflows of sdk-internals.server.test.ts, in a bundle of their own. */

import { CancellationScope, sleep } from '@temporalio/workflow';

/** Loops in a promise's continuation with async hooks on, which is what Node aborts upon. */
export async function loops(): Promise<void> {
  await CancellationScope.cancellable(async () => {
    await sleep(1);
    for (;;);
  });
}

export async function ends(): Promise<string> {
  await sleep(1);
  return 'done';
}
