/**
 * Sends one prompt and reads its reply: in chat form, and once more in JSON form if the reply cannot be read.
 *
 * A reply is split on marker lines as DSPy does, or read as one JSON object. The first occurrence of a field counts, text
 * after `[[ ## completed ## ]]` does not, a choice must match exactly except for quotes around it, and a flag is true or
 * false in any case, or yes or no.
 *
 * A turn's trajectory is a block of marked fields for each cycle. A cycle's texts never change once written, and each is a
 * prompt part of its own, so every later prompt of the turn shares them. If a prompt does not fit into the model's context
 * window, the oldest cycles (or records) are left out and the model is asked again: first without one, then without two
 * more, then with only the last {@link KEPT}. The query always stays, and cycles that were left out stay out for the rest
 * of the turn.
 */

import { AgentError, type AgentSession, type StrategyOptions, type PromptPart } from '../../port.ts';
import { promptMessages, type PromptInputs, type ReplyForm, marker } from './messages.ts';
import type { OutputField, Signature, SignatureName } from './signatures.ts';
import { dumpJson, type PyDict, type PyValue } from '../../../benchmark/python/index.ts';
import { parseObject, readableJson } from '../json.ts';
import type { AgentContext, Cycle, Turn } from '../context.ts';

export type Answer = Exclude<Reply, { readonly kind: 'unreadable' }>;

/** Neither form of the reply could be read. */
export class UnreadableReply extends AgentError {
  readonly prompt: SignatureName;

  constructor(prompt: SignatureName, problem: string) {
    super('unparsable_reply', `the model's answer to the ${prompt} prompt could not be read: ${problem}`);
    this.name = 'UnreadableReply';
    this.prompt = prompt;
  }
}

/**
 * Only the completion is repeated, never what led to it, so commands that already ran do not run again.
 *
 * @param summary what a person reads of the call in Temporal UI
 * @returns the fields, or the illegal choice that the model made twice
 * @throws UnreadableReply when the JSON form could not be read either
 */
async function ask(
  session: AgentSession,
  options: StrategyOptions,
  signature: Signature,
  inputs: PromptInputs,
  summary: string = signature.name,
): Promise<Answer> {
  const first = await askOnce(session, options, signature, inputs, 'chat', summary);
  if (first.kind === 'fields') return first;
  const second = await askOnce(session, options, signature, inputs, 'json', summary);
  if (second.kind !== 'unreadable') return second;
  throw new UnreadableReply(signature.name, second.problem);
}

/** As {@link ask}, for prompts without a choice. */
export async function askForText(
  session: AgentSession,
  options: StrategyOptions,
  signature: Signature,
  inputs: PromptInputs,
  summary?: string,
): Promise<ReplyFields> {
  return expectFields(signature, await ask(session, options, signature, inputs, summary));
}

/** @throws UnreadableReply for a choice that was not offered */
export function expectFields(signature: Signature, answer: Answer): ReplyFields {
  if (answer.kind === 'fields') return answer.fields;
  throw new UnreadableReply(signature.name, `${answer.value} is no value of ${answer.field}`);
}

async function askOnce(
  session: AgentSession,
  options: StrategyOptions,
  signature: Signature,
  inputs: PromptInputs,
  form: ReplyForm,
  summary: string,
): Promise<Reply> {
  const completion = await session.complete({
    role: signature.role,
    thread: signature.kind,
    messages: promptMessages(signature, inputs, options, form),
    summary: form === 'chat' ? shorten(summary) : `${shorten(summary)}, again as JSON`,
    ...(form === 'json' ? { format: 'json' as const } : {}),
  });
  const reply = readReply(completion.message.content, signature.outputs);
  if (reply.kind === 'unreadable') session.count('unreadable_replies');
  return reply;
}

/** With space for the mark of a second attempt within 100 characters. */
function shorten(summary: string): string {
  return summary.length > 80 ? `${summary.slice(0, 79)}…` : summary;
}

export interface ReplyFields {
  /** Values of text, choice and flag fields, trimmed; a flag's is `true` or `false`. */
  readonly texts: ReadonlyMap<string, string>;
  /** Values of object fields. */
  readonly objects: ReadonlyMap<string, PyDict>;
}

type Reply =
  | { readonly kind: 'fields'; readonly fields: ReplyFields }
  /** Readable but for a choice that is none of those offered. */
  | { readonly kind: 'illegal_choice'; readonly field: string; readonly value: string }
  | { readonly kind: 'unreadable'; readonly problem: string };

/** @param text the model's words; null counts as none */
export function readReply(text: string | null, outputs: readonly OutputField[]): Reply {
  const marked = splitOnMarkers(text ?? '');
  if (marked.size > 0) return checkFields(marked, outputs);
  const object = (text ?? '').includes('{') ? parseObject(text ?? '') : undefined;
  if (object === undefined) return { kind: 'unreadable', problem: 'it has neither field markers nor a JSON object' };
  return checkFields(object, outputs);
}

