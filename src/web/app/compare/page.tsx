/** Several runs of the log folder beside each other. */

import { useEffect, useState } from 'preact/hooks';
import type { PayloadEpisode, PayloadRun } from '../../data/payload.ts';
import type { ComparedInWords, ViewedRun } from '../../data/api.ts';
import { type RunKey, WHOLE_LIST } from '../address.ts';
import { CompareView } from './index.tsx';
import { useKeys, useNavigation } from '../navigation.tsx';
import { Crumbs } from '../parts.tsx';
import { messageOf, type Loading } from '../source.ts';
import { apiPath, getJson } from '../server.ts';
import { Answered, useTitle } from '../answers.tsx';

interface Compared {
  readonly runs: readonly PayloadRun[];
  readonly sentences: readonly string[];
}

export function ComparePage({ ids }: { readonly ids: readonly RunKey[] }) {
  const { go } = useNavigation();
  useTitle('Compare');
  const up = { page: 'runs', list: WHOLE_LIST } as const;
  useKeys({ u: () => go(up) });
  const compared = useCompared(ids);
  const open = (at: number, { taskId, trial }: PayloadEpisode) => {
    const run = ids[at];
    if (run !== undefined) go({ page: 'episode', run, taskId, trial, step: null });
  };
  return (
    <>
      <Crumbs up={[{ name: 'Runs', route: up }]} />
      <h1>Comparison</h1>
      {ids.length < 2 ? (
        <p class="empty">Pick two or more runs in the list of runs.</p>
      ) : (
        <Answered asked={compared} what="runs">
          {({ runs, sentences }) => <CompareView runs={runs} comparison={sentences} onPick={open} />}
        </Answered>
      )}
    </>
  );
}

function useCompared(ids: readonly RunKey[]) {
  const [loading, setLoading] = useState<Loading<Compared>>({ kind: 'loading' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (ids.length < 2) return undefined;
    const stop = new AbortController();
    setLoading({ kind: 'loading' });
    load(ids, stop.signal).then(
      (value) => setLoading({ kind: 'ready', value }),
      (error: unknown) => {
        if (!stop.signal.aborted) setLoading({ kind: 'failed', message: messageOf(error) });
      },
    );
    return () => stop.abort();
  }, [attempt]);
  const problem = loading.kind === 'failed' ? loading.message : null;
  return { loading, problem, retry: () => setAttempt(attempt + 1) };
}

/** Runs that cannot be compared, of other tasks say, are still shown beside each other, with the reason. */
async function load(ids: readonly RunKey[], signal: AbortSignal): Promise<Compared> {
  const query = ids.map((id) => `run=${encodeURIComponent(id)}`).join('&');
  const [viewed, sentences] = await Promise.all([
    Promise.all(ids.map((id) => getJson<ViewedRun>(apiPath('runs', id), signal))),
    getJson<ComparedInWords>(`${apiPath('compare')}?${query}`, signal).then(
      (answer) => answer.sentences,
      (error: unknown) => [messageOf(error)],
    ),
  ]);
  return { runs: viewed.map(({ run }) => run), sentences };
}
