/** Live transcript of an open episode, in Markdown for Temporal UI. */

import type { TranscriptLine } from '../agents/index.ts';
import { asMarkdown, formatCode } from './markdown.ts';

/** Most bytes of details; Temporal keeps 20 kB. */
const DETAILS_BYTES = 12_000;
const LINE_CHARS = 600;

/** The conversation of an open episode in Markdown: the newest part that fits. Older lines are dropped. */
export class LiveTranscript {
  readonly #paragraphs: string[] = [];
  readonly #head: readonly string[];
  #bytes = 0;
  #isCut = false;

  /** @param head text above the conversation */
  constructor(...head: readonly string[]) {
    this.#head = head;
  }

  /** @param label @default the kind of line */
  add({ what, text }: TranscriptLine, label: string = what): void {
    const shown = text.length <= LINE_CHARS ? text : `${text.slice(0, LINE_CHARS - 1)}…`;
    const paragraph = `**${label}**: ${CODE.has(what) ? formatCode(shown) : quoteWords(shown)}`;
    this.#paragraphs.push(paragraph);
    this.#bytes += countBytes(paragraph);
    while (this.#bytes > DETAILS_BYTES) {
      this.#bytes -= countBytes(this.#paragraphs.shift() ?? '');
      this.#isCut = true;
    }
  }

  toMarkdown(): string {
    return [...this.#head, ...(this.#isCut ? ['…'] : []), ...this.#paragraphs].join('\n\n');
  }
}

/** Kinds of lines with tags and braces, which Markdown would interpret. */
const CODE: ReadonlySet<TranscriptLine['what']> = new Set(['command', 'step', 'observation']);

/** Formats a text; several lines are quoted, so that they stay together. */
function quoteWords(text: string): string {
  const escaped = asMarkdown(text);
  return escaped.includes('\n') ? `\n> ${escaped.replaceAll('\n', '\n> ')}` : escaped;
}

/**
 * Returns the bytes of a paragraph in UTF-8, with the empty line before it; an upper bound for characters outside the
 * first plane.
 */
function countBytes(paragraph: string): number {
  let bytes = 2;
  for (let i = 0; i < paragraph.length; i++) {
    const unit = paragraph.charCodeAt(i);
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
  }
  return bytes;
}
