/** Filters of the list of runs; all of them are in the address. */

import { formatAmount } from '../../../results/document/index.ts';
import type { ListedRun } from '../../data/api.ts';
import { WHOLE_LIST, type ListFilters } from '../address.ts';
import { Choice } from '../overview/filter-bar.tsx';
import { spaceWords, tally } from '../words.ts';
import { COLUMNS, findRunStatus } from './data.ts';

interface ListFilterBarProps {
  readonly runs: readonly ListedRun[];
  readonly shown: number;
  readonly filters: ListFilters;
  readonly onChange: (changes: Partial<ListFilters>) => void;
}

export function ListFilterBar({ runs, shown, filters, onChange }: ListFilterBarProps) {
  const { query, status, domain, sort } = filters;
  const isFiltered = query !== '' || status !== null || domain !== null;
  const statuses = tally<string>(runs.map(findRunStatus));
  const domains = tally(runs.map(({ subject }) => subject.env));
  return (
    <form class="row filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label class="search">
        <span class="unseen">Search runs</span>
        <input
          id="list-search"
          type="search"
          placeholder="Run, model, strategy, schedule, baseline…"
          value={query}
          onInput={(event) => onChange({ query: event.currentTarget.value })}
        />
      </label>
      <Choice
        name="Status"
        value={status}
        options={statuses.map(([name, n]): [string, string] => [name, `${spaceWords(name)} (${n})`])}
        onChoose={(chosen) => onChange({ status: chosen })}
      />
      <Choice
        name="Domain"
        value={domain}
        options={domains.map(([name, n]): [string, string] => [name, `${name} (${n})`])}
        onChoose={(chosen) => onChange({ domain: chosen })}
      />
      <label class="pick-one sort-choice">
        <span class="unseen">Order</span>
        <select
          value={sort}
          onChange={({ currentTarget }) => {
            const column = COLUMNS.find((one) => one.sort === currentTarget.value);
            if (column?.sort !== undefined) onChange({ sort: column.sort, isReversed: false });
          }}
        >
          {COLUMNS.map((column) =>
            column.sort === undefined ? null : (
              <option key={column.sort} value={column.sort}>
                by {column.title.toLowerCase()}
              </option>
            ),
          )}
        </select>
      </label>
      <output class="shown muted">
        {shown === runs.length ? formatAmount(shown, 'run') : `${shown} of ${formatAmount(runs.length, 'run')}`}
      </output>
      {isFiltered ? (
        <button
          type="button"
          class="text-button"
          onClick={() => onChange({ query: '', status: WHOLE_LIST.status, domain: WHOLE_LIST.domain })}
        >
          show all
        </button>
      ) : null}
    </form>
  );
}
