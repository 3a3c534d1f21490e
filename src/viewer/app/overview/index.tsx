/** The overview of a run: configuration, key figures, episodes, charts. */

import { formatAmount } from '../../../results/document/index.ts';
import './overview.css';
import type { ComponentChildren } from 'preact';
import type { PayloadEpisode, PayloadRun } from '../../data/payload.ts';
import { Charts } from '../charts/index.tsx';
import { useKeys, useNavigation, useRunRoutes } from '../navigation.tsx';
import type { Search } from '../source.ts';
import { EpisodeList, Grid } from './episodes.tsx';
import { FilterBar } from './filter-bar.tsx';
import { KeyFigures } from './key-figures.tsx';
import { spaceWords } from '../words.ts';
import { Folded, WithCode } from '../parts.tsx';

interface OverviewProps {
  readonly run: PayloadRun;
  readonly shown: readonly PayloadEpisode[];
  readonly search: Search;
  /** Replacement of the key figures, which would mislead for a run in progress; null: show the key figures. */
  readonly children?: ComponentChildren;
}

export function Overview({ run, shown, search, children }: OverviewProps) {
  const { place, go } = useNavigation();
  const { episode } = useRunRoutes();
  const open = (one: PayloadEpisode) => go(episode(one));
  const [first] = shown;
  useKeys({
    j: first === undefined ? undefined : () => open(first),
    '/': () => document.querySelector<HTMLInputElement>('#search')?.focus(),
  });
  return (
    <>
      <SubjectHead run={run} />
      <Remarks run={run} />
      {children ?? <KeyFigures run={run} />}
      <LeaderboardRow row={run.leaderboardRow} />
      <section aria-labelledby="episodes-title">
        <h2 id="episodes-title">Episodes</h2>
        <FilterBar run={run} shown={shown.length} search={search} />
        <Grid run={run} shown={shown} />
        <EpisodeList key={JSON.stringify(place.filters)} shown={shown} />
      </section>
      <section aria-labelledby="charts-title">
        <h2 id="charts-title">Charts</h2>
        <Charts run={run} onPick={open} />
      </section>
    </>
  );
}

function SubjectHead({ run }: { readonly run: PayloadRun }) {
  const { subject } = run;
  const status = run.state?.status ?? subject.status;
  const facts: readonly (readonly [string, string | null])[] = [
    ['Domain', joinParts(subject.env, subject.split, ', ')],
    ['Strategy', subject.strategy],
    ['Agent', joinParts(subject.agentModel, subject.agentProvider, ' · ')],
    ['User', joinParts(joinParts(subject.userModel, subject.userProvider, ' · '), subject.userStrategy, ' · ')],
    ['Pack', subject.pack],
    ['Status', status === null ? null : spaceWords(status)],
    ['Started', formatMoment(subject.startedAt)],
    ['Ended', formatMoment(subject.endedAt)],
  ];
  return (
    <>
      <h1>{subject.runId}</h1>
      <dl class="row facts">
        {facts.map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      {subject.variants.length === 0 ? null : (
        <ul class="row" aria-label="Settings other than the defaults">
          {subject.variants.map((variant) => (
            <li key={variant} class="tag">
              {variant}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function joinParts(first: string | null, second: string | null, mark: string): string | null {
  const parts = [first, second].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(mark);
}

/** Formats a time: `2026-11-22 02:34 UTC`. */
function formatMoment(iso: string | null): string | null {
  return iso === null ? null : `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

function Remarks({ run }: { readonly run: PayloadRun }) {
  const { remarks, problems } = run;
  return (
    <>
      {remarks.length === 0 ? null : (
        <section class="callout is-accent" aria-label="Remarks">
          <ul>
            {remarks.map((remark) => (
              <li key={remark}>
                <WithCode text={remark} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {problems.length === 0 ? null : (
        <Folded class="callout is-bad" summary={`${formatAmount(problems.length, 'file')} could not be used`}>
          {() => (
            <ul>
              {problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          )}
        </Folded>
      )}
    </>
  );
}

function LeaderboardRow({ row }: { readonly row: string | null }) {
  if (row === null) return null;
  return (
    <Folded class="small muted" summary="Row for a leaderboard">
      {() => <pre class="text-block">{row}</pre>}
    </Folded>
  );
}
