/** Tools and errors that the domains share. */

import { calculation } from '../calculate/calculation.ts';
import { PyError, isDict, iterate, noAttribute, type PyValue } from '../python/index.ts';
import { genericTool } from './tool.ts';

/** Creates the exception that a tool raises on purpose. */
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
 * Creates models from the items if all are dicts; otherwise returns the value unchanged, as the reference does.
 * @param create returns a model's dump; throws a PyError for an invalid item
 */
export function createModels(value: PyValue, create: (item: ReadonlyMap<string, PyValue>) => PyValue): PyValue {
  const items = iterate(value);
  return items.every((item) => isDict(item)) ? items.map((item) => create(item)) : value;
}

/**
 * Yields the models of {@link createModels}; for items that are not dicts it raises the error of the first attribute.
 */
export function modelsIn(value: PyValue, attribute: string): readonly ReadonlyMap<string, PyValue>[] {
  return iterate(value).map((item) => {
    if (isDict(item)) return item;
    throw noAttribute(item, attribute);
  });
}
