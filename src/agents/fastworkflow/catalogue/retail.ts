/** tau-bench retail: rules of its commands that JSON cannot express. */

import { isList, type PyDict } from '../../../benchmarks/python/index.ts';
import type { DomainRules } from './read.ts';

export const RETAIL: DomainRules = {
  normalise: { order_id: (value) => (value.startsWith('#') ? value : `#${value}`) },
  validate: { modify_pending_order_items: equallyMany, exchange_delivered_order_items: equallyMany },
};

/**
 * Checks that each item has a replacement. It may be the item itself: three test tasks of tau-bench retail require
 * that.
 */
function equallyMany(parameters: PyDict): readonly string[] {
  const [old, fresh] = [countItems(parameters, 'item_ids'), countItems(parameters, 'new_item_ids')];
  if (old === fresh) return [];
  return [
    `item_ids has ${String(old)} and new_item_ids ${String(fresh)} entries; each item needs exactly one replacement.`,
  ];
}

function countItems(parameters: PyDict, name: string): number {
  const list = parameters.get(name);
  return isList(list) ? list.length : 0;
}
