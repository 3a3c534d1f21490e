/**
 * Requests of the view in the browser and answers of its server: plain JSON, types only. Paths are relative to the
 * server's root; `<run>` is a run's id, or the name of a results file in the log folder, percent-encoded.
 *
 * | request                                              | answer                                              |
 * | ---------------------------------------------------- | --------------------------------------------------- |
 * | `GET api/runs`                                       | {@link RunList}                                     |
 * | `GET api/runs/<run>`                                 | {@link ViewedRun}                                   |
 * | `GET api/runs/<run>/live?after=<cursor>`             | {@link LiveRun}                                     |
 * | `GET api/runs/<run>/search?q=<words>`                | {@link SearchLine}, one JSON line after the other   |
 * | `GET api/runs/<run>/episodes/<task>/<trial>`         | {@link ViewedEpisode}                               |
 * | `GET api/runs/<run>/episodes/<task>/<trial>.json`    | the record, to keep                                 |
 * | `GET api/runs/<run>/episodes/<task>/<trial>.md`      | the conversation as Markdown, to keep               |
 * | `GET api/runs/<run>/episodes/<task>/<trial>/requests`| {@link KeptRequests}                                |
 * | `GET api/runs/<run>/open/<task>/<trial>`             | {@link OpenConversation}                            |
 * | `PUT api/runs/<run>/episodes/<task>/<trial>/note`    | takes and answers a {@link EpisodeNote}             |
 * | `GET api/compare?run=<run>&run=<run>…`               | {@link ComparedInWords}                             |
 * | `GET api/schedules`                                  | {@link ScheduleTrends}                              |
 *
 * A failed request has a status of 400 or more, and its answer is an {@link ApiProblem}.
 */

import type { PresentedComparison } from '../../results/compare/index.ts';
import type { EpisodeNote, LoggedRequest, OpenEpisodeLine } from '../../run-log/index.ts';
import type { PayloadConversation, PayloadEpisode, PayloadRun } from './payload.ts';
import type { ListedFigures, ReportSubject } from '../../results/report/index.ts';
import type { RegressionVerdict, RunState } from '../../evaluation/index.ts';
import type { EpisodeKey } from '../../evaluation/index.ts';

export type { EpisodeNote };

export interface ApiProblem {
  /** One sentence: what failed, where, and what to do. */
  readonly problem: string;
}

export interface RunList {
  readonly logDir: string;
  readonly runs: readonly ListedRun[];
  /** Sentences on folders and files that cannot be read. */
  readonly problems: readonly string[];
}

/** A run in the list. For a run in progress, its figures cover the episodes so far. */
export interface ListedRun extends ListedFigures {
  /** Name of the run in addresses. */
  readonly id: string;
  /** A run of this program, or a results file of any tool. */
  readonly kind: 'run' | 'file';
  readonly subject: ReportSubject;
  /** Schedule that started the run; null: none. */
  readonly schedule: string | null;
  /** Names of baselines that `baseline set` gave to the run. */
  readonly baselines: readonly string[];
  /** Time of the last change, ISO 8601, UTC; null for a file. */
  readonly changedAt: string | null;
  /** State from the server, for a run whose log has no end; null if the server was not queried, or did not answer. */
  readonly state: RunState | null;
}

export interface ViewedRun {
  readonly run: PayloadRun;
  /** The cursor from which {@link LiveRun} continues. */
  readonly cursor: number;
  /** The sweep's page in Temporal UI; null if unknown. */
  readonly sweepUrl: string | null;
  readonly notes: readonly EpisodeNote[];
}

/** Changes of a run since a cursor. A cursor of 0 gives all episodes. */
export interface LiveRun {
  readonly cursor: number;
  /** True if the cursor is no longer valid: {@link recorded} then has all episodes. */
  readonly isAnew: boolean;
  readonly status: ReportSubject['status'];
  /** See {@link ListedRun}. */
  readonly state: RunState | null;
  readonly planned: number | null;
  /** Start of the run, ISO 8601, UTC; null if unknown. */
  readonly startedAt: string | null;
  /** Whole minutes since the run's last change. */
  readonly quietMinutes: number;
  /** Episodes recorded since the cursor; an episode that ran again is listed again. */
  readonly recorded: readonly LiveEpisode[];
  /** Names of the run's tools. Episodes refer to them by position. */
  readonly tools: readonly string[];
  readonly open: readonly OpenEpisode[];
}

export interface LiveEpisode extends PayloadEpisode {
  /** End of the episode, ISO 8601, UTC; null if unknown. */
  readonly endedAt: string | null;
}

export interface OpenEpisode extends Pick<PayloadEpisode, 'taskId' | 'taskName' | 'trial' | 'condition'> {
  /** Start of the episode, ISO 8601, UTC. */
  readonly startedAt: string;
  readonly lastAt: string;
  readonly steps: number;
  /** Cost so far in USD; null if a price is unknown. */
  readonly costUsd: number | null;
  /** Beginning of the last message or action. */
  readonly last: string;
}

export interface OpenConversation {
  /** Lines so far; empty if the episode has ended or not begun. */
  readonly lines: readonly OpenLine[];
}

export type OpenLine = Pick<OpenEpisodeLine, 'at' | 'role' | 'tool' | 'text' | 'observation'>;

export interface ViewedEpisode {
  /** The conversation; its `prompts` are positions in {@link prompts}. */
  readonly conversation: PayloadConversation;
  readonly prompts: readonly string[];
  readonly note: EpisodeNote | null;
  /** True if the episode's model calls were logged: `--keep-requests`. */
  readonly hasRequests: boolean;
}

export interface KeptRequests {
  readonly requests: readonly KeptRequest[];
}

/** A model call as it was sent, without headers and so without keys. */
export type KeptRequest = Omit<LoggedRequest, 'workflowRunId'>;

/** A line of the search's answer, sent whenever another part has been searched. */
export interface SearchLine {
  /** Share of the conversations searched so far, in [0, 1]. */
  readonly progress: number;
  /** Episodes found since the previous line. */
  readonly found: readonly EpisodeKey[];
}

/** The document is empty if the runs cannot be compared. */
export type ComparedInWords = Pick<PresentedComparison, 'sentences' | 'document' | 'settings'>;

export interface ScheduleTrends {
  readonly schedules: readonly ScheduleTrend[];
}

export interface ScheduleTrend {
  readonly schedule: string;
  /** Runs, the earliest first. */
  readonly runs: readonly TrendPoint[];
}

export interface TrendPoint extends Pick<ListedFigures, 'episodes' | 'errors' | 'interval' | 'costUsd'> {
  readonly runId: string;
  /** Time at which the run was due, ISO 8601, UTC. */
  readonly at: string;
  readonly status: ReportSubject['status'];
  readonly passHat1: number | null;
  /** Result of the comparison with the baseline; null if there was none. */
  readonly verdict: RegressionVerdict | null;
  /** The run that is the baseline of the comparison; null: none. */
  readonly baseline: string | null;
  /** The comparison in a sentence, or the reason why it cannot be read. */
  readonly sentence: string | null;
}
