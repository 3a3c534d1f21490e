/** A judge's verdict on one failed episode: its shape, its file, and how it is read and written. */

import path from 'node:path';
import * as z from 'zod';
import { modelSettingsSchema } from '../../evaluation/model-settings.schema.ts';
import { FAULT_KINDS, FAULT_TYPES, type FaultKind } from '../../analysis/index.ts';
import type { EpisodeKey, JudgedSource } from '../../evaluation/index.ts';
import {
  LogFiles,
  episodeFileName,
  formatVersion,
  orReport,
  jsonCodec,
  unlessDamaged,
  type RunLog,
  type RunPaths,
} from '../../run-log/index.ts';

/**
 * Author of the fault: `infrastructure` where no model was asked, because the episode ended in an error; `unjudged` where the
 * judge gave no answer that can be read.
 */
export const AUTHORS = ['user', 'agent', 'environment', 'infrastructure', 'unjudged'] as const;

const count = z.number().int().nonnegative();

const verdictSchema = z.object({
  formatVersion: formatVersion(1),
  runId: z.string(),
  taskId: count,
  trial: count,
  /** Position in the results file, where it was read from one. */
  index: count.nullable(),
  author: z.enum(AUTHORS),
  /** The reason, in the judge's words. */
  description: z.string(),
  /** Words of the conversation that the verdict rests on, each found in it to the letter. */
  quotes: z.array(z.string()),
  /** null unless the agent is the author, and where the judge's second answer cannot be read. */
  faultType: z.enum(FAULT_TYPES).nullable(),
  faultDescription: z.string().nullable(),
  faultQuotes: z.array(z.string()),
  /** Quotes of the judge that nobody has said: left out. */
  unfoundQuotes: count,
  /** Reason why something of the verdict is missing; null where nothing is. */
  problem: z.string().nullable().default(null),
  /** Result of the analysis without a model; null if there is none. */
  deterministic: z
    .object({
      kind: z.enum(Object.keys(FAULT_KINDS) as [FaultKind]),
      faultType: z.enum(FAULT_TYPES).nullable(),
      step: count.nullable(),
    })
    .nullable(),
  /** The judge's model; null if no model was asked. */
  model: modelSettingsSchema.nullable(),
  /** Digest of what the judge was shown: an episode that has run again is another one. */
  episodeDigest: z.string().default(''),
  /** Version of the judge's prompts: verdicts of another wording are given anew. */
  promptVersion: count,
  calls: count,
  promptTokens: count,
  completionTokens: count,
  /** USD; null when the price is unknown. */
  costUsd: z.number().nullable(),
  /** USD of the calls of known price; absent where every price is known. */
  knownCostUsd: z.number().optional(),
});

const verdictCodec = jsonCodec(verdictSchema);

export type Verdict = z.infer<typeof verdictSchema>;
export type Author = Verdict['author'];

export interface VerdictPlace {
  /** One file a verdict. */
  readonly folder: string;
  /** All of them, in tau-bench's shape. */
  readonly document: string;
}

/** A judged source where it can be read. */
export type Judged = { readonly kind: 'run'; readonly log: RunLog } | Extract<JudgedSource, { kind: 'file' }>;

export function verdictPlace(judged: Judged): VerdictPlace {
  return judged.kind === 'run' ? placeInLog(judged.log.paths) : besideFile(judged);
}

/** The {@link verdictPlace} to show: of a run in a store, the addresses. */
export function shownVerdictPlace(judged: Judged): VerdictPlace {
  return judged.kind === 'run' ? placeInLog(judged.log.shown) : besideFile(judged);
}

function placeInLog({ verdicts, errors }: RunPaths): VerdictPlace {
  return { folder: verdicts, document: errors };
}

function besideFile({ document }: Extract<JudgedSource, { kind: 'file' }>): VerdictPlace {
  return { folder: document.replace(/\.json$/, ''), document };
}

/** `results.json` → `results.errors.json`: beside a results file of any tool. */
export function errorsFileOf(resultsFile: string): string {
  return `${resultsFile.replace(/\.json$/, '')}.errors.json`;
}

/**
 * `task-17.trial-0.json`. A results file may have several results of a task without a trial's number, or of one trial:
 * there the place in the file is a part of the name.
 */
export function verdictFile(
  { folder }: VerdictPlace,
  { index, ...key }: EpisodeKey & { index: number | null },
): string {
  const name = episodeFileName(key);
  return path.join(folder, index === null ? name : name.replace(/json$/, `result-${String(Number(index))}.json`));
}

type Named = Pick<Verdict, 'taskId' | 'trial' | 'index'>;

/** Replaces the document of all verdicts. */
export async function writeErrors(place: VerdictPlace, document: object): Promise<void> {
  await filesOf(place).write(place.document, `${JSON.stringify(document, null, 4)}\n`);
}

export async function writeVerdict(place: VerdictPlace, verdict: Verdict): Promise<void> {
  await filesOf(place).write(verdictFile(place, verdict), verdictCodec.write(verdict));
}

/** Null where there is none, and where it is damaged: it is given again. */
export async function readVerdict(place: VerdictPlace, named: Named): Promise<Verdict | null> {
  return unlessDamaged(() => read(place, verdictFile(place, named)));
}

/**
 * Reads what a judge has said of a run's failed episodes; nothing where none was asked. A verdict stays when its episode runs
 * again: see `Verdict.episodeDigest`.
 * @param onProblem gets a sentence for each that is damaged
 */
export async function readVerdicts(log: RunLog, onProblem: (sentence: string) => void): Promise<Verdict[]> {
  const place = placeInLog(log.paths);
  const verdicts: Verdict[] = [];
  for (const name of (await filesOf(place).names(place.folder)).sort()) {
    if (!/^task-\d.*\.json$/.test(name)) continue;
    const verdict = await orReport(() => read(place, path.join(place.folder, name)), onProblem);
    if (verdict !== null) verdicts.push(verdict);
  }
  return verdicts.sort((a, b) => a.trial - b.trial || a.taskId - b.taskId);
}

function read(place: VerdictPlace, file: string): Promise<Verdict | null> {
  return filesOf(place).read(file, verdictCodec.read);
}

function filesOf({ document }: VerdictPlace): LogFiles {
  return new LogFiles(path.dirname(document));
}
