import type { RunManifest } from '../../run-log/index.ts';

/** The run that the figures are about. Fields are null where only a results file is known. */
export interface ReportSubject {
  readonly runId: string;
  readonly env: string | null;
  readonly split: string | null;
  readonly strategy: string | null;
  /** The strategy's name on a leaderboard. */
  readonly label: string | null;
  readonly agentModel: string | null;
  readonly agentProvider: string | null;
  readonly userModel: string | null;
  readonly userProvider: string | null;
  readonly userStrategy: string | null;
  /** Name and the start of its digest. */
  readonly pack: string | null;
  /** Differences from the default strategy, in a few words each. */
  readonly variants: readonly string[];
  readonly status: RunManifest['status'] | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly planned: number | null;
  /** USD; null without a budget as well. */
  readonly maxCostUsd: number | null;
  readonly notes: readonly string[];
}
