/** Loads a run from the server, and keeps it up to date. */

import { useEffect, useState } from 'preact/hooks';
import type { PayloadRun } from '../../data/payload.ts';
import type { EpisodeNote, LiveRun, ViewedRun } from '../../data/api.ts';
import { formatEpisodeKey, type RunKey } from '../address.ts';
import { LOADING, toFailedState, toErrorMessage, repeatWhileVisible, type LoadState } from '../source.ts';
import { apiPath, getJson } from '../server.ts';
import { withKnown, withRecorded } from './recorded.ts';

export interface ShownRun {
  readonly id: RunKey;
  readonly run: PayloadRun;
  readonly sweepUrl: string | null;
  /** The newest state of the run; null for an ended run. */
  readonly live: LiveRun | null;
  readonly notes: ReadonlyMap<string, EpisodeNote>;
}

interface UsedRun extends LoadState<ShownRun> {
  readonly setNote: (note: EpisodeNote) => void;
}

const LIVE_MS = 1000;
/** Interval of reloading an ended run in milliseconds, because it may be resumed or get more trials. */
const AT_REST_MS = 10_000;

interface RunLoadState extends Omit<LoadState<ShownRun>, 'retry'> {
  readonly of: RunKey;
}

export function useRun(id: RunKey): UsedRun {
  const [state, setState] = useState<RunLoadState>({ of: id, ...LOADING });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    follow(id, stop.signal, (change) => {
      if (!stop.signal.aborted) setState((before) => change(before.of === id ? before : { of: id, ...LOADING }));
    });
    return () => stop.abort();
  }, [id, attempt]);
  const setNote = (note: EpisodeNote) =>
    setState((before) => {
      if (before.loading.kind !== 'ready') return before;
      const notes = new Map(before.loading.value.notes);
      if (note.text === '' && note.labels.length === 0) notes.delete(formatEpisodeKey(note));
      else notes.set(formatEpisodeKey(note), note);
      return { ...before, loading: { kind: 'ready', value: { ...before.loading.value, notes } } };
    });
  return { ...(state.of === id ? state : LOADING), retry: () => setAttempt(attempt + 1), setNote };
}

/** Loads the run, and then its changes. The metrics are loaded again as episodes end. */
function follow(id: RunKey, signal: AbortSignal, set: (change: (before: RunLoadState) => RunLoadState) => void): void {
  let cursor = 0;
  let status: LiveRun['status'] = null;
  /** Pause between loads of the whole run, longer for a slow one. */
  let pauseMs = 0;
  let loadedAt = 0;
  let isStale = true;

  const load = async () => {
    const start = performance.now();
    const { run, sweepUrl, notes, cursor: next } = await getJson<ViewedRun>(apiPath('runs', id), signal);
    cursor = next;
    ({ status } = run.subject);
    isStale = false;
    loadedAt = performance.now();
    pauseMs = Math.max(5000, 20 * (loadedAt - start));
    set(({ loading }) => {
      const before = loading.kind === 'ready' ? loading.value : null;
      return toReadyState({
        id,
        run: before === null ? run : withKnown(before.run, run),
        sweepUrl,
        live: before?.live ?? null,
        notes: new Map(notes.map((note) => [formatEpisodeKey(note), note])),
      });
    });
  };

  const look = async () => {
    const live = await getJson<LiveRun>(`${apiPath('runs', id, 'live')}?after=${cursor}`, signal);
    // Episodes may be gone after the server's list has begun again.
    isStale ||= (live.isAnew && cursor > 0) || live.recorded.length > 0 || live.status !== status;
    ({ cursor } = live);
    const hasEnded = status === 'running' && live.status !== 'running';
    ({ status } = live);
    set((before) =>
      before.loading.kind === 'ready'
        ? toReadyState({ ...before.loading.value, live, run: withRecorded(before.loading.value.run, live) })
        : before,
    );
    if (isStale && (hasEnded || performance.now() - loadedAt > pauseMs)) await load();
  };

  const act = async () => {
    try {
      await (loadedAt === 0 ? load() : look());
    } catch (error) {
      const problem = toErrorMessage(error);
      set((before) => ({ of: id, ...toFailedState(before.loading, problem) }));
    }
    // A file has no status and does not change.
    if (loadedAt !== 0 && status === null) return null;
    return status === 'running' ? LIVE_MS : AT_REST_MS;
  };
  repeatWhileVisible(act, signal);
}

function toReadyState(value: ShownRun): RunLoadState {
  return { of: value.id, loading: { kind: 'ready', value }, problem: null };
}
