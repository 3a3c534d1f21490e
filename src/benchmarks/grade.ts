/**
 * A grade: a reward and its parts. Records, reports, pages and exports read the parts. Each benchmark has its own
 * recorded form of grades.
 */

import type { SentenceVerdict } from './types.ts';

/** A single requirement of a task. */
export interface GradeCheck {
  /** The required text, the name of a call or function, or the hash of data; null if the grade's source lacks it. */
  readonly wanted: string | null;
  /** True if the requirement is met; null: a judge has to decide. */
  readonly isMet: boolean | null;
  /** The judge's reason; absent if no judge has decided. */
  readonly reason?: string;
}

interface Part<Kind extends string> {
  readonly kind: Kind;
  /** True if the reward depends on this part. */
  readonly counts: boolean;
  readonly checks: readonly GradeCheck[];
}

/** One check: the data at the end of the episode. */
interface DataPart extends Part<'data'> {
  /** True if the data differ only in the spelling of numbers (`131` and `131.0`). */
  readonly numberSpellingOnly: boolean;
}

/** Texts that the agent must say. */
interface OutputsPart extends Part<'outputs'> {
  /** True if the agent must say each output as a separate word. */
  readonly areWords: boolean;
}

/** Sentences on which only a judge model can decide. */
interface SentencesPart extends Part<'sentences'> {
  /** Reason why the judge has not decided, as one sentence. */
  readonly problem?: string;
}

/**
 * Other kinds are `calls`, tool calls that must be made, and `assertions`, functions that must return the task's
 * values.
 */
export type GradePart = DataPart | OutputsPart | SentencesPart | Part<'calls'> | Part<'assertions'>;

export type PartKind = GradePart['kind'];

export interface Grade {
  /** Reward: 0 or 1; for an environment service any number between them. */
  readonly reward: number;
  /** Parts of the grade. The parts that decide the reward come first. */
  readonly parts: readonly GradePart[];
}

/**
 * Result of grading. `raised`: the reference's grading throws for these actions, and its episode ends in error with
 * reward 0.
 */
export type GradeResult =
  { readonly kind: 'graded'; readonly grade: Grade } | { readonly kind: 'raised'; readonly message: string };

export function findPart<Kind extends PartKind>(
  { parts }: Grade,
  kind: Kind,
): Extract<GradePart, { kind: Kind }> | undefined {
  return parts.find((part): part is Extract<GradePart, { kind: Kind }> => part.kind === kind);
}

/** True if every check of a part is met, or if the grade does not have the part. */
export function isPartMet(grade: Grade, kind: PartKind): boolean {
  return findPart(grade, kind)?.checks.every(({ isMet }) => isMet === true) ?? true;
}

/** Returns the unmet requirements of a part. Requirements that await a judge are not among them. */
export function findUnmet(grade: Grade, kind: PartKind): string[] {
  return (findPart(grade, kind)?.checks ?? []).flatMap(({ wanted, isMet }) => (isMet === false ? [wanted ?? ''] : []));
}

/** True if the data differ from the ground truth's only in the spelling of numbers; false without a grade. */
export function isSpellingOnly(grade: Grade | null): boolean {
  return grade !== null && findPart(grade, 'data')?.numberSpellingOnly === true;
}

/** Returns the sentences that the reward depends on, but that have no verdict, so that the reward ignores them. */
export function undecidedSentences(grade: Grade): readonly string[] {
  const part = findPart(grade, 'sentences');
  if (part?.counts !== true) return [];
  return part.checks.flatMap(({ wanted, isMet }) => (isMet === null && wanted !== null ? [wanted] : []));
}

/** Adds a judge's verdicts on all sentences to a grade: each sentence must be met. */
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
