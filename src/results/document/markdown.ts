/** Documents as Markdown, to be pasted into an issue, a chat or a wiki. Pure. */

import { isEmptyBlock, plainText, toSpans, type Block, type Document, type Figure, type Text } from './model.ts';

export function renderMarkdown(document: Document): string {
  return `${renderBlocks(document)}\n`;
}

function renderBlocks(blocks: readonly Block[]): string {
  return blocks
    .filter((block) => !isEmptyBlock(block))
    .map(renderBlock)
    .join('\n\n');
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return [`# ${escapeMarkup(plainText(block.text))}`, block.subtitles.map(escapeMarkup).join('  \n')]
        .filter((part) => part !== '')
        .join('\n\n');
    case 'paragraph':
      return block.lines.map(renderText).join('\n');
    case 'notes':
      return block.notes.map((note) => `> ${escapeText(note)}`).join('\n>\n');
    case 'figures':
      return renderTable(['', '', ''], block.figures.map(figureCells));
    case 'facts':
      return renderTable(['', ''], block.facts);
    case 'table':
      return renderTable(
        block.columns.map(({ head }) => head),
        block.rows.map((row) => row.map(plainText)),
      );
    case 'list':
      return block.items
        .map(({ text, details = [] }) => [`- ${escapeMarkup(text)}`, ...details.map(renderText)].join('\n  - '))
        .join('\n');
    case 'snippet':
      return [[...block.head, block.text].join('\n'), ...(block.note === null ? [] : [`> ${block.note}`])].join('\n\n');
    case 'section':
      return `## ${block.title}\n\n${renderBlocks(block.blocks)}`;
  }
}

function figureCells({ name, value, interval, meaning }: Figure): readonly string[] {
  return [name, interval === undefined ? value : `${value} ${interval}`, meaning];
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkup).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function renderText(text: Text): string {
  return toSpans(text)
    .map((span) => (span.href === undefined ? escapeText(span.text) : `[${escapeText(span.text)}](${span.href})`))
    .join('');
}

/** Escapes HTML, links and line feeds, because a model may have written the text. */
function escapeText(text: string): string {
  return text
    .replace(/<(?=[a-z/!?])/gi, '&lt;')
    .replaceAll('](', ']\\(')
    .replaceAll('\n', ' ');
}

/** Escapes a text for a table cell. */
function escapeMarkup(text: string): string {
  return escapeText(text).replaceAll('|', '\\|');
}
