/**
 * Reads results files of tau-bench, its forks, other benchmarks, and this program. Their fields differ, so only used
 * fields are checked, and only the reward and the task's number are required.
 */

import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  JsonError,
  dumpJson,
  isDict,
  isList,
  parseJson,
  type PyDict,
  type PyValue,
} from '../../benchmarks/python/index.ts';
import type { EpisodeKey } from '../../evaluation/index.ts';
import { ResultsError, ResultsProblem, describeSystemError, type RecordedEntry } from '../../run-log/index.ts';
import { describeMismatch, fromFile } from '../../benchmarks/python/values.schema.ts';
import { resultsEntrySchema, type ResultsFileEntry } from '../../benchmarks/results.ts';
import { decodeResults } from './decode.ts';
import { readOtherEntries } from '../formats/index.ts';
import { listSimulations, simulationsFolder } from './place.ts';
import { resultsFormats } from '../../benchmarks/contents.ts';

/**
 * Reads the results in the file's order; numbers keep their spelling.
 * @param run place of the run, from 1, in a file of another tool with several runs. @default the only run
 * @throws ResultsError (`unreadable`, `malformed`)
 */
export async function readResultsFile(file: string, run?: number): Promise<ResultsFileEntry[]> {
  return (await readOtherEntries(file, run)) ?? readEntries(await readValue(file), file);
}

/** Reads the file's JSON, and adds the simulations of its folder. */
async function readValue(file: string): Promise<PyValue> {
  const value = parseText(await readText(file), file);
  if (!isDict(value)) return value;
  const files = await listSimulations(file);
  if (files === null) return value;
  requireListed(value, files, file);
  const simulations: PyValue[] = [];
  for (const each of files) simulations.push(parseText(await readText(each), each));
  return new Map([...value, ['simulations', simulations]]);
}

/**
 * Refuses a folder whose files differ from the list in `results.json`, because a missing file would change every
 * figure.
 */
function requireListed(value: PyDict, files: readonly string[], file: string): void {
  const index = value.get('simulation_index') ?? null;
  if (!isList(index)) return;
  const listed = new Set(index.map((entry) => (isDict(entry) ? entry.get('id') : undefined)));
  const present = new Set<PyValue | undefined>(files.map((each) => basename(each, '.json')));
  const missing = [...listed].filter((id) => !present.has(id)).length;
  const more = [...present].filter((id) => !listed.has(id)).length;
  if (missing + more === 0) return;
  throw new ResultsError(
    ResultsProblem.Malformed,
    `the folder ${simulationsFolder(file)} does not fit ${file}: ${String(missing)} of the simulations listed there are ` +
      `missing, and ${String(more)} are not listed; copy the folder of the run again.`,
  );
}

async function readText(file: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    throw new ResultsError(
      ResultsProblem.Unreadable,
      `the results file ${file} cannot be read: ${describeSystemError(error)}`,
      { cause: error },
    );
  }
  return decodeResults(bytes, file);
}

/** @param file name in error messages */
export function parseResults(text: string, file: string): ResultsFileEntry[] {
  return readEntries(parseText(text, file), file);
}

function throwMalformed(sentence: string, cause?: unknown): never {
  throw new ResultsError(ResultsProblem.Malformed, sentence, { cause });
}

function parseText(text: string, file: string): PyValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return throwMalformed(`the results file ${file} is cut short or is not JSON: ${error.message}`, error);
  }
}

function readEntries(value: PyValue, file: string): ResultsFileEntry[] {
  for (const { title, resultsIn, read } of resultsFormats) {
    if (resultsIn(value) === undefined) continue;
    const entries = read(value);
    if (typeof entries !== 'string') return [...entries];
    return throwMalformed(`${file} is not a results file of ${title}: ${entries}`);
  }
  if (!isList(value)) {
    return throwMalformed(`${file} is not a tau-bench results file: it has to be a JSON list of results`);
  }
  return value.map((item, position) => {
    const parsed = resultsEntrySchema.safeParse(fromFile(item, resultsEntrySchema));
    if (parsed.success) return parsed.data;
    return throwMalformed(
      `the results file ${file} has something else than a result at position ${String(position)}: ` +
        describeMismatch(parsed.error),
      parsed.error,
    );
  });
}

/** Reads an entry with all its fields as text; null if the file has no such episode. */
export async function readRawEntry(file: string, { taskId, trial }: EpisodeKey, run?: number): Promise<string | null> {
  const entries = await readResultsFile(file, run);
  const place = entries.findIndex((entry) => entry.task_id === taskId && (entry.trial ?? 0) === trial);
  const found: RecordedEntry | undefined = entries[place];
  if (found?.recorded !== undefined) return `${JSON.stringify(found, null, 2)}\n`;
  const value = await readValue(file);
  const list = resultsFormats.map(({ resultsIn }) => resultsIn(value)).find((found) => found !== undefined) ?? value;
  const raw = isList(list) ? list[place] : undefined;
  return raw === undefined ? null : `${dumpJson(raw, { indent: 2 })}\n`;
}

/** Most episodes that an error names, before the number of further ones. */
const MOST_NAMED = 10;

/**
 * Refuses results that have a trial of a task twice, because figures would count it as two trials.
 * @throws ResultsError (`malformed`)
 */
export function requireDistinctEpisodes(entries: readonly ResultsFileEntry[], file: string): void {
  const times = new Map<string, number>();
  for (const { task_id: taskId, trial } of entries) {
    const name = `task ${String(taskId)} trial ${String(trial ?? 0)}`;
    times.set(name, (times.get(name) ?? 0) + 1);
  }
  const repeated = Array.from(times).filter(([, count]) => count > 1);
  if (repeated.length === 0) return;
  const named = repeated.slice(0, MOST_NAMED).map(([name, count]) => `${name} (${String(count)} times)`);
  const more = repeated.length - named.length;
  throw new ResultsError(
    ResultsProblem.Malformed,
    `${file} has more than one result of ${named.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}; remove the ` +
      'copies or, where they are trials of one run, give each trial a file and run `npx tauflow report A B --as-trials`.',
  );
}

/** Numbers the trials of several files consecutively: two files with a trial 0 give trials 0 and 1. */
export function asTrialsOfOneRun(files: readonly (readonly ResultsFileEntry[])[]): ResultsFileEntry[] {
  let first = 0;
  return files.flatMap((entries) => {
    const numbers = [...new Set(entries.map(({ trial }) => trial ?? 0))].sort((a, b) => a - b);
    const renumbered = entries.map((entry) => ({ ...entry, trial: first + numbers.indexOf(entry.trial ?? 0) }));
    first += numbers.length;
    return renumbered;
  });
}
