/** Renders documents for the terminal, and as plain text without one. Pure. */

import Table from 'cli-table3';
import { isEmptyBlock, plainText, toSpans } from '../../results/document/index.ts';
import type { Block, Column, Document, Figure, ListItem, Text } from '../../results/document/index.ts';
import { createColors, cut, escapeControls, type Colors, type TerminalStyle } from './style.ts';

export function renderTerminal(document: Document, style: TerminalStyle): string {
  const blocks = document.filter((block) => !isEmptyBlock(block)).map((block) => renderBlock(block, style, ''));
  return `${blocks.join('\n\n')}\n`;
}

/** @param indent indent of texts within a section */
function renderBlock(block: Block, style: TerminalStyle, indent: string): string {
  const colors = createColors(style);
  switch (block.kind) {
    case 'heading': {
      const title = paint(block.text, colors);
      return [typeof block.text === 'string' ? colors.bold(title) : title, ...block.subtitles.map(escapeControls)].join(
        '\n',
      );
    }
    case 'paragraph':
      return block.lines.map((line) => `${indent}${paint(line, colors)}`).join('\n');
    case 'notes':
      return block.notes.map((note) => colors.yellow(escapeControls(`${block.label}${note}`))).join('\n');
    case 'figures':
      return renderFigures(block.figures, style);
    case 'facts':
      return renderFacts(block.facts);
    case 'table':
      return block.isPlain
        ? renderPlainTable(block.columns, block.rows, style)
        : renderTable(block.columns, block.rows, style);
    case 'list':
      return renderList(block.items, block.most, style).join('\n');
    case 'snippet':
      return [...block.head, block.text, ...(block.note === null ? [] : [colors.yellow(block.note)])].join('\n');
    case 'section':
      return [
        colors.bold(block.title),
        ...block.blocks.filter((each) => !isEmptyBlock(each)).map((each) => renderBlock(each, style, '  ')),
      ].join('\n');
  }
}

function paint(text: Text, colors: Colors): string {
  return toSpans(text)
    .map((span) => {
      const shown = escapeControls(span.text);
      switch (span.tone) {
        case 'good':
          return colors.green(shown);
        case 'bad':
          return colors.red(shown);
        case 'warning':
          return colors.yellow(shown);
        case 'faint':
          return colors.dim(shown);
        case undefined:
          return shown;
      }
    })
    .join('');
}

/** Formats `name value meaning`. The meaning is wrapped in its column, or below the others in a narrow terminal. */
function renderFigures(figures: readonly Figure[], style: TerminalStyle): string {
  const colors = createColors(style);
  const nameWidth = measureLongest(figures.map(({ name }) => name));
  const valueWidth = measureLongest(figures.map(({ value }) => value));
  const intervalWidth = figures.reduce((width, { interval }) => Math.max(width, (interval?.length ?? -1) + 1), 0);
  const indent = 2 + nameWidth + 2 + valueWidth + intervalWidth + 2;
  const isNarrow = style.columns - indent < 24;
  return figures
    .map((figure) => {
      const bounds = figure.interval === undefined ? '' : ` ${figure.interval}`;
      const value = `${colors.bold(figure.value.padStart(valueWidth))}${bounds.padEnd(isNarrow ? 0 : intervalWidth)}`;
      const line = `  ${figure.name.padEnd(nameWidth)}  ${value}`;
      if (figure.meaning === '') return line.trimEnd();
      const [hang, available] = isNarrow ? [4, style.columns - 4] : [indent, style.columns - indent];
      const meaning = wrap(figure.meaning, Math.max(20, available)).map((part) => colors.dim(part));
      const glue = `\n${' '.repeat(hang)}`;
      return `${line}${isNarrow ? glue : '  '}${meaning.join(glue)}`;
    })
    .join('\n');
}

function renderFacts(facts: readonly (readonly [name: string, text: string])[]): string {
  const width = measureLongest(facts.map(([name]) => name));
  return facts.map(([name, text]) => `${name.padEnd(width)}  ${escapeControls(text)}`).join('\n');
}

function renderList(items: readonly ListItem[], most: number, style: TerminalStyle): string[] {
  const lines = items.slice(0, most).map(({ text }) => `  ${escapeControls(text)}`);
  const more = items.length - lines.length;
  const shown = most === Infinity ? lines : lines.map((line) => cut(line, style.columns));
  return more > 0 ? [...shown, `  and ${String(more)} more`] : shown;
}

/** Characters of a table without lines between rows. */
const COMPACT = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' } as const;

/** Renders a table. Columns are left out, then cut, until a row fits the terminal. */
function renderTable(all: readonly Column[], rows: readonly (readonly Text[])[], style: TerminalStyle): string {
  const colors = createColors(style);
  const cells = all.map((column, at) => ({
    column,
    at,
    width: measureLongest([column.head, ...rows.map((row) => escapeControls(plainText(row[at] ?? '')))]),
  }));
  // Each column has a border and a space on both sides of its text, and the table one border more.
  const total = () => shown.reduce((sum, { width }) => sum + width + 3, 1);
  let shown = cells;
  while (total() > style.columns) {
    const next = shown
      .filter(({ column }) => column.dropOrder !== undefined)
      .sort((a, b) => (a.column.dropOrder ?? 0) - (b.column.dropOrder ?? 0))[0];
    if (next === undefined) break;
    shown = shown.filter((each) => each !== next);
  }
  let excess = Math.max(0, total() - style.columns);
  const widths = new Map<Column, number>();
  for (const { column, width } of [...shown].reverse()) {
    if (column.minWidth === undefined) continue;
    const reduced = Math.max(Math.min(width, column.minWidth), width - excess);
    excess -= width - reduced;
    widths.set(column, reduced);
  }
  const table = new Table({
    head: shown.map(({ column }) => colors.bold(column.head)),
    colAligns: shown.map(({ column }) => column.align ?? 'left'),
    chars: COMPACT,
    style: { head: [], border: [] },
  });
  for (const row of rows) {
    table.push(
      shown.map(({ column, at }) => {
        const text = row[at] ?? '';
        const width = widths.get(column);
        return width === undefined ? paint(text, colors) : cut(escapeControls(plainText(text)), width);
      }),
    );
  }
  return table.toString();
}

/** Renders a table without borders, and without its last columns if the terminal is too narrow. */
function renderPlainTable(
  columns: readonly Column[],
  rows: readonly (readonly Text[])[],
  style: TerminalStyle,
): string {
  const texts = [columns.map(({ head }) => head), ...rows.map((row) => row.map(plainText))];
  const widths = columns.map((_, at) => measureLongest(texts.map((row) => row[at] ?? '')));
  while (widths.reduce((sum, width) => sum + width + 2, 0) > style.columns) widths.pop();
  const lines = texts.map((row) => {
    const cells = widths.map((width, at) =>
      columns[at]?.align === 'right' ? (row[at] ?? '').padStart(width) : (row[at] ?? '').padEnd(width),
    );
    return `  ${cells.join('  ')}`.trimEnd();
  });
  const [head = '', ...others] = lines;
  return [createColors(style).dim(head), ...others].join('\n');
}

function measureLongest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, text.length), 0);
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
