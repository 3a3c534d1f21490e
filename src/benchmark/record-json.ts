/** Records as agents read them. Stored records never change, so each is written once as long as it is in memory. */

import { dumpJson, type PyDict } from './python/index.ts';

const written = new WeakMap<PyDict, string>();

/** `json.dumps(record)` of a record that is, or was, in a store. */
export function recordJson(record: PyDict): string {
  let text = written.get(record);
  if (text === undefined) written.set(record, (text = dumpJson(record)));
  return text;
}
