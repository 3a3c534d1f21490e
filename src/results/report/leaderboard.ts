/** A run as a row of tau-bench's leaderboard. */

import type { PassHat } from '../metrics/index.ts';

export interface LeaderboardSubject {
  /** The strategy's name there, such as `TC`. */
  readonly label: string;
  readonly model: string;
  /** What sets it apart from the plain strategy, in a few words each. @default nothing */
  readonly variants?: readonly string[];
  /** What the name links to. @default no link */
  readonly link?: string;
}

export const LEADERBOARD_KS = [1, 2, 3, 4] as const;

/**
 * `| TC (gpt-4o) | 0.604 | 0.491 | 0.430 | 0.383 |`, with variants `TC (gpt-4o, no policy)`; `??` where there were too
 * few trials, as on the leaderboard.
 */
export function leaderboardRow(subject: LeaderboardSubject, passHats: readonly PassHat[]): string {
  const name = `${subject.label} (${[subject.model, ...(subject.variants ?? [])].join(', ')})`.replaceAll('|', '\\|');
  const figures = LEADERBOARD_KS.map((k) => passHats.find((passHat) => passHat.k === k)?.value.toFixed(3) ?? '??');
  return `| ${[subject.link === undefined ? name : `[${name}](${subject.link})`, ...figures].join(' | ')} |`;
}

const NOT_TAU_BENCH = "These are not tau-bench's tasks";

/** Note on a run of a synthetic pack: the command line may be tau-bench's own, its tasks are not. */
export function syntheticNote(pack: string, env: string): string {
  return (
    `${NOT_TAU_BENCH}: the pack ${pack} is synthetic. Get tau-bench's with \`npx tauflow data import\` and run them ` +
    `with \`--pack tau-bench-${env}\`.`
  );
}

/** The note that has to stand beside a leaderboard row; null: none has to. */
export function rowNote(notes: readonly string[]): string | null {
  return notes.find((note) => note.startsWith(NOT_TAU_BENCH)) ?? null;
}

export const LEADERBOARD_HEADER = [
  '| Strategy | Pass^1 | Pass^2 | Pass^3 | Pass^4 |',
  '| -------- | ------ | ------ | ------ | ------ |',
] as const;
