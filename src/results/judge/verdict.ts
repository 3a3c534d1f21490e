/** A judge's verdict on one failed episode: its shape, its file, and functions that read and write it. */

import path from 'node:path';
import * as z from 'zod';
import { modelSettingsSchema } from '../../evaluation/model-settings.schema.ts';
import { FAULT_KINDS, FAULT_TYPES, type FaultKind } from '../../analysis/index.ts';
import type { EpisodeKey, JudgedSource } from '../../evaluation/index.ts';
import {
  byTrialThenTask,
  LogFiles,
  episodeFileName,
  formatVersion,
  orReport,
  jsonCodec,
  unlessDamaged,
  type RunLog,
  type RunPaths,
} from '../../run-log/index.ts';

/** Authors of faults: `infrastructure` for an infrastructure error, `unjudged` if the judge's answer cannot be read. */
export const AUTHORS = ['user', 'agent', 'environment', 'infrastructure', 'unjudged'] as const;

const count = z.number().int().nonnegative();

const verdictSchema = z.object({
  formatVersion: formatVersion(1),
  runId: z.string(),
  taskId: count,
  /** Name that an environment service gives the task. */
  taskName: z.string().optional(),
  trial: count,
  /** Condition of the episode. @default `base` */
  condition: z.string().optional(),
  /** Position of the episode in the results file; null for a run log. */
  index: count.nullable(),
  author: z.enum(AUTHORS),
  /** The reason, in the judge's words. */
  description: z.string(),
  /** Literal quotes from the conversation. */
  quotes: z.array(z.string()),
  /** Type of the agent's fault; null unless the agent is the author and the judge's second answer can be read. */
  faultType: z.enum(FAULT_TYPES).nullable(),
  faultDescription: z.string().nullable(),
  faultQuotes: z.array(z.string()),
  /** Number of quotes dropped because the conversation does not contain them. */
  unfoundQuotes: count,
  /** Reason why a part of the verdict is missing; null if complete. */
  problem: z.string().nullable().default(null),
  /** Result of the analysis without a model; null if there is none. */
  deterministic: z
    .object({
      kind: z.enum(Object.keys(FAULT_KINDS) as [FaultKind]),
      faultType: z.enum(FAULT_TYPES).nullable(),
      step: count.nullable(),
    })
    .nullable(),
  /** The judge's model; null if no model was called. */
  model: modelSettingsSchema.nullable(),
  /** Digest of the judge's input; it changes when the episode is rerun. */
  episodeDigest: z.string().default(''),
  /** Version of the judge's prompts. A verdict of another version is replaced. */
  promptVersion: count,
  calls: count,
  promptTokens: count,
  completionTokens: count,
  /** Cost in USD; null if the price is unknown. */
  costUsd: z.number().nullable(),
  /** Cost of the calls with a known price, in USD; absent if every price is known. */
  knownCostUsd: z.number().optional(),
});

const verdictCodec = jsonCodec(verdictSchema);

export type Verdict = z.infer<typeof verdictSchema>;
export type Author = Verdict['author'];

export interface VerdictPlace {
  /** Folder with one file per verdict. */
  readonly folder: string;
  /** Document with all verdicts, in tau-bench's shape. */
  readonly document: string;
}

/** A judged source, open for reading. */
export type OpenJudgment = { readonly kind: 'run'; readonly log: RunLog } | Extract<JudgedSource, { kind: 'file' }>;

export function verdictPlace(judged: OpenJudgment): VerdictPlace {
  return judged.kind === 'run' ? placeInLog(judged.log.paths) : besideFile(judged);
}

/** Returns the {@link verdictPlace} for messages; for a run in a store, addresses. */
export function shownVerdictPlace(judged: OpenJudgment): VerdictPlace {
  return judged.kind === 'run' ? placeInLog(judged.log.shown) : besideFile(judged);
}

function placeInLog({ verdicts, errors }: RunPaths): VerdictPlace {
  return { folder: verdicts, document: errors };
}

function besideFile({ document }: Extract<JudgedSource, { kind: 'file' }>): VerdictPlace {
  return { folder: document.replace(/\.json$/, ''), document };
}

/** Returns the name of the document: `results.json` → `results.errors.json`. */
export function toErrorsFile(resultsFile: string): string {
  return `${resultsFile.replace(/\.json$/, '')}.errors.json`;
}

/**
 * Returns a verdict's file name: `task-17.trial-0.json`, with the position in a results file, which may have several
 * results of one trial.
 */
export function verdictFile(
  { folder }: VerdictPlace,
  { index, ...key }: EpisodeKey & { index: number | null },
): string {
  const name = episodeFileName(key);
  return path.join(folder, index === null ? name : name.replace(/json$/, `result-${String(Number(index))}.json`));
}

type VerdictKey = EpisodeKey & Pick<Verdict, 'index'>;

/** Replaces the document of all verdicts. */
export async function writeErrors(place: VerdictPlace, document: object): Promise<void> {
  await openFiles(place).write(place.document, `${JSON.stringify(document, null, 4)}\n`);
}

export async function writeVerdict(place: VerdictPlace, verdict: Verdict): Promise<void> {
  await openFiles(place).write(verdictFile(place, verdict), verdictCodec.write(verdict));
}

/** Reads a verdict; null if it is missing, or is damaged and must be made again. */
export async function readVerdict(place: VerdictPlace, named: VerdictKey): Promise<Verdict | null> {
  return unlessDamaged(() => read(place, verdictFile(place, named)));
}

/** Reads the verdicts on a run's failed episodes, including those on replaced records, and reports damaged ones. */
export async function readVerdicts(log: RunLog, onProblem: (sentence: string) => void): Promise<Verdict[]> {
  const place = placeInLog(log.paths);
  const verdicts: Verdict[] = [];
  for (const name of (await openFiles(place).names(place.folder)).sort()) {
    if (!/^task-\d.*\.json$/.test(name)) continue;
    const verdict = await orReport(() => read(place, path.join(place.folder, name)), onProblem);
    if (verdict !== null) verdicts.push(verdict);
  }
  return verdicts.sort(byTrialThenTask);
}

function read(place: VerdictPlace, file: string): Promise<Verdict | null> {
  return openFiles(place).read(file, verdictCodec.read);
}

function openFiles({ document }: VerdictPlace): LogFiles {
  return new LogFiles(path.dirname(document));
}