function splitOnMarkers(text: string): Map<string, string> {
  const sections = new Map<string, string>();
  let field: string | null = null;
  let lines: string[] = [];
  const close = () => {
    if (field !== null && !sections.has(field)) sections.set(field, lines.join('\n').trim());
  };
  for (const line of text.split('\n')) {
    const match = /^\s*\[\[\s*##\s*(\w+)\s*##\s*\]\](.*)$/.exec(line);
    if (match === null) {
      lines.push(line);
      continue;
    }
    close();
    field = match[1] ?? null;
    lines = [match[2] ?? ''];
  }
  close();
  return sections;
}

function checkFields(values: ReadonlyMap<string, PyValue>, outputs: readonly OutputField[]): Reply {
  const texts = new Map<string, string>();
  const objects = new Map<string, PyDict>();
  for (const field of outputs) {
    const value = values.get(field.name);
    if (value === undefined || value === null) {
      if (field.optional !== true) return { kind: 'unreadable', problem: `the field ${field.name} is missing` };
      texts.set(field.name, '');
    } else if (field.kind === 'object') {
      const object = parseObject(asText(value));
      if (object === undefined) return { kind: 'unreadable', problem: `the field ${field.name} is not a JSON object` };
      objects.set(field.name, object);
    } else if (field.kind === 'flag') {
      const flag = asFlag(asText(value));
      if (flag === undefined) return { kind: 'unreadable', problem: `the field ${field.name} is not true or false` };
      texts.set(field.name, flag);
    } else {
      texts.set(field.name, asText(value).trim());
    }
  }
  for (const field of outputs) {
    if (field.kind !== 'choice') continue;
    const value = (texts.get(field.name) ?? '').replace(/^(["'])(.*)\1$/, '$2');
    if (!field.choices.includes(value)) return { kind: 'illegal_choice', field: field.name, value };
    texts.set(field.name, value);
  }
  return { kind: 'fields', fields: { texts, objects } };
}

function asFlag(text: string): 'true' | 'false' | undefined {
  const word = text
    .trim()
    .replace(/^(["'`])(.*)\1$/, '$2')
    .replace(/\.$/, '')
    .trim()
    .toLowerCase();
  if (word === 'true' || word === 'yes') return 'true';
  return word === 'false' || word === 'no' ? 'false' : undefined;
}

/** A JSON reply may hold a list of steps where text was asked for; its JSON is as good a text as any. */
function asText(value: PyValue): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join('\n');
  return dumpJson(value);
}

/** The newest cycles, or records, that stay in any case. */
export const KEPT = 3;

/**
 * Asks with the turn's trajectory among the inputs.
 * @throws AgentError `context_overflow` when the query and the last cycles alone do not fit
 */
export function askWithTrajectory(
  { session, options }: Pick<AgentContext, 'session' | 'options'>,
  turn: Turn,
  signature: Signature,
  inputs: (trajectory: readonly PromptPart[]) => PromptInputs,
  summary?: string,
): Promise<Answer> {
  return askShortened(
    session,
    { length: turn.cycles.length, from: turn.shownFrom ?? 0, count: 'trajectory_truncations' },
    (from) => {
      const isShortened = from > (turn.shownFrom ?? 0);
      turn.shownFrom = from;
      return ask(
        session,
        options,
        signature,
        inputs(trajectoryParts(turn.cycles, from)),
        isShortened ? `${summary ?? signature.name}, shortened` : summary,
      );
    },
  );
}

interface Shown {
  /** Items that there are. */
  readonly length: number;
  /** The first that is shown. */
  readonly from: number;
  /** Counts how often items were left out. */
  readonly count: string;
}

/** Calls `askFrom` with the first item to show, and again with later ones for as long as the prompt does not fit. */
export async function askShortened<T>(
  session: AgentSession,
  shown: Shown,
  askFrom: (from: number) => Promise<T>,
): Promise<T> {
  const last = Math.max(shown.from, shown.length - KEPT);
  let from = shown.from;
  for (let more = 1; ; more++) {
    try {
      return await askFrom(from);
    } catch (error) {
      if (!(error instanceof AgentError) || error.kind !== 'context_overflow' || from === last) throw error;
      from = more < 3 ? Math.min(from + more, last) : last;
      session.count(shown.count);
      session.tell({ what: 'note', text: `The prompt was too long: what came before ${from} is no longer shown.` });
    }
  }
}

/**
 * The cycles' fields, numbered from 0.
 * @param from leaves out the cycles before this one; the others keep their numbers
 */
export function trajectoryParts(cycles: readonly Cycle[], from = 0): PromptPart[] {
  return cycles.flatMap((cycle, i) => {
    if (i < from) return [];
    const parts: PromptPart[] = [];
    const fields: string[] = [];
    if (cycle.thought !== undefined) fields.push(`${marker(`thought_${i}`)}\n${cycle.thought}`);
    if (cycle.tool !== undefined) {
      fields.push(`${marker(`tool_name_${i}`)}\n${cycle.tool.name}`);
      fields.push(`${marker(`tool_args_${i}`)}\n${readableJson(cycle.tool.args)}`);
    }
    if (fields.length > 0) parts.push(`${fields.join('\n\n')}\n\n`);
    if (cycle.observation === undefined) return parts;
    const heading = `${marker(`observation_${i}`)}\n`;
    return typeof cycle.observation === 'string'
      ? [...parts, `${heading}${cycle.observation}\n\n`]
      : [...parts, heading, cycle.observation, '\n\n'];
  });
}
