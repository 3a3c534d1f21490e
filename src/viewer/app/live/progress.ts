/** The progress of a run: counts, costs, rate, remaining time, and its course. Pure. */

import { isSuccess } from '../../../results/metrics/index.ts';
import type { LiveEpisode, LiveRun } from '../../data/api.ts';
import { formatEpisodeKey } from '../address.ts';

/** Ended episodes by `formatEpisodeKey`. */
export type EndedEpisodes = ReadonlyMap<string, LiveEpisode>;

export const NONE_ENDED: EndedEpisodes = new Map();

/** Adds recorded episodes; a rerun replaces its earlier result. */
export function withEnded(before: EndedEpisodes, recorded: readonly LiveEpisode[]): EndedEpisodes {
  if (recorded.length === 0) return before;
  const ended = new Map(before);
  for (const episode of recorded) {
    const known = ended.get(formatEpisodeKey(episode))?.endedAt ?? '';
    // The first answer may arrive after a later one.
    if (episode.endedAt === null || known <= episode.endedAt) ended.set(formatEpisodeKey(episode), episode);
  }
  return ended;
}

export interface Progress {
  readonly planned: number | null;
  readonly ended: number;
  readonly solved: number;
  readonly failed: number;
  /** Number of canceled episodes and infrastructure errors. */
  readonly errors: number;
  readonly open: number;
  /** Sum of the known costs, USD; {@link isPriced} is false if some are unknown. */
  readonly costUsd: number;
  readonly isPriced: boolean;
  /** Rate of the last episodes; null with too few of them. */
  readonly perMinute: number | null;
  readonly usdPerHour: number | null;
  readonly leftMs: number | null;
}

const RATED = 30;
const MINUTE_MS = 60_000;

/** @param now milliseconds since 1970 */
export function measureProgress(ended: EndedEpisodes, live: Pick<LiveRun, 'planned' | 'open'>, now: number): Progress {
  const { planned } = live;
  // A rerun in progress has not ended.
  const again = new Set(live.open.map(formatEpisodeKey));
  const episodes = [...ended.values()].filter((episode) => !again.has(formatEpisodeKey(episode)));
  const solved = episodes.filter(({ reward }) => isSuccess(reward)).length;
  const errors = episodes.filter(isError).length;
  const costs = [...ended.values(), ...live.open].map(({ costUsd }) => costUsd);
  const rate = measureRate(episodes, now);
  const left = planned === null ? null : Math.max(0, planned - episodes.length);
  return {
    planned,
    ended: episodes.length,
    solved,
    failed: episodes.length - solved - errors,
    errors,
    open: live.open.length,
    costUsd: costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0),
    isPriced: !costs.includes(null),
    perMinute: rate === null ? null : rate.episodes * MINUTE_MS,
    usdPerHour: rate === null ? null : rate.usd * 60 * MINUTE_MS,
    leftMs: left === null || rate === null || rate.episodes === 0 ? null : left / rate.episodes,
  };
}

function isError({ outcome, reward }: LiveEpisode): boolean {
  return !isSuccess(reward) && (outcome === 'infrastructure_error' || outcome === 'cancelled');
}

/** Returns the rate per millisecond over the last episodes, so that interruptions are left out. */
function measureRate(episodes: readonly LiveEpisode[], now: number): { episodes: number; usd: number } | null {
  const last = sortByTime(episodes).slice(-RATED);
  const [first] = last;
  if (first === undefined || last.length < 3) return null;
  // The worker's clock may be ahead of the reader's.
  const sinceMs = Math.max(1, now - first.at, (last.at(-1)?.at ?? 0) - first.at);
  const counted = last.slice(1);
  return {
    episodes: counted.length / sinceMs,
    usd: counted.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0) / sinceMs,
  };
}

interface EpisodePoint {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly costUsd: number | null;
  readonly isSolved: boolean;
}

/** Sorts by time, and drops episodes with an unknown time. */
function sortByTime(episodes: Iterable<LiveEpisode>): EpisodePoint[] {
  const all: EpisodePoint[] = [];
  for (const { endedAt, costUsd, reward } of episodes) {
    const at = endedAt === null ? NaN : Date.parse(endedAt);
    if (!Number.isNaN(at)) all.push({ at, costUsd, isSolved: isSuccess(reward) });
  }
  return all.sort((a, b) => a.at - b.at);
}

export interface CoursePoint {
  readonly at: Date;
  readonly episodes: number;
  /** Sum of the known costs, USD. */
  readonly costUsd: number;
  /** Share of solved episodes so far, with errors as failures. */
  readonly passHat1: number;
}

/** Most points of a chart. */
const MAX_POINTS = 300;

/** Returns the course so far, with one point for each ended episode, or for several. */
export function plotCourse(ended: EndedEpisodes): CoursePoint[] {
  const points: CoursePoint[] = [];
  let [solved, costUsd] = [0, 0];
  for (const [place, { at, costUsd: cost, isSolved }] of sortByTime(ended.values()).entries()) {
    if (isSolved) solved += 1;
    costUsd += cost ?? 0;
    points.push({ at: new Date(at), episodes: place + 1, costUsd, passHat1: solved / (place + 1) });
  }
  const every = Math.ceil(points.length / MAX_POINTS);
  return points.filter((_, place) => place % every === 0 || place === points.length - 1);
}
