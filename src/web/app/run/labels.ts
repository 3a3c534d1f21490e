/** Labels of notes. Pure. */

import type { Note, Notes } from '../notes.ts';

/** The labels with another one; the same and an empty one change nothing. */
export function addLabel(labels: readonly string[], typed: string): readonly string[] {
  const label = typed.trim().replace(/\s+/g, ' ');
  return label === '' || labels.includes(label) ? labels : [...labels, label];
}

export function isSameNote(one: Note, other: Note): boolean {
  return one.text.trim() === other.text.trim() && one.labels.join('\n') === other.labels.join('\n');
}

/** Labels of the notes, the most frequent first. */
export function usedLabels(notes: Notes): string[] {
  const counts = new Map<string, number>();
  for (const { labels } of notes.values()) {
    for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([label]) => label);
}
