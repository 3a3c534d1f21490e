/** Rules about the parameters of a command that patterns cannot tell. The policy's rules are the agent's concern. */

import type { PyDict } from '../../../../benchmark/python/index.ts';
import { FLIGHT, PASSENGER, PAYMENT } from './fields.ts';
import { objectListProblems } from './objects.ts';

/** Every list of objects has the objects that its tool takes. */
export function wellFormedLists(parameters: PyDict): readonly string[] {
  return [
    ...objectListProblems(parameters, 'flights', FLIGHT),
    ...objectListProblems(parameters, 'passengers', PASSENGER),
    ...objectListProblems(parameters, 'payment_methods', PAYMENT),
  ];
}

/** The bags that cost something are among all bags. */
export function nonfreeAmongAll(parameters: PyDict): readonly string[] {
  const total = parameters.get('total_baggages');
  const nonfree = parameters.get('nonfree_baggages');
  if (typeof total !== 'bigint' || typeof nonfree !== 'bigint' || nonfree <= total) return [];
  return [`nonfree_baggages is ${String(nonfree)}, but total_baggages only ${String(total)}.`];
}

export function bookingRules(parameters: PyDict): readonly string[] {
  return [...wellFormedLists(parameters), ...nonfreeAmongAll(parameters)];
}
