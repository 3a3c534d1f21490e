/** Changes of a condition for a strategy that has its own names of the tools. */

import type { PyDict } from '../benchmarks/python/index.ts';
import { restoreCall, runPlace } from './episode.ts';
import { rename, renameInText } from './names.ts';
import type { RunCondition } from './port.ts';
import { requireCondition } from './registry.ts';

/** @returns undefined if the condition changes neither names nor number of the tools */
export function toolChanges(ref: RunCondition | undefined) {
  if (ref === undefined) return undefined;
  const { names = {} } = ref;
  const added = requireCondition(ref).texts?.({ policy: '', tools: [] }, runPlace(ref)).tools ?? [];
  if (ref.names === undefined && added.length === 0) return undefined;
  const addedToolsJson = JSON.stringify(added);
  return {
    key: JSON.stringify([names, addedToolsJson]),
    name: (name: string) => rename(name, names),
    text: (text: string) => renameInText(text, names),
    restore: (parameters: PyDict) => restoreCall({ name: '', kwargs: parameters }, names).kwargs,
    addedToolsJson,
  };
}
