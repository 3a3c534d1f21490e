/** The flag `--max-llm-calls-per-second`. */

import { PROVIDERS } from '../models/providers.ts';
import type { RateLimits } from '../temporal/client/index.ts';
import { UsageError } from '../errors/index.ts';

/** The value that removes a limit. */
const NONE = 'none';

/**
 * `openai=5`, `openai=none`
 * @throws UsageError
 */
export function parseRateLimits(items: readonly string[]): RateLimits {
  const known = PROVIDERS.map(({ name }) => name);
  return Object.fromEntries(
    items.map((item) => {
      const [provider = '', rate = ''] = item.split('=');
      const limit = rate === NONE ? null : Number(rate);
      if (!known.includes(provider) || (limit !== null && !(limit > 0 && Number.isFinite(limit)))) {
        throw new UsageError(
          `--max-llm-calls-per-second takes pairs such as openai=5, or openai=${NONE}, not "${item}"; ` +
            `providers are: ${known.join(', ')}.`,
        );
      }
      return [provider, limit];
    }),
  );
}
