/** Findings of a check of somebody else's program. */

export interface CheckFinding {
  readonly check: string;
  readonly state: 'right' | 'note' | 'wrong';
  /** One sentence without its full stop. */
  readonly message: string;
  /** Consequence for a run, as a sentence without its full stop; absent for a finding without a problem. */
  readonly cost?: string;
}

export type ReportFinding = (state: CheckFinding['state'], message: string, cost?: string) => void;
