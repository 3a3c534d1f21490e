/** The address that two tools store; whatever the agent gives is taken as it is. */

import type { PyDict, PyValue } from '../python/index.ts';

export const ADDRESS_FIELDS = ['address1', 'address2', 'city', 'state', 'country', 'zip'] as const;

export function addressOf(args: Readonly<Record<(typeof ADDRESS_FIELDS)[number], PyValue>>): PyDict {
  return new Map(ADDRESS_FIELDS.map((field) => [field, args[field]]));
}
