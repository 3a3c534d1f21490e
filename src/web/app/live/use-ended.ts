/** The episodes of a run that goes on which have ended, with the times at which they did. */

import { useEffect, useState } from 'preact/hooks';
import type { LiveRun } from '../../data/api.ts';
import type { RunKey } from '../address.ts';
import { apiPath, getJson } from '../server.ts';
import { NONE_ENDED, withEnded, type Ended } from './progress.ts';

/** @param live the newest state, which has only what came since the one before */
export function useEnded(id: RunKey, live: LiveRun): Ended {
  const [ended, setEnded] = useState(NONE_ENDED);
  useEffect(() => {
    const stop = new AbortController();
    getJson<LiveRun>(`${apiPath('runs', id, 'live')}?after=0`, stop.signal).then(
      ({ recorded }) => setEnded((before) => withEnded(before, recorded)),
      // The run's page says that the server does not answer; the charts begin with what comes next.
      () => undefined,
    );
    return () => stop.abort();
  }, [id]);
  useEffect(() => setEnded((before) => withEnded(before, live.recorded)), [live]);
  return ended;
}
