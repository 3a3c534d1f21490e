/**
 * A grade: a reward and its parts. Records, reports, pages and exports read parts. Each benchmark has its own form in
 * which a grade crosses Temporal and is recorded.
 */

import type { SentenceVerdict } from './types.ts';

/** A single requirement of a task. */
export interface GradeCheck {
  /** Its text, the name of a call or function, or the hash of data; null if the grade's source lacks it. */
  readonly wanted: string | null;
  /** Null: a judge has to decide. */
  readonly isMet: boolean | null;
  /** The judge's reason; absent if no judge has decided. */
  readonly reason?: string;
}

interface Part<Kind extends string> {
  readonly kind: Kind;
  /** True if the reward depends on it. */
  readonly counts: boolean;
  readonly checks: readonly GradeCheck[];
}

/** The data at the end, in one check. */
interface DataPart extends Part<'data'> {
  /** True if the data differ only in the spelling of numbers (`131` and `131.0`). */
  readonly numberSpellingOnly: boolean;
}

/** Texts that the agent must say. */
interface OutputsPart extends Part<'outputs'> {
  /** True if each output is said as a separate word. */
  readonly areWords: boolean;
}

/** Sentences on which only a judge model can decide. */
interface SentencesPart extends Part<'sentences'> {
  /** Reason why the judge has not decided, one sentence. */
  readonly problem?: string;
}

/**
 * Other kinds are `calls`, tool calls that must be made, and `assertions`, functions that must return the task's
 * values.
 */
export type GradePart = DataPart | OutputsPart | SentencesPart | Part<'calls'> | Part<'assertions'>;

export type PartKind = GradePart['kind'];

export interface Grade {
  /** 0 or 1; for an environment service any number between. */
  readonly reward: number;
  /** Parts that count come first. */
  readonly parts: readonly GradePart[];
}

/** `raised`: the reference's grading throws for these actions, and its episode ends in error with reward 0. */
export type GradeResult =
  { readonly kind: 'graded'; readonly grade: Grade } | { readonly kind: 'raised'; readonly message: string };

export function findPart<Kind extends PartKind>(
  { parts }: Grade,
  kind: Kind,
): Extract<GradePart, { kind: Kind }> | undefined {
  return parts.find((part): part is Extract<GradePart, { kind: Kind }> => part.kind === kind);
}

/** True if every check of a part is met; also for a part that a grade does not have. */
export function isPartMet(grade: Grade, kind: PartKind): boolean {
  return findPart(grade, kind)?.checks.every(({ isMet }) => isMet === true) ?? true;
}

/** Returns the requirements of a part that are known to be unmet. A requirement that awaits a judge is not. */
export function findUnmet(grade: Grade, kind: PartKind): string[] {
  return (findPart(grade, kind)?.checks ?? []).flatMap(({ wanted, isMet }) => (isMet === false ? [wanted ?? ''] : []));
}

/** True if the data differ from the ground truth's only in the spelling of numbers; false without a grade. */
export function isSpellingOnly(grade: Grade | null): boolean {
  return grade !== null && findPart(grade, 'data')?.numberSpellingOnly === true;
}

/** Returns sentences that count but have no verdict, so that the reward ignores them. */
export function undecidedSentences(grade: Grade): readonly string[] {
  const part = findPart(grade, 'sentences');
  if (part?.counts !== true) return [];
  return part.checks.flatMap(({ wanted, isMet }) => (isMet === null && wanted !== null ? [wanted] : []));
}

/** Counts a judge's verdicts on all sentences of a grade: each must be met. */
export function withVerdicts(grade: Grade, verdicts: readonly SentenceVerdict[]): Grade {
  const checks = verdicts.map(({ assertion, met, reason }) => ({ wanted: assertion, isMet: met, reason }));
  const isMet = verdicts.every(({ met }) => met);
  return {
    reward: isMet ? grade.reward : 0,
    parts: grade.parts.map((part) => (part.kind === 'sentences' ? { ...part, checks } : part)),
  };
}

/** Adds the reason for missing verdicts to a grade. */
export function withJudgeProblem(grade: Grade, problem: string): Grade {
  return { ...grade, parts: grade.parts.map((part) => (part.kind === 'sentences' ? { ...part, problem } : part)) };
}
