/** The frame of every chart, with plots, bars, and tables of figures. */

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { plot, pointerX, tip, type Markish, type PlotOptions, type TipOptions } from '@observablehq/plot';
import './charts.css';
import { CellText, Folded } from '../parts.tsx';
import { useWidth } from '../window.ts';
import { formatCount } from '../../../results/document/index.ts';
import type { PayloadEpisode, PayloadRun } from '../../data/payload.ts';
import type { Breakdown } from './episode-data.ts';
import { percent, tickUsd } from './words.ts';

interface TableCell {
  readonly text: string;
  /** Makes the cell a button. */
  readonly onPick?: () => void;
}

export interface FigureTable {
  readonly head: readonly string[];
  /** Returns the rows, when the table is opened. The first cell names the row. */
  readonly rows: () => readonly (readonly (string | TableCell)[])[];
}

/** Properties of a chart of one run. */
export interface ChartProps {
  readonly run: PayloadRun;
  readonly onPick: (episode: PayloadEpisode) => void;
}

interface ChartFrameProps {
  readonly title: string;
  readonly sentence: string;
  /** Figures of the chart; null: the chart is itself a table. */
  readonly table: FigureTable | null;
  readonly children?: ComponentChildren;
}

/** Shows a chart with its title, a sentence on its content, and its figures as a folded table. */
export function ChartFrame({ title, sentence, table, children }: ChartFrameProps) {
  return (
    <figure class="panel chart">
      <figcaption>
        <h3>{title}</h3>
        {sentence === '' ? null : <p class="small muted">{sentence}</p>}
      </figcaption>
      {children}
      {table === null ? null : (
        <Folded
          summary={
            <>
              <span class="muted">Figures</span>
              <span class="unseen"> of {title}</span>
            </>
          }
        >
          {() => <DataTable table={table} />}
        </Folded>
      )}
    </figure>
  );
}

export function DataTable({ table }: { readonly table: FigureTable }) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Figures">
      <table class="table">
        <thead>
          <tr>
            {table.head.map((name) => (
              <th key={name} scope="col">
                <CellText text={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows().map(([first, ...rest], row) => (
            <tr key={row}>
              {first === undefined ? null : (
                <th scope="row">
                  <Cell cell={first} />
                </th>
              )}
              {rest.map((cell, column) => (
                <td key={column}>
                  <Cell cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ cell }: { readonly cell: string | TableCell }) {
  if (typeof cell === 'string') return <CellText text={cell} />;
  if (cell.onPick === undefined) return <CellText text={cell.text} />;
  return (
    <button type="button" class="text-button" onClick={cell.onPick}>
      {cell.text}
    </button>
  );
}

interface PlotBoxProps<Data, Datum> {
  /** Sentence on the plot for screen readers. */
  readonly label: string;
  /** Data to plot; the same object as long as the data is the same. */
  readonly data: Data;
  /** Returns options for a width in CSS pixels. */
  readonly draw: (data: Data, width: number) => PlotOptions;
  /** Opens the datum at the pointer. */
  readonly onPick?: (datum: Datum) => void;
}

const MARGINS = { marginTop: 30, marginRight: 18, marginBottom: 40, marginLeft: 44 } as const;

/**
 * A plot that is redrawn when its width or data change. Colors are custom properties, so a new theme needs no
 * redrawing.
 */
export function PlotBox<Data, Datum = never>({ label, data, draw, onPick }: PlotBoxProps<Data, Datum>) {
  const box = useRef<HTMLDivElement>(null);
  const pick = useRef(onPick);
  pick.current = onPick;
  const width = useWidth(box);
  useLayoutEffect(() => {
    if (box.current === null || width === 0) return;
    const drawing = plot({ width, ariaLabel: label, className: 'plot', ...MARGINS, ...draw(data, width) });
    drawing.setAttribute('role', 'img');
    // Plot names the groups of its marks ("rect"), which screen readers should not read.
    for (const group of drawing.querySelectorAll('g[aria-label]')) group.setAttribute('aria-hidden', 'true');
    const onClick = () => {
      const datum: unknown = drawing.value;
      if (datum !== null && datum !== undefined) pick.current?.(datum as Datum);
    };
    drawing.addEventListener('click', onClick);
    box.current.replaceChildren(drawing);
  }, [data, draw, label, width]);
  return <div ref={box} class={onPick === undefined ? 'plot-box' : 'plot-box can-pick'} />;
}

interface BarsProps {
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

interface BarRow {
  readonly name: string;
  readonly figure: string;
  /** Length of the bar, in [0, 1]. */
  readonly share: number;
}

/** Horizontal bars as a table, in which long names wrap and figures are text. */
export function BarTable({ rows }: { readonly rows: readonly BarRow[] }) {
  if (rows.length === 0) return null;
  return (
    <table class="bars">
      <tbody>
        {rows.map(({ name, figure, share }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="number">{figure}</td>
            <td class="track" aria-hidden="true">
              <div class="share" style={{ width: `${String(share * 100)}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/**
 * Returns the tip of the datum at the pointer.
 * @param nearest finds the datum, by default the nearest along the x axis
 */
export function pointerTip<Datum>(
  data: readonly Datum[],
  options: Omit<TipOptions, 'title'> & { readonly title: (datum: Datum) => string },
  nearest = pointerX,
): Markish {
  return tip(data, nearest({ ...options, fill: 'var(--panel)', stroke: 'var(--line)', textPadding: 8 }));
}

export function costAxis(label: string, width: number) {
  return { label, ticks: Math.max(2, Math.floor(width / 110)), tickFormat: tickUsd, zero: true } as const;
}
