/**
 * The live transcript: the conversation of an open episode as Temporal UI shows it, in Markdown, the newest part that fits.
 * Lines that can no longer be shown are not kept either.
 */

import type { TranscriptLine } from '../src/agents/index.ts';
import { asMarkdown } from './details.ts';

/** Temporal keeps 20 kB of details. */
const DETAILS_BYTES = 12_000;
const LINE_CHARS = 600;

export class LiveTranscript {
  readonly #paragraphs: string[] = [];
  #bytes = 0;
  #isCut = false;

  /** @param label @default what the line is */
  add({ what, text }: TranscriptLine, label: string = what): void {
    const shown = text.length <= LINE_CHARS ? text : `${text.slice(0, LINE_CHARS - 1)}…`;
    const paragraph = `**${label}**: ${CODE.has(what) ? code(shown) : words(shown)}`;
    this.#paragraphs.push(paragraph);
    this.#bytes += sizeOf(paragraph);
    while (this.#bytes > DETAILS_BYTES) {
      this.#bytes -= sizeOf(this.#paragraphs.shift() ?? '');
      this.#isCut = true;
    }
  }

  toMarkdown(): string {
    return [...(this.#isCut ? ['…'] : []), ...this.#paragraphs].join('\n\n');
  }
}

/** Texts with tags and braces, which Markdown would take for its own. */
const CODE: ReadonlySet<TranscriptLine['what']> = new Set(['command', 'step', 'observation']);

/** On one line, between more back-ticks than the text has in a row. */
function code(text: string): string {
  const longest = Array.from(text.matchAll(/`+/g)).reduce((most, [run]) => Math.max(most, run.length), 0);
  const fence = '`'.repeat(longest + 1);
  const padding = longest > 0 || text === '' ? ' ' : '';
  return `${fence}${padding}${text.replace(/\s+/g, (space) => (space.includes('\n') ? ' ' : space))}${padding}${fence}`;
}

/** A text of several lines is quoted, so that it stays together. */
function words(text: string): string {
  const escaped = asMarkdown(text);
  return escaped.includes('\n') ? `\n> ${escaped.replaceAll('\n', '\n> ')}` : escaped;
}

/** Bytes in UTF-8 with the empty line before; a bound for what is outside the first plane. */
function sizeOf(paragraph: string): number {
  let bytes = 2;
  for (let i = 0; i < paragraph.length; i++) {
    const unit = paragraph.charCodeAt(i);
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
  }
  return bytes;
}
