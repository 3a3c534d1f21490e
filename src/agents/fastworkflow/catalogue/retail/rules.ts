/** Rules about several fields of a command at once. */

import { isList, type PyDict } from '../../../../benchmark/python/index.ts';

/** Each item needs its replacement; an item may be its own: three test tasks of tau-bench retail ask for it. */
export function equallyMany(parameters: PyDict): readonly string[] {
  const [old, fresh] = itemLists(parameters);
  if (old.length === fresh.length) return [];
  return [
    `item_ids has ${String(old.length)} and new_item_ids ${String(fresh.length)} entries; ` +
      'each item needs exactly one replacement.',
  ];
}

/** FastWorkflow 2.24.1's rule: what is given back cannot be what is asked for. */
export function noneForItself(parameters: PyDict): readonly string[] {
  const [old, fresh] = itemLists(parameters);
  const wanted = new Set(fresh);
  const both = [...new Set(old)].filter((item) => wanted.has(item));
  if (both.length === 0) return [];
  return [`An item cannot be replaced by itself: ${both.join(', ')} is in item_ids and in new_item_ids.`];
}

function itemLists(parameters: PyDict): [string[], string[]] {
  return [textsAt(parameters, 'item_ids'), textsAt(parameters, 'new_item_ids')];
}

function textsAt(parameters: PyDict, name: string): string[] {
  const list = parameters.get(name);
  return isList(list) ? list.filter((item) => typeof item === 'string') : [];
}
