/** Ports of a sweep: workflow code has Temporal behind them, a test plain objects. */

import type { RunInput } from '../evaluation/index.ts';
import type { ArchiveInput, ArchiveOutput, OpenRunOutput, SumRecordedInput, SumRecordedOutput } from './activities.ts';

/** Each call has a summary for people. */
export interface SweepActivities {
  openRun(summary: string, input: RunInput): Promise<OpenRunOutput>;
  sumRecorded(summary: string, input: SumRecordedInput): Promise<SumRecordedOutput>;
  archive(summary: string, input: ArchiveInput): Promise<ArchiveOutput>;
}

export interface SweepPorts {
  readonly activities: SweepActivities;
  readonly workflowId: string;
  readonly isCancelled: () => boolean;
}
