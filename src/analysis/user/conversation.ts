/** The conversation from the simulated user's side: what it said, and what it had been given until then. */

import { RESPOND, STOP_MARKER, type EnvData } from '../../benchmark/index.ts';
import type { AnalyzedEpisode, AnalyzedStep, UserFault, UserFaultKind } from '../types.ts';
import { dumpJson, isDict, isList, type PyValue } from '../../benchmark/python/index.ts';

export interface UserView {
  readonly data: EnvData;
  readonly episode: AnalyzedEpisode;
  readonly turns: readonly UserTurn[];
}

export type Detector = (view: UserView) => UserFault[];

/** Longer words of a customer are cut: the step is named, and the record has all of it. */
const LONGEST_QUOTE = 300;

export function makeUserFault(
  kind: UserFaultKind,
  severity: UserFault['severity'],
  { step, text }: Pick<UserTurn, 'step' | 'text'>,
  sentence: string,
): UserFault {
  const quote = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
  return { kind, severity, step, quote, sentence };
}

/** Everything that was said somewhere, as it was said and {@link squash}ed. */
interface Known {
  readonly raw: string;
  readonly squashed: string;
}

export interface UserTurn {
  /** The step whose answer it is, 1-based; 0: the opening. */
  readonly step: number;
  /** Without the stop marker. */
  readonly text: string;
  readonly stops: boolean;
  /** The message that it replies to; null for the first one. */
  readonly agentText: string | null;
  /** The instruction, and what the agent has said to the customer until then. */
  readonly heard: Known;
  /** That, and what tools were asked and have answered: the customer has not seen it, the agent has. */
  readonly onRecord: Known;
}

/**
 * The code by which our scripted customer tells the scripted agent their task. It is no misbehaviour: without it the
 * two could not be told which task they play. Nobody else has a reason to write it.
 */
const SCRIPT_MARK = /\[case \S+ s-?\d+\]/g;

/**
 * Characters of one message or call that are read, half of them at its beginning and half at its end. Each turn is held
 * against everything before it, so the time grows with the square of a conversation; ordinary messages have at most
 * about 2,000.
 */
const MAX_CHARS = 10_000;

/** In order; steps whose answer the recording does not have are passed over. */
export function listUserTurns({ task, opening, steps }: AnalyzedEpisode): UserTurn[] {
  const turns: UserTurn[] = [];
  let heard = add(NOTHING, task.instruction);
  let onRecord = heard;
  if (opening !== null) turns.push(makeTurn(0, opening, null, heard, onRecord));
  for (const [at, step] of steps.entries()) {
    if (step.action.name !== RESPOND) {
      onRecord = add(onRecord, `${keepEnds(dumpJson(step.action.kwargs))}\n${step.observation ?? ''}`);
      continue;
    }
    const agentText = keepEnds(readSpokenText(step));
    heard = add(heard, agentText);
    onRecord = add(onRecord, agentText);
    if (step.observation !== null) turns.push(makeTurn(at + 1, step.observation, agentText, heard, onRecord));
  }
  return turns;
}

/** Small letters and digits only, so that `#W 23-78` and `w2378` are the same. */
export function squash(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Words in small letters; an apostrophe belongs to its word. */
export function splitWords(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}]+(?:'[\p{L}]+)*/gu) ?? []
  );
}

/**
 * `text.includes(part)` in time linear in both: the engine's own search compares a long part anew at each place where
 * it begins alike (Knuth, Morris, Pratt).
 */
export function containsText(text: string, part: string): boolean {
  const borders = new Int32Array(part.length);
  for (let at = 1, length = 0; at < part.length; at++) {
    while (length > 0 && part.charCodeAt(at) !== part.charCodeAt(length)) length = borders[length - 1] ?? 0;
    if (part.charCodeAt(at) === part.charCodeAt(length)) length++;
    borders[at] = length;
  }
  let matched = 0;
  for (let at = 0; at < text.length && matched < part.length; at++) {
    while (matched > 0 && text.charCodeAt(at) !== part.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
    if (text.charCodeAt(at) === part.charCodeAt(matched)) matched++;
  }
  return matched === part.length;
}

const NOTHING: Known = { raw: '', squashed: '' };

/** Separates added texts, so that no id is made of the end of one and the start of another. */
function add({ raw, squashed }: Known, text: string): Known {
  return { raw: `${raw}\n${text}`, squashed: `${squashed}\n${squash(text)}` };
}

function makeTurn(step: number, said: string, agentText: string | null, heard: Known, onRecord: Known): UserTurn {
  const text = keepEnds(said).replaceAll(STOP_MARKER, ' ').replace(SCRIPT_MARK, '').trim();
  return { step, text, stops: said.includes(STOP_MARKER), agentText, heard, onRecord };
}

function keepEnds(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  return `${text.slice(0, MAX_CHARS / 2)}\n${text.slice(-MAX_CHARS / 2)}`;
}

function readSpokenText({ action }: AnalyzedStep): string {
  const content = action.kwargs.get('content');
  return typeof content === 'string' ? content : '';
}

/** Every text inside a value, however deep; not the keys. */
export function collectTexts(value: PyValue): string[] {
  if (typeof value === 'string') return [value];
  if (isList(value)) return value.flatMap(collectTexts);
  if (isDict(value)) return Array.from(value.values()).flatMap(collectTexts);
  return [];
}
