/** A run and what has been recorded of it since. Pure. */

import type { PayloadEpisode, PayloadRun } from '../../data/payload.ts';
import type { LiveRun } from '../../data/api.ts';
import { keyOf } from '../address.ts';

/**
 * The run with the episodes that were recorded since. Episodes that nothing happened to stay the same objects; its
 * metrics are those from before.
 */
export function withRecorded(run: PayloadRun, { status, state, planned, recorded, tools }: LiveRun): PayloadRun {
  const isSame =
    run.subject.status === status && run.subject.planned === planned && run.state?.status === state?.status;
  const subject = isSame ? run.subject : { ...run.subject, status, planned };
  if (recorded.length === 0) return isSame ? run : { ...run, subject, state };
  const names = [...run.tools];
  const places = new Map(names.map((name, place) => [name, place]));
  const placeOf = (name: string): number => {
    const place = places.get(name) ?? names.push(name) - 1;
    places.set(name, place);
    return place;
  };
  const episodes = new Map(run.episodes.map((episode) => [keyOf(episode), episode]));
  for (const { endedAt: _, ...episode } of recorded) {
    const called = episode.tools.flatMap((tool) => tools[tool] ?? []).map(placeOf);
    episodes.set(keyOf(episode), { ...episode, tools: called });
  }
  return { ...run, subject, state, tools: names, episodes: [...episodes.values()].sort(byTrialThenTask) };
}

/** The newer of two readings of a run, in which episodes that are as before are the same objects. */
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
