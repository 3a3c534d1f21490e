/** Findings of a check of a program that somebody else wrote. */

export interface CheckFinding {
  readonly check: string;
  readonly state: 'right' | 'note' | 'wrong';
  /** One sentence without its full stop. */
  readonly message: string;
  /** Consequence for a run, as a sentence without its full stop; absent if all is right. */
  readonly cost?: string;
}

export type ReportFinding = (state: CheckFinding['state'], message: string, cost?: string) => void;
