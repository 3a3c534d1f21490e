/** Counts as horizontal bars: a table whose cells are drawn, so that long names wrap and every figure is text. */

import { count } from '../../results/figures.ts';
import { ChartFrame } from './chart-frame.tsx';
import { breakdownSentence, type Breakdown } from './breakdown-data.ts';
import { percent } from './words.ts';

export interface BarsProps {
  readonly title: string;
  /** What is counted, such as `failed episode`. */
  readonly thing: string;
  readonly breakdown: Breakdown;
}

export function Bars({ title, thing, breakdown }: BarsProps) {
  return (
    <ChartFrame title={title} sentence={breakdownSentence(breakdown, thing)} table={null}>
      {breakdown.bars.length === 0 ? null : (
        <BarTable
          rows={breakdown.bars.map((bar) => ({
            name: bar.title,
            figure: `${count(bar.count)} (${percent(bar.share)})`,
            share: bar.share,
          }))}
        />
      )}
    </ChartFrame>
  );
}

export interface BarRow {
  readonly name: string;
  /** What is written beside the bar. */
  readonly figure: string;
  /** Length of the bar, in [0, 1]. */
  readonly share: number;
}

export function BarTable({ rows }: { readonly rows: readonly BarRow[] }) {
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
