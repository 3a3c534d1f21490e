/** The content of a report, a comparison, an estimate or a status, independent of layout. Pure. */

/** Emphasis of a text, which a renderer may ignore. */
export type Tone = 'good' | 'bad' | 'warning' | 'faint';

interface Span {
  readonly text: string;
  readonly tone?: Tone;
  readonly href?: string;
}

export type Text = string | readonly (string | Span)[];

export interface Figure {
  readonly name: string;
  readonly value: string;
  /** Confidence interval, `[0.74, 0.89]`; absent if there is none. */
  readonly interval?: string;
  readonly meaning: string;
}

export interface Column {
  readonly head: string;
  /** Alignment of the column. @default 'left' */
  readonly align?: 'left' | 'right';
  /** Order in which columns are left out if a line lacks space. @default the column stays */
  readonly dropOrder?: number;
  /** Characters to which the column is cut if leaving columns out is not enough. @default never cut */
  readonly minWidth?: number;
}

export interface ListItem {
  readonly text: string;
  /** Further lines, for renderers with enough space. */
  readonly details?: readonly Text[];
}

export type Block =
  | { readonly kind: 'heading'; readonly text: Text; readonly subtitles: readonly string[] }
  | { readonly kind: 'paragraph'; readonly lines: readonly Text[] }
  | { readonly kind: 'notes'; readonly notes: readonly string[]; readonly label: string }
  | { readonly kind: 'figures'; readonly figures: readonly Figure[] }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | {
      readonly kind: 'table';
      readonly columns: readonly Column[];
      readonly rows: readonly (readonly Text[])[];
      readonly isPlain: boolean;
    }
  /** A list. A renderer with little space shows `most` items on one line each, and the number of further items. */
  | { readonly kind: 'list'; readonly items: readonly ListItem[]; readonly most: number }
  /** Text to copy, and the Markdown to put above it. */
  | { readonly kind: 'snippet'; readonly text: string; readonly head: readonly string[]; readonly note: string | null }
  | { readonly kind: 'section'; readonly title: string; readonly blocks: readonly Block[] };

export type Document = readonly Block[];

export type Fact = readonly [name: string, text: string];

export function heading(text: Text, ...subtitles: readonly string[]): Block {
  return { kind: 'heading', text, subtitles: subtitles.filter((line) => line !== '') };
}

export function paragraph(...lines: readonly Text[]): Block {
  return { kind: 'paragraph', lines };
}

/** @param label prefix of each note, such as `warning: `; Markdown shows notes as quotations without it */
export function notes(sentences: readonly string[], label = ''): Block {
  return { kind: 'notes', notes: sentences, label };
}

export function figures(list: Iterable<Figure>): Block {
  return { kind: 'figures', figures: [...list] };
}

/** Creates a block of facts; leaves out facts whose text is null. */
export function facts(list: readonly (readonly [name: string, text: string | null])[]): Block {
  return { kind: 'facts', facts: list.filter((fact): fact is Fact => fact[1] !== null) };
}

/** @param isPlain true for a table without borders @default false */
export function table(columns: readonly Column[], rows: readonly (readonly Text[])[], isPlain = false): Block {
  return { kind: 'table', columns, rows, isPlain };
}

/** @param most see {@link Block} @default all items, in full */
export function list(items: readonly (string | ListItem)[], most = Infinity): Block {
  return { kind: 'list', items: items.map((item) => (typeof item === 'string' ? { text: item } : item)), most };
}

export function snippet(text: string, head: readonly string[], note: string | null): Block {
  return { kind: 'snippet', text, head, note };
}

export function section(title: string, ...blocks: readonly Block[]): Block {
  return { kind: 'section', title, blocks };
}

/** True if the block has nothing to show; renderers then leave it out. */
export function isEmptyBlock(block: Block): boolean {
  switch (block.kind) {
    case 'heading':
    case 'snippet':
      return false;
    case 'paragraph':
      return block.lines.every((line) => plainText(line) === '');
    case 'notes':
      return block.notes.length === 0;
    case 'figures':
      return block.figures.length === 0;
    case 'facts':
      return block.facts.length === 0;
    case 'table':
      return block.rows.length === 0;
    case 'list':
      return block.items.length === 0;
    case 'section':
      return block.blocks.every(isEmptyBlock);
  }
}

export function toSpans(text: Text): readonly Span[] {
  if (typeof text === 'string') return [{ text }];
  return text.map((part) => (typeof part === 'string' ? { text: part } : part));
}

export function plainText(text: Text): string {
  return toSpans(text)
    .map((span) => span.text)
    .join('');
}
