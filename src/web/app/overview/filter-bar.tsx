/** Filters of the episode list; all of them are in the address. */

import { useContext } from 'preact/hooks';
import { formatAmount } from '../../../results/document/index.ts';
import { FAULT_KINDS, type FaultKind } from '../../../analysis/index.ts';
import type { PayloadRun } from '../../data/payload.ts';
import type { RowOutcome } from '../../../results/log/index.ts';
import { isFiltered, NO_FILTERS, type Filters } from '../address.ts';
import { useNavigation } from '../navigation.tsx';
import { NotesContext } from '../notes.ts';
import type { Search } from '../source.ts';
import { spoken } from '../words.ts';

interface FilterBarProps {
  readonly run: PayloadRun;
  /** Number of episodes that pass the filters. */
  readonly shown: number;
  readonly search: Search;
}

export function FilterBar({ run, shown, search }: FilterBarProps) {
  const { place, amend } = useNavigation();
  const { filters } = place;
  const set = (changes: Partial<Filters>) => amend({ filters: { ...filters, ...changes } });
  const { episodes, notes: taskNotes } = run;
  const notes = useContext(NotesContext);
  const outcomes = tally(episodes.map(({ outcome }) => outcome));
  const faults = tally(episodes.flatMap((episode) => [...new Set(episode.faults.map(({ kind }) => kind))]));
  const suspects = episodes.filter(({ isSuspect }) => isSuspect).length;
  const defective = new Set(taskNotes?.defects.map(({ taskId }) => taskId)).size;
  return (
    <form class="row filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label class="search">
        <span class="unseen">Search episodes</span>
        <input
          id="search"
          type="search"
          placeholder="Task (17 or 17/2), tool, fault, error…"
          value={filters.query}
          onInput={(event) => set({ query: event.currentTarget.value })}
        />
      </label>
      <label class="row">
        <input
          type="checkbox"
          checked={filters.inConversations}
          onChange={(event) => set({ inConversations: event.currentTarget.checked })}
        />
        in conversations too
      </label>
      <Choice
        name="Reward"
        value={filters.reward}
        options={[
          ['solved', 'solved'],
          ['unsolved', 'not solved'],
        ]}
        onChoose={(reward) => set({ reward })}
      />
      <Choice
        name="Outcome"
        value={filters.outcome}
        options={outcomes.map(([outcome, n]): [RowOutcome, string] => [outcome, `${spoken(outcome)} (${String(n)})`])}
        onChoose={(outcome) => set({ outcome })}
      />
      {faults.length === 0 ? null : (
        <Choice
          name="Fault"
          value={filters.fault}
          options={faults.map(([kind, n]): [FaultKind, string] => [kind, `${FAULT_KINDS[kind]} (${String(n)})`])}
          onChoose={(fault) => set({ fault })}
        />
      )}
      {suspects === 0 ? null : (
        <label class="row">
          <input
            type="checkbox"
            checked={filters.suspect}
            onChange={(event) => set({ suspect: event.currentTarget.checked })}
          />
          suspect user ({suspects})
        </label>
      )}
      {defective === 0 ? null : (
        <label class="row">
          <input
            type="checkbox"
            checked={filters.defect}
            onChange={(event) => set({ defect: event.currentTarget.checked })}
          />
          known defect ({formatAmount(defective, 'task')})
        </label>
      )}
      {notes.size === 0 ? null : (
        <label class="row">
          <input
            type="checkbox"
            checked={filters.labelled}
            onChange={(event) => set({ labelled: event.currentTarget.checked })}
          />
          with a note ({notes.size})
        </label>
      )}
      <output class="shown muted">
        {shown === episodes.length
          ? formatAmount(shown, 'episode')
          : `${String(shown)} of ${formatAmount(episodes.length, 'episode')}`}
        {search.progress < 1 ? ` · looked through ${String(Math.round(search.progress * 100))} %` : null}
        {search.problem === null ? null : ` · ${search.problem}`}
      </output>
      {isFiltered(filters) ? (
        <button type="button" class="text-button" onClick={() => amend({ filters: NO_FILTERS })}>
          show all
        </button>
      ) : null}
    </form>
  );
}

interface ChoiceProps<T extends string> {
  readonly name: string;
  readonly value: T | null;
  readonly options: readonly (readonly [T, string])[];
  readonly onChoose: (value: T | null) => void;
}

export function Choice<T extends string>({ name, value, options, onChoose }: ChoiceProps<T>) {
  return (
    <label class={value === null ? 'pick-one' : 'pick-one is-chosen'}>
      <span class="unseen">{name}</span>
      <select
        value={value ?? ''}
        onChange={({ currentTarget }) => onChoose(options.find(([key]) => key === currentTarget.value)?.[0] ?? null)}
      >
        <option value="">{name}: any</option>
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The most frequent first. */
function tally<T extends string>(values: readonly T[]): [T, number][] {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
