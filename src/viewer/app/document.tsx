/** Shows a document, such as a comparison, without links to files. */

import type { ComponentChildren } from 'preact';
import { isEmptyBlock, plainText, type Block, type Document, type Text } from '../../results/document/index.ts';
import { CellText } from './parts.tsx';

/** @param level level of its headings, from 2 */
export function DocumentView({ blocks, level = 3 }: { readonly blocks: Document; readonly level?: number }) {
  return (
    <div class="stack document">
      {blocks
        .filter((block) => !isEmptyBlock(block))
        .map((block, at) => (
          <BlockView key={at} block={block} level={level} />
        ))}
    </div>
  );
}

function BlockView({ block, level }: { readonly block: Block; readonly level: number }) {
  switch (block.kind) {
    case 'heading':
      return (
        <div>
          <Title level={level}>{plainText(block.text)}</Title>
          {block.subtitles.map((line, at) => (
            <p key={at} class="small muted">
              {line}
            </p>
          ))}
        </div>
      );
    case 'paragraph':
      return <Lines lines={block.lines} />;
    case 'notes':
      return <Lines lines={block.notes.map((note) => `${block.label}${note}`)} />;
    case 'figures':
      return (
        <Table
          head={[]}
          rows={block.figures.map(({ name, value, interval, meaning }) => [
            name,
            interval === undefined ? value : `${value} ${interval}`,
            meaning,
          ])}
        />
      );
    case 'facts':
      return <Table head={[]} rows={block.facts} />;
    case 'table':
      return <Table head={block.columns.map(({ head }) => head)} rows={block.rows} />;
    case 'list':
      return (
        <ul>
          {block.items.map(({ text, details = [] }, at) => (
            <li key={at}>
              {text}
              <Lines lines={details} />
            </li>
          ))}
        </ul>
      );
    case 'snippet':
      return (
        <pre class="text-block" tabIndex={0}>
          {[...block.head, block.text].join('\n')}
        </pre>
      );
    case 'section':
      return (
        <section>
          <Title level={level}>{block.title}</Title>
          <DocumentView blocks={block.blocks} level={level + 1} />
        </section>
      );
  }
}

function Title({ level, children }: { readonly level: number; readonly children: ComponentChildren }) {
  const Name = `h${String(Math.min(level, 6))}` as 'h3';
  return <Name>{children}</Name>;
}

function Lines({ lines }: { readonly lines: readonly Text[] }) {
  return (
    <>
      {lines.map((line, at) => (
        <p key={at}>{plainText(line)}</p>
      ))}
    </>
  );
}

interface TableProps {
  readonly head: readonly string[];
  /** The first cell names the row. */
  readonly rows: readonly (readonly Text[])[];
}

function Table({ head, rows }: TableProps) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Figures">
      <table class="table">
        {head.length === 0 ? null : (
          <thead>
            <tr>
              {head.map((name) => (
                <th key={name} scope="col">
                  <CellText text={name} />
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map(([first = '', ...rest], row) => (
            <tr key={row}>
              <th scope="row">
                <CellText text={plainText(first)} />
              </th>
              {rest.map((cell, at) => (
                <td key={at}>
                  <CellText text={plainText(cell)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
