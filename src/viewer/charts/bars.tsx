/** Counts as horizontal bars: a table whose cells are drawn, so that long names wrap and every figure is text. */

import { formatCount } from '../../results/document/index.ts';
import type { Breakdown } from './breakdown-data.ts';
import { ChartFrame } from './chart-frame.tsx';
import { percent } from './words.ts';

export interface BarsProps {
  readonly title: string;
  readonly breakdown: Breakdown;
}

export function Bars({ title, breakdown: { bars, sentence } }: BarsProps) {
  const rows = bars.map((bar) => ({
    name: bar.title,
    figure: `${formatCount(bar.count)} (${percent(bar.share)})`,
    share: bar.share,
  }));
  return (
    <ChartFrame title={title} sentence={sentence} table={null}>
      <BarTable rows={rows} />
    </ChartFrame>
  );
}

export interface BarRow {
  readonly name: string;
  /** Label beside the bar. */
  readonly figure: string;
  /** Length of the bar, in [0, 1]. */
  readonly share: number;
}

export function BarTable({ rows }: { readonly rows: readonly BarRow[] }) {
  if (rows.length === 0) return null;
  return (
    <table class="bars">
      <tbody>
        {rows.map(({ name, figure, share }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="figure">{figure}</td>
            <td class="bar" aria-hidden="true">
              <div style={{ width: `${String(share * 100)}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
