/** Frame of every chart: a title, a sentence that says what it shows, and its figures as a folded table. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface TableCell {
  readonly text: string;
  /** Makes it a button. */
  readonly onPick?: () => void;
}

export interface FigureTable {
  readonly head: readonly string[];
  /** The first cell names the row; a function, because a table that nobody opens is not made. */
  readonly rows: () => readonly (readonly (string | TableCell)[])[];
}

export interface ChartFrameProps {
  readonly title: string;
  readonly sentence: string;
  /** null: the chart is a table itself. */
  readonly table: FigureTable | null;
  readonly children?: ComponentChildren;
}

export function ChartFrame({ title, sentence, table, children }: ChartFrameProps) {
  return (
    <figure class="chart">
      <figcaption>
        <h3>{title}</h3>
        {sentence === '' ? null : <p>{sentence}</p>}
      </figcaption>
      {children}
      {table === null ? null : <FoldedTable title={title} table={table} />}
    </figure>
  );
}

function FoldedTable({ title, table }: { readonly title: string; readonly table: FigureTable }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Figures<span class="unseen"> of {title}</span>
      </summary>
      {isOpen ? <DataTable table={table} /> : null}
    </details>
  );
}

export function DataTable({ table }: { readonly table: FigureTable }) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Figures">
      <table>
        <thead>
          <tr>
            {table.head.map((name) => (
              <th key={name} scope="col">
                {name}
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
  if (typeof cell === 'string') return <>{cell}</>;
  if (cell.onPick === undefined) return <>{cell.text}</>;
  return (
    <button type="button" class="link" onClick={cell.onPick}>
      {cell.text}
    </button>
  );
}
