/** The page that compares runs of a log folder. */

import type { PayloadEpisode, PayloadRun } from '../../data/payload.ts';
import type { ComparedInWords, ViewedRun } from '../../data/api.ts';
import { type RunKey, WHOLE_LIST } from '../address.ts';
import { CompareView } from './index.tsx';
import { useKeys, useNavigation } from '../navigation.tsx';
import { Crumbs } from '../parts.tsx';
import { toErrorMessage, useLoaded } from '../source.ts';
import { apiPath, getJson } from '../server.ts';
import { Answered, useTitle } from '../answers.tsx';

interface ComparisonProps extends ComparedInWords {
  readonly runs: readonly PayloadRun[];
}

export function ComparePage({ ids }: { readonly ids: readonly RunKey[] }) {
  const { go } = useNavigation();
  useTitle('Compare');
  const up = { page: 'runs', list: WHOLE_LIST } as const;
  useKeys({ u: () => go(up) });
  const compared = useLoaded(ids.length < 2 ? null : ids.join('\n'), (signal) => load(ids, signal));
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
          {({ runs, ...comparison }) => <CompareView runs={runs} comparison={comparison} onPick={open} />}
        </Answered>
      )}
    </>
  );
}

/** Loads runs. Runs that cannot be compared are shown with the reason. */
async function load(ids: readonly RunKey[], signal: AbortSignal): Promise<ComparisonProps> {
  const query = ids.map((id) => `run=${encodeURIComponent(id)}`).join('&');
  const [viewed, compared] = await Promise.all([
    Promise.all(ids.map((id) => getJson<ViewedRun>(apiPath('runs', id), signal))),
    getJson<ComparedInWords>(`${apiPath('compare')}?${query}`, signal).then(
      (answer) => answer,
      (error: unknown) => ({ sentences: [toErrorMessage(error)], document: [], settings: [] }),
    ),
  ]);
  return { runs: viewed.map(({ run }) => run), ...compared };
}
