/** A domain of one note, to test what τ³-bench's domains have in common. */

import type { Store } from '../../../src/benchmarks/index.ts';
import { PyError, equals, type PyDict, type PyValue } from '../../../src/benchmarks/python/index.ts';
import { readTool, toolMap, writeTool, type Tau3Domain } from '../../../src/benchmarks/tau3/testing.ts';
import { dict } from '../helpers.ts';

const named = (store: Store, { text }: { readonly text: PyValue }) => {
  store.put('notes', 'n', new Map([['text', text]]));
  if (text === 'refused') throw new PyError('ValueError', 'refused');
  return 'written';
};
const write = writeTool('write', ['text'], named);
const readOnly = readTool('peek', ['text'], named);

/** A note that the agent writes. `peek` writes as well, to show that a grade does not carry it out. */
export const notes: Tau3Domain = {
  name: 'tau3-notes',
  files: [],
  assistant: {
    toolkit: 'Notes',
    tools: toolMap([write, readOnly]),
    database: [{ table: 'notes', form: 'map' }],
  },
  functions: {
    assistant: new Map<string, (store: Store, args: PyDict) => PyValue>([
      ['is_written', (store, args) => equals(store.get('notes', 'n').get('text') ?? null, args.get('text') ?? null)],
      ['breaks', () => 'no bool'],
    ]),
    user: new Map(),
  },
  load: (files) => new Map(Object.entries(files)),
};
export const notesData = { tables: dict('{"notes": {"n": {"text": null}}}') };
