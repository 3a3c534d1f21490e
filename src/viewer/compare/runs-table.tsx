/** The runs, a row each. */

import { formatCount, formatInterval, formatShare, formatUsd } from '../../results/document/index.ts';
import type { PayloadRun } from '../../results/page/index.ts';
import { ChartFrame, DataTable } from '../charts/chart-frame.tsx';

export interface RunsTableProps {
  readonly runs: readonly PayloadRun[];
  readonly names: readonly string[];
}

const MOST_KS = 4;

export function RunsTable({ runs, names }: RunsTableProps) {
  const most = Math.min(MOST_KS, Math.max(...runs.map(({ metrics }) => metrics.errorsAsFailures.passHatK.length)));
  const ks = Array.from({ length: most }, (_, index) => index + 1);
  const table = {
    head: ['Run', 'Episodes', ...ks.map((k) => `pass^${String(k)}`), 'Cost', 'an episode', 'Tokens in', 'out'],
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
