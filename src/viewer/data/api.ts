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
 * An answer that is none has a status of 400 or more and an {@link ApiProblem}.
 */

import type { SettingDifference } from '../../results/compare/index.ts';
import type { Document } from '../../results/document/index.ts';
import type { EpisodeNote, LoggedRequest, OpenEpisodeLine } from '../../run-log/index.ts';
import type { PayloadConversation, PayloadEpisode, PayloadRun } from './payload.ts';
import type { ListedFigures, ReportSubject } from '../../results/report/index.ts';
import type { RegressionVerdict, RunState } from '../../evaluation/index.ts';
import type { EpisodeKey } from '../../evaluation/index.ts';

export type { EpisodeNote };

export interface ApiProblem {
  /** One sentence: what, where and what to do. */
  readonly problem: string;
}

export interface RunList {
  readonly logDir: string;
  readonly runs: readonly ListedRun[];
  /** Folders and files that cannot be read, one sentence each. */
  readonly problems: readonly string[];
}

/** A run in the list. Figures of a run in progress are of the episodes so far. */
export interface ListedRun extends ListedFigures {
  /** Its name in addresses. */
  readonly id: string;
  /** A run of this program, or a results file of any tool. */
  readonly kind: 'run' | 'file';
  readonly subject: ReportSubject;
  /** Schedule that started it; null: none. */
  readonly schedule: string | null;
  /** Names that `baseline set` gave it. */
  readonly baselines: readonly string[];
  /** Time of the last change; ISO 8601, UTC; null for a file. */
  readonly changedAt: string | null;
  /** State by the server of a run whose log has no end; null where it was not asked, or did not answer. */
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

/** Changes of a run since a cursor. A cursor of 0 gives all. */
export interface LiveRun {
  readonly cursor: number;
  /** True if the cursor is no longer valid: {@link recorded} then has all episodes. */
  readonly isAnew: boolean;
  readonly status: ReportSubject['status'];
  /** See {@link ListedRun}. */
  readonly state: RunState | null;
  readonly planned: number | null;
  /** ISO 8601, UTC; null where it is not known. */
  readonly startedAt: string | null;
  /** Whole minutes since something of the run has changed. */
  readonly quietMinutes: number;
  /** Episodes recorded since the cursor; one that ran again is here again. */
  readonly recorded: readonly LiveEpisode[];
  /** Names of the run's tools. Episodes refer to them by position. */
  readonly tools: readonly string[];
  readonly open: readonly OpenEpisode[];
}

export interface LiveEpisode extends PayloadEpisode {
  /** ISO 8601, UTC; null where it is not known. */
  readonly endedAt: string | null;
}

export interface OpenEpisode extends Pick<PayloadEpisode, 'taskId' | 'taskName' | 'trial' | 'condition'> {
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly lastAt: string;
  readonly steps: number;
  /** USD so far; null where a price is unknown. */
  readonly costUsd: number | null;
  /** Beginning of the last message or action. */
  readonly last: string;
}

export interface OpenConversation {
  /** Lines so far; empty when it has ended or not begun. */
  readonly lines: readonly OpenLine[];
}

export type OpenLine = Pick<OpenEpisodeLine, 'at' | 'role' | 'tool' | 'text' | 'observation'>;

export interface ViewedEpisode {
  /** The conversation; its `prompts` are positions in {@link prompts}. */
  readonly conversation: PayloadConversation;
  readonly prompts: readonly string[];
  readonly note: EpisodeNote | null;
  /** True if its model calls were kept: `--keep-requests`. */
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

export interface ComparedInWords {
  readonly sentences: readonly string[];
  /** The whole comparison; empty where the runs cannot be compared. */
  readonly document: Document;
  /** Settings that differ, with a value for each run. */
  readonly settings: readonly Pick<SettingDifference, 'name' | 'values'>[];
}

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
  /** Time at which it was due; ISO 8601, UTC. */
  readonly at: string;
  readonly status: ReportSubject['status'];
  readonly passHat1: number | null;
  /** Result of the comparison with its baseline; null where it was not compared. */
  readonly verdict: RegressionVerdict | null;
  /** The run that it was compared with; null: none. */
  readonly baseline: string | null;
  /** The comparison in a sentence, or why it cannot be read. */
  readonly sentence: string | null;
}
