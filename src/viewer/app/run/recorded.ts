/** Merges a run with newly recorded episodes. Pure. */

import type { PayloadEpisode, PayloadRun } from '../../data/payload.ts';
import type { LiveRun } from '../../data/api.ts';
import { formatEpisodeKey } from '../address.ts';

/**
 * Adds recorded episodes to the run. Unchanged episodes stay the same objects, and the metrics stay the earlier ones.
 */
export function withRecorded(run: PayloadRun, { status, state, planned, recorded, tools }: LiveRun): PayloadRun {
  const isSame =
    run.subject.status === status && run.subject.planned === planned && run.state?.status === state?.status;
  const subject = isSame ? run.subject : { ...run.subject, status, planned };
  if (recorded.length === 0) return isSame ? run : { ...run, subject, state };
  const names = [...run.tools];
  const places = new Map(names.map((name, place) => [name, place]));
  const indexName = (name: string): number => {
    const place = places.get(name) ?? names.push(name) - 1;
    places.set(name, place);
    return place;
  };
  const episodes = new Map(run.episodes.map((episode) => [formatEpisodeKey(episode), episode]));
  for (const { endedAt: _, ...episode } of recorded) {
    const called = episode.tools.flatMap((tool) => tools[tool] ?? []).map(indexName);
    episodes.set(formatEpisodeKey(episode), { ...episode, tools: called });
  }
  return { ...run, subject, state, tools: names, episodes: [...episodes.values()].sort(byTrialThenTask) };
}

/** Returns the newer reading of a run, with the earlier objects of unchanged episodes. */
export function withKnown(before: PayloadRun, after: PayloadRun): PayloadRun {
  if (before.tools.join('\n') !== after.tools.join('\n')) return after;
  const known = new Map(before.episodes.map((episode) => [JSON.stringify(episode), episode]));
  return {
    ...after,
    state: before.state ?? null,
    episodes: after.episodes.map((episode) => known.get(JSON.stringify(episode)) ?? episode),
  };
}

function byTrialThenTask(a: PayloadEpisode, b: PayloadEpisode): number {
  return a.trial - b.trial || a.taskId - b.taskId;
}
