/** `tasks.json`, apart from what makes it: to read a run log should not take an audit's code. */

import { readDocument, writeDocument } from './document.ts';
import { taskNotesSchema, type TaskNotes } from './task-notes.schema.ts';

export function writeTaskNotes(notes: TaskNotes): string {
  return writeDocument(notes);
}

/** @throws ResultsError (`malformed`) when the text is cut short or of another shape */
export function readTaskNotes(text: string): TaskNotes {
  return readDocument(text, taskNotesSchema);
}
