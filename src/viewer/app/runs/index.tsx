/** All runs of the log folder. */

import { useMemo, useState } from 'preact/hooks';
import './runs.css';
import { formatAmount } from '../../../results/document/index.ts';
import type { RunList } from '../../data/api.ts';
import type { ListFilters } from '../address.ts';
import { useKeys, useNavigation } from '../navigation.tsx';
import { Folded } from '../parts.tsx';
import type { LoadState } from '../source.ts';
import { Answered, useTitle } from '../answers.tsx';
import { filterRuns } from './data.ts';
import { ListFilterBar } from './list-filter-bar.tsx';
import { RunTable } from './run-table.tsx';

export function RunsPage({ list, filters }: { readonly list: LoadState<RunList>; readonly filters: ListFilters }) {
  useTitle('Runs');
  return (
    <>
      <h1 class="unseen">Runs</h1>
      <Answered asked={list} what="runs">
        {(answer) => <Runs answer={answer} filters={filters} />}
      </Answered>
    </>
  );
}

function Runs({ answer, filters }: { readonly answer: RunList; readonly filters: ListFilters }) {
  const { go, amend } = useNavigation();
  const [picked, setPicked] = useState<readonly string[]>([]);
  const shown = useMemo(() => filterRuns(answer.runs, filters), [answer, filters]);
  useKeys({ '/': () => document.getElementById('list-search')?.focus(), j: () => move(1), k: () => move(-1) });
  const set = (changes: Partial<ListFilters>) => amend({ route: { page: 'runs', list: { ...filters, ...changes } } });
  const pick = (id: string) =>
    setPicked(picked.includes(id) ? picked.filter((other) => other !== id) : [...picked, id]);
  if (answer.runs.length === 0 && answer.problems.length === 0) {
    return (
      <p class="empty">
        There are no runs in {answer.logDir} yet. Start one with <code>tauflow run</code>: it appears here.
      </p>
    );
  }
  return (
    <>
      <ListFilterBar runs={answer.runs} shown={shown.length} filters={filters} onChange={set} />
      {answer.problems.length === 0 ? null : (
        <Folded
          class="callout is-bad"
          summary={`${formatAmount(answer.problems.length, 'folder or file', 'folders or files')} could not be read`}
        >
          {() => (
            <ul>
              {answer.problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          )}
        </Folded>
      )}
      {shown.length === 0 ? (
        <p class="empty">No run matches the filters.</p>
      ) : (
        <RunTable runs={shown} filters={filters} picked={picked} onPick={pick} onSort={set} />
      )}
      <div class="picked" role="status">
        {picked.length === 0 ? null : (
          <div class="panel picked-bar">
            <span>
              {picked.length === 1 ? '1 run picked: pick another one to compare' : `${picked.length} runs picked`}
            </span>
            <button
              type="button"
              class="button is-main"
              disabled={picked.length < 2}
              onClick={() => go({ page: 'compare', runs: picked })}
            >
              Compare
            </button>
            <button type="button" class="text-button" onClick={() => setPicked([])}>
              Clear
            </button>
          </div>
        )}
      </div>
    </>
  );
}

/** Focuses the next or the previous run's link. */
function move(by: number): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.runs a.run-name')];
  const at = links.findIndex((link) => link === document.activeElement);
  links[at === -1 ? 0 : at + by]?.focus();
}
