/** Reads results files of tau-bench, of its forks, and our own. */

import { readFile } from 'node:fs/promises';

import { JsonError, isList, parseJson, type PyValue } from '../../benchmark/python/index.ts';
import { ResultsError, ResultsProblem, describeMismatch, describeSystemError, toPlain } from '../log/index.ts';
import { resultsEntrySchema, type ResultsFileEntry, type ResultsFileMessage } from './results-file.schema.ts';

export type { ResultsFileEntry, ResultsFileMessage };

/**
 * The results in the file's order. Arguments of actions keep the spelling of their numbers.
 * @throws ResultsError (`unreadable`, `malformed`) with a sentence that names the file, and the place in it
 */
export async function readResultsFile(file: string): Promise<ResultsFileEntry[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new ResultsError(
      ResultsProblem.Unreadable,
      `the results file ${file} cannot be read: ${describeSystemError(error)}`,
      { cause: error },
    );
  }
  return parseResults(text, file);
}

/** @param file names the text in error messages */
export function parseResults(text: string, file: string): ResultsFileEntry[] {
  const malformed = (sentence: string, cause?: unknown): never => {
    throw new ResultsError(ResultsProblem.Malformed, sentence, { cause });
  };
  let value: PyValue;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return malformed(`the results file ${file} is cut short or is not JSON: ${error.message}`, error);
  }
  if (!isList(value)) {
    return malformed(`${file} is not a tau-bench results file: it has to be a JSON list of results`);
  }
  return value.map((item, position) => {
    const parsed = resultsEntrySchema.safeParse(toPlain(item));
    if (parsed.success) return parsed.data;
    return malformed(
      `the results file ${file} has something else than a result at position ${String(position)}: ` +
        describeMismatch(parsed.error),
      parsed.error,
    );
  });
}
