/** Tools and errors that the domains share. */

import { calculation } from '../calculate/calculation.ts';
import { PyError, isDict, iterate, noAttribute, type PyValue } from '../python/index.ts';
import { genericTool } from './tool.ts';

/** An exception that a tool raises on purpose. */
export function valueError(message: string): PyError {
  return new PyError('ValueError', message);
}

export const calculate = genericTool('calculate', ['expression'], (_store, { expression }) => {
  const result = calculation(expression);
  if (result === undefined) throw valueError('Invalid characters in expression');
  return result;
});

export const transferToHumanAgents = genericTool('transfer_to_human_agents', ['summary'], () => 'Transfer successful');

/**
 * The items made to models, if all of them are dicts; else the value as it is, which the reference then uses.
 * @param create makes a model's dump; it throws a PyError for one that is refused
 */
export function modelsOf(value: PyValue, create: (item: ReadonlyMap<string, PyValue>) => PyValue): PyValue {
  const items = iterate(value);
  return items.every((item) => isDict(item)) ? items.map((item) => create(item)) : value;
}

/** The models of {@link modelsOf} one by one; of other items the first attribute that is asked for is missing. */
export function modelsIn(value: PyValue, attribute: string): readonly ReadonlyMap<string, PyValue>[] {
  return iterate(value).map((item) => {
    if (isDict(item)) return item;
    throw noAttribute(item, attribute);
  });
}
