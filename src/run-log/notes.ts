/**
 * Users' notes and labels on episodes: one file per episode, in a folder beside the records. A note belongs to the
 * episode, so it stays if the episode is rerun or graded again.
 */

import { rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { EpisodeKey } from '../evaluation/index.ts';
import { formatVersion, jsonCodec } from './codec.ts';
import { describeMismatch } from '../benchmarks/python/values.schema.ts';
import { LogFiles, ResultsError, ResultsProblem, orReport } from './files.ts';
import { byTrialThenTask, episodeFileName, parseEpisodeFileName, type RunPaths } from './paths.ts';

const MOST_LABELS = 20;
const MOST_LABEL_CHARS = 60;
const MOST_TEXT_CHARS = 20_000;

/** Schema of a label: a short text on one line, because tables show it. */
const label = z
  .string()
  .trim()
  .min(1)
  .max(MOST_LABEL_CHARS)
  .regex(/^\P{Cc}*$/u, 'must be of one line');

const fields = {
  /** Short labels such as `ambiguous task`. */
  labels: z.array(label).max(MOST_LABELS).readonly(),
  text: z.string().max(MOST_TEXT_CHARS),
};

const noteSchema = z
  .object({
    formatVersion: formatVersion(1),
    taskId: z.number().int().nonnegative(),
    trial: z.number().int().nonnegative(),
    /** Condition of the episode. @default `base` */
    condition: z.string().optional(),
    ...fields,
    /** Time of writing, ISO 8601, UTC. */
    writtenAt: z.string(),
  })
  .readonly();

const noteCodec = jsonCodec(noteSchema);

export type EpisodeNote = Omit<z.infer<typeof noteSchema>, 'formatVersion'>;

const writtenSchema = z.object(fields);

/** Checks a user's note; a repeated label is dropped. @throws ResultsError (`malformed`) */
export function checkNote(value: unknown): Pick<EpisodeNote, 'labels' | 'text'> {
  const parsed = writtenSchema.safeParse(value);
  if (!parsed.success) {
    throw new ResultsError(ResultsProblem.Malformed, `this is not a note: ${describeMismatch(parsed.error)}`);
  }
  return { labels: [...new Set(parsed.data.labels)], text: parsed.data.text.trim() };
}

export interface NotesPlace {
  readonly folder: string;
  readonly logDir: string;
}

export function notesOfRun({ paths, logDir }: { readonly paths: RunPaths; readonly logDir: string }): NotesPlace {
  return { folder: paths.notes, logDir };
}

/** @param file a results file; the notes on `gpt-4o.json` are in `gpt-4o.notes` */
export function notesOfFile(file: string): NotesPlace {
  return { folder: `${file.replace(/\.json$/, '')}.notes`, logDir: path.dirname(file) };
}

/** @returns null if there is no note. @throws ResultsError for an unreadable one */
export async function readNote({ folder, logDir }: NotesPlace, key: EpisodeKey): Promise<EpisodeNote | null> {
  const note = await new LogFiles(logDir).read(path.join(folder, episodeFileName(key)), noteCodec.read);
  if (note === null) return null;
  // The file's name decides to which episode the note belongs, because a file may have been copied.
  const { formatVersion: _, ...rest } = note;
  return { ...rest, taskId: key.taskId, trial: key.trial, condition: key.condition };
}

/** Yields notes by trial, and by task within it. @param onProblem called with a sentence for each unreadable note */
export async function readNotes(place: NotesPlace, onProblem: (sentence: string) => void): Promise<EpisodeNote[]> {
  const names = await new LogFiles(place.logDir).names(place.folder);
  const keys = names.flatMap((name) => parseEpisodeFileName(name) ?? []).sort(byTrialThenTask);
  const notes: EpisodeNote[] = [];
  for (const key of keys) {
    const note = await orReport(() => readNote(place, key), onProblem);
    if (note !== null) notes.push(note);
  }
  return notes;
}

/**
 * Replaces an episode's note; an empty note is removed.
 * @throws ResultsError for a folder that cannot be written
 */
export async function writeNote({ folder, logDir }: NotesPlace, note: EpisodeNote): Promise<void> {
  const files = new LogFiles(logDir);
  const file = path.join(folder, episodeFileName(note));
  if (note.text === '' && note.labels.length === 0) await files.writing(() => rm(file, { force: true }));
  else await files.write(file, noteCodec.write({ formatVersion: 1, ...note }));
}
