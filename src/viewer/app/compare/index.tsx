/** Shows several runs side by side. */

import { useMemo, useState } from 'preact/hooks';
import './compare.css';
import type { ComparedInWords } from '../../data/api.ts';
import type { PayloadEpisode, PayloadRun } from '../../data/payload.ts';
import { ChartFrame, DataTable } from '../charts/frame.tsx';
import { DocumentView } from '../document.tsx';
import { Folded } from '../parts.tsx';
import { CurvesPlot, curvesTable } from '../charts/pass-curve.tsx';
import { scoreCurve } from '../charts/pass-curve-data.ts';
import { CostOfRuns, type NamedRuns } from './cost-of-runs.tsx';
import { runNames, otherTasks } from './data.ts';
import { TaskDifferenceList } from './task-differences.tsx';
import { formatCount, formatInterval, formatShare, formatUsd } from '../../../results/document/index.ts';

interface CompareViewProps {
  readonly runs: readonly PayloadRun[];
  readonly comparison: Omit<ComparedInWords, 'document'> & Partial<ComparedInWords>;
  /** @param run position among the runs */
  readonly onPick: (run: number, episode: PayloadEpisode) => void;
}

export function CompareView({ runs, comparison, onPick }: CompareViewProps) {
  const { sentences, settings, document = [] } = comparison;
  const names = useMemo(() => runNames(runs), [runs]);
  return (
    <div class="stack comparison">
      <h2 class="unseen">All runs</h2>
      {sentences[0] === undefined ? null : <p class="comparison-verdict">{sentences[0]}</p>}
      <RunsTable runs={runs} names={names} />
      <div class="columns">
        {sentences.length < 2 ? null : (
          <ChartFrame title="Comparison result" sentence="" table={null}>
            {sentences.slice(1).map((line, index) => (
              <p key={index} class="comparison-line">
                {line}
              </p>
            ))}
          </ChartFrame>
        )}
        <Settings settings={settings} names={names} />
        <Curves runs={runs} names={names} />
        <CostOfRuns runs={runs} names={names} />
      </div>
      {document.length === 0 ? null : (
        <Folded
          class="panel boxed"
          summary="Figures, causes and steps of tasks, and seeds, as tauflow compare has them"
          isOpen
        >
          {() => <DocumentView blocks={document} />}
        </Folded>
      )}
      <TwoRuns runs={runs} names={names} onPick={onPick} />
    </div>
  );
}

type SettingsProps = Pick<NamedRuns, 'names'> & Pick<ComparedInWords, 'settings'>;

function Settings({ settings, names }: SettingsProps) {
  const sentence =
    settings.length === 0
      ? 'Nothing that the report knows of.'
      : 'A difference of the scores may be due to any of these.';
  const table = {
    head: ['', ...names],
    rows: () => settings.map(({ name, values }) => [name, ...values]),
  };
  return (
    <ChartFrame title="Differences in settings" sentence={sentence} table={null}>
      {settings.length === 0 ? null : <DataTable table={table} />}
    </ChartFrame>
  );
}

const NO_REFERENCES: readonly never[] = [];

function Curves({ runs, names }: NamedRuns) {
  const curves = useMemo(() => runs.map(({ metrics }, index) => scoreCurve(metrics, names[index])), [runs, names]);
  const sentence = 'The chance that k trials of a task all succeed, errors as failures.';
  return (
    <ChartFrame title="pass^k" sentence={sentence} table={curvesTable(curves)}>
      <CurvesPlot label={sentence} curves={curves} references={NO_REFERENCES} />
    </ChartFrame>
  );
}

function TwoRuns({ runs, names, onPick }: NamedRuns & Pick<CompareViewProps, 'onPick'>) {
  const [[first, second], choose] = useState<readonly [number, number]>([0, 1]);
  const [before, after] = [runs[first], runs[second]];
  if (before === undefined || after === undefined) return null;
  const reason = otherTasks(before, after);
  const side = (run: PayloadRun, index: number) => ({
    run,
    name: names[index] ?? '',
    onPick: (episode: PayloadEpisode) => onPick(index, episode),
  });
  return (
    <section class="stack">
      <h2>
        {names[first]} → {names[second]}
      </h2>
      {runs.length === 2 ? null : (
        <p class="row">
          <Choice label="From" names={names} chosen={first} onChoose={(index) => choose([index, second])} />
          <Choice label="to" names={names} chosen={second} onChoose={(index) => choose([first, index])} />
        </p>
      )}
      {reason === null ? (
        <TaskDifferenceList before={side(before, first)} after={side(after, second)} />
      ) : (
        <p>{reason}</p>
      )}
    </section>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly names: readonly string[];
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
}

function Choice({ label, names, chosen, onChoose }: ChoiceProps) {
  return (
    <label>
      {label}{' '}
      <select value={chosen} onChange={(event) => onChoose(Number(event.currentTarget.value))}>
        {names.map((name, index) => (
          <option key={name} value={index}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

const MOST_KS = 4;

function RunsTable({ runs, names }: { readonly runs: readonly PayloadRun[]; readonly names: readonly string[] }) {
  const most = Math.min(MOST_KS, Math.max(...runs.map(({ metrics }) => metrics.errorsAsFailures.passHatK.length)));
  const ks = Array.from({ length: most }, (_, index) => index + 1);
  const table = {
    head: ['Run', 'Episodes', ...ks.map((k) => `pass^${k}`), 'Cost', 'an episode', 'Tokens in', 'out'],
    rows: () => runs.map((run, index) => [names[index] ?? '', ...cells(run, ks)]),
  };
  return (
    <ChartFrame
      title="Runs"
      sentence="Errors count as failures; in brackets the 95 % intervals, over tasks."
      table={null}
    >
      <DataTable table={table} />
    </ChartFrame>
  );
}

function cells({ metrics }: PayloadRun, ks: readonly number[]): string[] {
  const { errorsAsFailures, uncertainty, costs, episodes } = metrics;
  return [
    formatCount(episodes),
    ...ks.map((k) => {
      const value = errorsAsFailures.passHatK.find((passHat) => passHat.k === k)?.value ?? null;
      const bounds = uncertainty.passHatK.find((passHat) => passHat.k === k)?.interval ?? null;
      return bounds === null ? formatShare(value) : `${formatShare(value)} ${formatInterval(bounds)}`;
    }),
    formatUsd(costs.totalUsd),
    formatUsd(costs.perEpisodeUsd),
    ...(costs.roles.length === 0 ? ['—', '—'] : [formatCount(costs.promptTokens), formatCount(costs.completionTokens)]),
  ];
}
