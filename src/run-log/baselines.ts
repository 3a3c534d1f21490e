/** Names of runs in a log folder for comparisons: `baselines.json`. */

import path from 'node:path';
import * as z from 'zod';
import { jsonCodec } from './codec.ts';
import { LogFiles, ResultsError, ResultsProblem } from './files.ts';

/** Baselines by name: a run's id, or the path of a results file within the log folder. */
export type Baselines = Readonly<Record<string, string>>;

const codec = jsonCodec(z.record(z.string(), z.string()));

/** Matches valid names. They appear in commands and comments, so they have only letters, digits and `._-`. */
const NAME = /^[\w.-]{1,100}$/;

/** File beside the runs' folders. */
export const BASELINES_FILE = 'baselines.json';

function fileIn(logDir: string): string {
  return path.join(logDir, BASELINES_FILE);
}

/** @returns an empty list if none is set. @throws ResultsError for an unreadable file */
export async function readBaselines(logDir: string): Promise<Baselines> {
  return (await new LogFiles(logDir).read(fileIn(logDir), codec.read)) ?? {};
}

/** @param subject null to remove the name @throws ResultsError for an invalid name or an unwritable folder */
export async function setBaseline(logDir: string, name: string, subject: string | null): Promise<void> {
  if (!NAME.test(name)) {
    throw new ResultsError(
      ResultsProblem.InvalidRunId,
      `${JSON.stringify(name)} cannot name a baseline: use letters, digits, dots, dashes and underscores.`,
    );
  }
  const others = Object.entries(await readBaselines(logDir)).filter(([known]) => known !== name);
  const next = Object.fromEntries([...others, ...(subject === null ? [] : [[name, subject] as const])]);
  await new LogFiles(logDir).write(fileIn(logDir), codec.write(next));
}
