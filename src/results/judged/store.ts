/** Reads and writes verdicts, one file each, so that a judge that was stopped goes on where it was. */

import path from 'node:path';

import { LogFiles, orTell, readDocument, unlessDamaged, writeDocument, type RunLog } from '../log/index.ts';
import { verdictFile, verdictPlace, type VerdictPlace } from './place.ts';
import { verdictSchema, type Verdict } from './verdict.schema.ts';

type Named = Pick<Verdict, 'taskId' | 'trial' | 'index'>;

/** Replaces the document of all verdicts. */
export async function writeErrors(place: VerdictPlace, document: object): Promise<void> {
  await filesOf(place).write(place.document, `${JSON.stringify(document, null, 4)}\n`);
}

export async function writeVerdict(place: VerdictPlace, verdict: Verdict): Promise<void> {
  await filesOf(place).write(verdictFile(place, verdict), writeDocument(verdict));
}

/** Null where there is none, and where it is damaged: it is given again. */
export async function readVerdict(place: VerdictPlace, named: Named): Promise<Verdict | null> {
  return unlessDamaged(() => read(place, verdictFile(place, named)));
}

/**
 * What a judge has said of a run's failed episodes; empty where none was asked. A verdict stays when its episode runs
 * again: see `Verdict.episodeDigest`.
 * @param onProblem told in a sentence of each that is damaged
 */
export async function readVerdicts(
  log: Pick<RunLog, 'runId' | 'logDir'>,
  onProblem: (sentence: string) => void,
): Promise<Verdict[]> {
  const { runId, logDir } = log;
  const place = verdictPlace({ kind: 'run', run: { runId, logDir }, pack: null });
  const verdicts: Verdict[] = [];
  for (const name of (await filesOf(place).names(place.folder)).sort()) {
    if (!/^task-\d.*\.json$/.test(name)) continue;
    const verdict = await orTell(() => read(place, path.join(place.folder, name)), onProblem);
    if (verdict !== null) verdicts.push(verdict);
  }
  return verdicts.sort((a, b) => a.trial - b.trial || a.taskId - b.taskId);
}

function read(place: VerdictPlace, file: string): Promise<Verdict | null> {
  return filesOf(place).read(file, (text) => readDocument(text, verdictSchema));
}

function filesOf({ document }: VerdictPlace): LogFiles {
  return new LogFiles(path.dirname(document));
}
