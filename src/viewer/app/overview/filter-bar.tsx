/** Filters of the episode list; all of them are in the address. */

import { useContext } from 'preact/hooks';
import { formatAmount } from '../../../results/document/index.ts';
import { FAULT_KINDS, type FaultKind } from '../../../analysis/index.ts';
import type { PayloadRun } from '../../data/payload.ts';
import type { RowOutcome } from '../../../run-log/index.ts';
import { isFiltered, NO_FILTERS, type Filters } from '../address.ts';
import { useNavigation } from '../navigation.tsx';
import { NotesContext } from '../notes.ts';
import type { Search } from '../source.ts';
import { spaceWords, tally } from '../words.ts';

interface FilterBarProps {
  readonly run: PayloadRun;
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
      <Check
        name="in conversations too"
        isOn={filters.inConversations}
        onSet={(isOn) => set({ inConversations: isOn })}
      />
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
        options={outcomes.map(([outcome, n]): [RowOutcome, string] => [outcome, `${spaceWords(outcome)} (${n})`])}
        onChoose={(outcome) => set({ outcome })}
      />
      {faults.length === 0 ? null : (
        <Choice
          name="Fault"
          value={filters.fault}
          options={faults.map(([kind, n]): [FaultKind, string] => [kind, `${FAULT_KINDS[kind]} (${n})`])}
          onChoose={(fault) => set({ fault })}
        />
      )}
      {suspects === 0 ? null : (
        <Check name={`suspect user (${suspects})`} isOn={filters.suspect} onSet={(suspect) => set({ suspect })} />
      )}
      {defective === 0 ? null : (
        <Check
          name={`known defect (${formatAmount(defective, 'task')})`}
          isOn={filters.defect}
          onSet={(defect) => set({ defect })}
        />
      )}
      {notes.size === 0 ? null : (
        <Check name={`with a note (${notes.size})`} isOn={filters.labelled} onSet={(labelled) => set({ labelled })} />
      )}
      <output class="shown muted">
        {shown === episodes.length
          ? formatAmount(shown, 'episode')
          : `${shown} of ${formatAmount(episodes.length, 'episode')}`}
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

interface CheckProps {
  readonly name: string;
  readonly isOn: boolean;
  readonly onSet: (isOn: boolean) => void;
}

function Check({ name, isOn, onSet }: CheckProps) {
  return (
    <label class="row">
      <input type="checkbox" checked={isOn} onChange={(event) => onSet(event.currentTarget.checked)} />
      {name}
    </label>
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
