/** Notes on a run's episodes, and episodes in progress; a report has neither. */

import { createContext } from 'preact';
import type { PayloadEpisode } from '../data/payload.ts';
import { tally } from './words.ts';

export interface Note {
  readonly labels: readonly string[];
  readonly text: string;
}

export type Notes = ReadonlyMap<string, Note>;

export const NO_NOTES: Notes = new Map();

export const NotesContext = createContext<Notes>(NO_NOTES);

/** Describes a note: `note: ambiguous task`. */
export function describeNote({ labels }: Note): string {
  return labels.length === 0 ? 'has a note' : `note: ${labels.join(', ')}`;
}

/** Adds a label unless it is empty or already there. */
export function addLabel(labels: readonly string[], typed: string): readonly string[] {
  const label = typed.trim().replace(/\s+/g, ' ');
  return label === '' || labels.includes(label) ? labels : [...labels, label];
}

export function isSameNote(one: Note, other: Note): boolean {
  return one.text.trim() === other.text.trim() && one.labels.join('\n') === other.labels.join('\n');
}

/** Returns the labels of the notes, the most frequent first. */
export function usedLabels(notes: Notes): string[] {
  return tally([...notes.values()].flatMap(({ labels }) => labels)).map(([label]) => label);
}

export type OpenRow = Pick<PayloadEpisode, 'taskId' | 'taskName' | 'trial' | 'condition'>;

export const OpenContext = createContext<readonly OpenRow[]>([]);
