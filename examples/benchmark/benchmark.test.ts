/** Run it with `npx vitest run`. */

import { openBenchmark } from 'tauflow/benchmark/testing';
import { expect, it } from 'vitest';

const shop = await openBenchmark(import.meta.dirname);

it.each(shop.taskIds)('%s is solved by its ground truth, and not by doing nothing', async (id) => {
  expect(await shop.playTruth(id)).toMatchObject({ reward: 1 });
  expect(await shop.play(id, [])).toMatchObject({ reward: 0 });
});

it('refuses to refund what was not delivered', async () => {
  const { observations } = await shop.play('cancel-pending', [{ refund_order: { order_id: 'O2', reason: 'damaged' } }]);
  expect(observations).toEqual(['Error: the order is pending']);
});
