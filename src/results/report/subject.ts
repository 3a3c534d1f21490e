import type { RunManifest } from '../../run-log/index.ts';

/** The reported run. Most fields are null for a results file without a run log. */
export interface ReportSubject {
  readonly runId: string;
  readonly env: string | null;
  readonly split: string | null;
  readonly strategy: string | null;
  /** Name of the strategy on a leaderboard. */
  readonly label: string | null;
  readonly agentModel: string | null;
  readonly agentProvider: string | null;
  readonly userModel: string | null;
  readonly userProvider: string | null;
  readonly userStrategy: string | null;
  /** Name of the pack and the start of its digest. */
  readonly pack: string | null;
  /** Differences from the default strategy, in a few words each. */
  readonly variants: readonly string[];
  readonly status: RunManifest['status'] | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly planned: number | null;
  /** Budget in USD; null if there is none. */
  readonly maxCostUsd: number | null;
  readonly notes: readonly string[];
}
