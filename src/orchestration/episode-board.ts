import type { EpisodeSummary, SweepProgress } from '../evaluation/index.ts';
import { toSeenFailure, type SeenFailure } from './display.ts';

/** Most open and ended episodes in a progress report. */
const NAMES = 10;

/** Open episodes and lanes of a sweep, and the latest ended episodes, by name. */
export class EpisodeBoard {
  /** Names in the order of opening. */
  readonly open = new Set<string>();
  /** Workflow ids of open lanes. */
  readonly lanes = new Set<string>();
  /** Lanes that have paused themselves, and have received no signal since. */
  readonly haltedLanes = new Set<string>();
  #recent: readonly string[] = [];
  #failures: readonly SeenFailure[] = [];

  /** Last failures, newest first. */
  get failures(): readonly SeenFailure[] {
    return this.#failures;
  }

  ended(name: string, summary: EpisodeSummary): void {
    this.#recent = [name, ...this.#recent].slice(0, NAMES);
    const failure = toSeenFailure(name, summary);
    if (failure !== null) this.#failures = [failure, ...this.#failures].slice(0, NAMES);
  }

  laneHalted(workflowId: string): void {
    if (this.lanes.has(workflowId)) this.haltedLanes.add(workflowId);
  }

  laneEnded(workflowId: string): void {
    this.lanes.delete(workflowId);
    this.haltedLanes.delete(workflowId);
  }

  view(): Pick<SweepProgress, 'running' | 'lanes' | 'open' | 'recent'> {
    return {
      running: this.open.size,
      lanes: [...this.lanes],
      open: [...this.open].slice(0, NAMES),
      recent: this.#recent,
    };
  }
}
