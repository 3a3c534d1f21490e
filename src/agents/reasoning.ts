/**
 * Separates thoughts from the rest of a text.
 *
 * Servers without a reasoning parser leave a model's reasoning in its content, as `<think>…</think>`, and agents pass
 * it on. LiteLLM, with which tau-bench calls models, also moves such blocks into `reasoning_content`.
 */

import type { AssistantMessage } from './port.ts';
import { METADATA_MARKERS, OPENING_WORDS, TEXT_MARKERS, THINK_TAGS, type TextMarker } from './thought-markers.ts';

interface SplitReply {
  /** The text without its thoughts; the unchanged text if it has no marker. */
  readonly content: string;
  /** The thoughts joined by line breaks; null if there are none. */
  readonly reasoning: string | null;
}

type Splitter = (text: string) => SplitReply;

const splitMarkers = createSplitter(TEXT_MARKERS);
const splitThinkTags = createSplitter([THINK_TAGS]);

/**
 * Separates the thoughts of a text from the rest, in time linear in the text's length. Thoughts are:
 *
 * - a thought between an opening and a closing marker, anywhere;
 * - a thought that is cut off: from an opening marker at the beginning of a line to the end of the text;
 * - a thought whose opening marker was part of the prompt: everything before a closing marker without an opening one;
 * - a thought that begins the text with known plain words, and ends with others.
 */
export function splitReasoning(text: string): SplitReply {
  const inWords = splitOpeningWords(text);
  if (inWords === null) return splitMarkers(text);
  const { content, reasoning } = splitMarkers(inWords.content);
  return { content, reasoning: reasoning === null ? inWords.reasoning : `${inWords.reasoning}\n${reasoning}` };
}

/** Moves the reasoning in a message's content into a field of its own. */
export function separateReasoning(message: AssistantMessage): AssistantMessage {
  if (message.content === null) return message;
  const { content, reasoning } = splitReasoning(message.content);
  if (reasoning === null) return content === message.content ? message : { ...message, content };
  const said = content === '' && message.tool_calls !== undefined ? null : content;
  return { ...message, content: said, reasoning_content: reasoning };
}

/** Returns the message in the form in which a model sees it again. */
export function withoutReasoningContent(message: AssistantMessage): AssistantMessage {
  const { reasoning_content: reasoning, ...rest } = message;
  return reasoning === undefined ? message : rest;
}

/** @returns the text without its thoughts */
export function withoutThoughts(text: string): string {
  return splitReasoning(text).content;
}

/**
 * @returns the text without the insides of `<think>` and `<thinking>`. Other markers stay, because workflows use this
 *   function, and a recorded reply must not change.
 */
export function withoutThinkTags(text: string): string {
  return splitThinkTags(text).content;
}

/** Most entries of metadata to read. */
const MOST_ENTRIES = 100;

/** True if the metadata of an A2A message, artifact or part marks it as a thought. */
export function marksThought(metadata: Readonly<Record<string, unknown>> | undefined, isNested = false): boolean {
  const { flags, kindKeys, kinds } = METADATA_MARKERS;
  return Object.entries(metadata ?? {})
    .slice(0, MOST_ENTRIES)
    .some(([key, value]) => {
      if (value === true || value === 'true') return flags.test(key);
      if (typeof value === 'string') return kindKeys.test(key) && kinds.test(value);
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      return isObject && !isNested && marksThought(value as Readonly<Record<string, unknown>>, true);
    });
}

interface FoundMarker {
  readonly start: number;
  readonly end: number;
  readonly marker: TextMarker;
}

function createSplitter(markers: readonly TextMarker[]): Splitter {
  const opening = new Map<string, TextMarker>();
  const closing = new Map<string, TextMarker[]>();
  const removed = new Set<string>();
  for (const marker of markers) {
    for (const word of marker.opens) opening.set(word.toLowerCase(), marker);
    for (const word of marker.closes.map((each) => each.toLowerCase())) {
      closing.set(word, [...(closing.get(word) ?? []), marker]);
      if (marker.isToken) removed.add(word);
    }
    for (const word of marker.wrappers ?? []) removed.add(word.toLowerCase());
  }
  // The longest first, because one marker may begin with another.
  const words = [...new Set([...opening.keys(), ...closing.keys(), ...removed])].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(words.map(escapePattern).join('|'), 'gi');

  return (text) => {
    const kept: string[] = [];
    const thoughts: string[] = [];
    let keptTo = 0;
    let opened: FoundMarker | null = null;
    for (const { 0: written, index: start } of text.matchAll(pattern)) {
      const word = written.toLowerCase();
      const end = start + written.length;
      const closes = closing.get(word) ?? [];
      if (opened !== null) {
        // Another marker within a thought belongs to the thought.
        if (!closes.includes(opened.marker)) continue;
        kept.push(text.slice(keptTo, opened.start));
        thoughts.push(text.slice(opened.end, start));
        keptTo = end;
        opened = null;
        continue;
      }
      const marker = opening.get(word);
      if (marker !== undefined) opened = { start, end, marker };
      else if (closes.some((each) => closesAlone(each, text, start, end))) {
        thoughts.push(text.slice(keptTo, start));
        keptTo = end;
      } else if (removed.has(word)) {
        kept.push(text.slice(keptTo, start));
        keptTo = end;
      }
    }
    if (opened !== null && (opened.marker.isToken || beginsLine(text, opened.start))) {
      kept.push(text.slice(keptTo, opened.start));
      thoughts.push(text.slice(opened.end));
      keptTo = text.length;
    }
    if (keptTo === 0) return { content: text, reasoning: null };
    kept.push(text.slice(keptTo));
    const shown = thoughts.map((thought) =>
      thought.replace(pattern, (word) => (removed.has(word.toLowerCase()) ? '' : word)).trim(),
    );
    return { content: kept.join('').trim(), reasoning: shown.length === 0 ? null : shown.join('\n') };
  };
}

function closesAlone({ closesAlone: where }: TextMarker, text: string, start: number, end: number): boolean {
  if (where !== 'line') return where === 'anywhere';
  return beginsLine(text, start) && /^[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + MOST_BLANKS));
}

/** Most blanks beside a marker to read. */
const MOST_BLANKS = 20;

function beginsLine(text: string, at: number): boolean {
  return /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - MOST_BLANKS), at));
}

function splitOpeningWords(text: string): { readonly content: string; readonly reasoning: string } | null {
  const start = text.search(/\S/);
  for (const { opens, closes } of OPENING_WORDS) {
    const opened = opens.find((word) => text.startsWith(word, start));
    if (opened === undefined) continue;
    const closed = new RegExp(closes.map(escapePattern).join('|')).exec(text);
    if (closed === null) continue;
    return {
      content: text.slice(closed.index + closed[0].length).trim(),
      reasoning: text.slice(start + opened.length, closed.index).trim(),
    };
  }
  return null;
}

function escapePattern(word: string): string {
  return word.replace(/[|[\]/.]/g, String.raw`\$&`);
}
