/** Notes that people wrote about episodes; a report has none. */

import { createContext } from 'preact';

export interface Note {
  readonly labels: readonly string[];
  readonly text: string;
}

/** By `keyOf`. */
export type Notes = ReadonlyMap<string, Note>;

export const NO_NOTES: Notes = new Map();

export const NotesContext = createContext<Notes>(NO_NOTES);

/** `note: ambiguous task` */
export function describeNote({ labels }: Note): string {
  return labels.length === 0 ? 'has a note' : `note: ${labels.join(', ')}`;
}
