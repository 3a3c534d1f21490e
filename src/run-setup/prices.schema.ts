/** Schema of a run's prices: USD per million tokens, by `provider/model`. */

import * as z from 'zod';

const usd = z.number().min(0);

export const pricesSchema = z.record(
  z.string(),
  z.strictObject({ input: usd, cached_input: usd.optional(), cache_write: usd.optional(), output: usd }),
);
