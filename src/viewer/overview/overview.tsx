/** A run at a glance: what it was, its key figures, its episodes, its charts. */

import './overview.css';
import type { PayloadEpisode, PayloadRun } from '../../results/page/index.ts';
import { Charts } from '../charts/index.tsx';
import { useKeys } from '../keyboard.ts';
import { useNavigation } from '../place.tsx';
import type { Search } from '../search.ts';
import { EpisodeList } from './episode-list.tsx';
import { FilterBar } from './filter-bar.tsx';
import { Grid } from './grid.tsx';
import { KeyFigures } from './key-figures.tsx';
import { Remarks } from './remarks.tsx';
import { SubjectHead } from './subject-head.tsx';

export interface OverviewProps {
  readonly run: PayloadRun;
  readonly index: number;
  /** The episodes that the filters let through. */
  readonly shown: readonly PayloadEpisode[];
  readonly search: Search;
  readonly onPick: (episode: PayloadEpisode) => void;
}

export function Overview({ run, index, shown, search, onPick }: OverviewProps) {
  const { place } = useNavigation();
  const [first] = shown;
  useKeys({
    j: first === undefined ? undefined : () => onPick(first),
    '/': () => document.querySelector<HTMLInputElement>('#search')?.focus(),
  });
  return (
    <>
      <SubjectHead run={run} />
      <KeyFigures run={run} />
      <Remarks run={run} />
      <section aria-labelledby="episodes-title">
        <h2 id="episodes-title">Episodes</h2>
        <FilterBar run={run} shown={shown.length} search={search} />
        <Grid run={run} index={index} shown={shown} />
        <EpisodeList key={JSON.stringify(place.filters)} index={index} shown={shown} />
      </section>
      <section aria-labelledby="charts-title">
        <h2 id="charts-title">Charts</h2>
        <Charts run={run} onPick={onPick} />
      </section>
    </>
  );
}
