/**
 * Sends one prompt and reads its reply: in chat form, and once more in JSON form if the reply cannot be read.
 *
 * A turn's trajectory is a block of marked fields for each cycle. Texts of a cycle never change, and each is a separate
 * prompt part, so later prompts of the turn share them. If a prompt does not fit into the model's context window, it is
 * sent again without the oldest cycles (or records): first without one, then without two more, then with only the last
 * {@link KEPT}. The query is always included, and cycles that were left out stay out for the rest of the turn.
 */

import { AgentError, type AgentSession, type StrategyOptions, type PromptPart } from '../../port.ts';
import { promptMessages, nameSchema, type PromptInputs, type ReplyForm } from './messages.ts';
import { readProse, parseReply, type Reply, type ReplyFields } from './reply.ts';
import { marker, type Signature, type SignatureName } from './signatures.ts';
import { readableJson } from '../json.ts';
import type { AgentContext, Cycle, Turn } from '../context.ts';

export type ReadableReply = Exclude<Reply, { readonly kind: 'unreadable' }>;

/** Error of a reply that could not be read in either form. */
export class UnreadableReply extends AgentError {
  readonly prompt: SignatureName;
  readonly problem: string;

  constructor(prompt: SignatureName, problem: string) {
    super('unparsable_reply', `the model's answer to the ${prompt} prompt could not be read: ${problem}`);
    this.name = 'UnreadableReply';
    this.prompt = prompt;
    this.problem = problem;
  }
}

/**
 * Sends a prompt, and once more if the reply cannot be read. Only the completion is repeated, so no command runs twice.
 *
 * @param summary description of the call in Temporal UI
 * @returns the fields, or the illegal choice that the model made twice
 * @throws UnreadableReply if the JSON form cannot be read either, and contains no words that can be the answer
 */
async function ask(
  session: AgentSession,
  options: StrategyOptions,
  signature: Signature,
  inputs: PromptInputs,
  summary: string = signature.name,
): Promise<ReadableReply> {
  const first = await askOnce(session, options, signature, inputs, 'chat', summary);
  if (first.reply.kind === 'fields') return first.reply;
  const second = await askOnce(session, options, signature, inputs, 'json', summary);
  if (second.reply.kind !== 'unreadable') return second.reply;
  const prose = readProse(second.content, signature.outputs) ?? readProse(first.content, signature.outputs);
  if (prose === undefined) throw new UnreadableReply(signature.name, second.reply.problem);
  session.count('loose_replies');
  return { kind: 'fields', fields: prose, isLoose: true };
}

/** Calls {@link ask} for prompts without a choice. */
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
export function expectFields(signature: Signature, answer: ReadableReply): ReplyFields {
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
): Promise<{ readonly reply: Reply; readonly content: string | null }> {
  const completion = await session.complete({
    role: signature.role,
    thread: signature.thread,
    messages: promptMessages(signature, inputs, options, form),
    summary: form === 'chat' ? shorten(summary) : `${shorten(summary)}, again as JSON`,
    ...(form === 'json' ? { format: 'json' as const, ...nameSchema(signature) } : {}),
  });
  const { content } = completion.message;
  const reply = parseReply(content, signature.outputs);
  if (reply.kind === 'unreadable') session.count('unreadable_replies');
  if (reply.kind === 'fields' && reply.isLoose) session.count('loose_replies');
  return { reply, content };
}

/** Shortens a summary to 100 characters, including the mark of a second attempt. */
function shorten(summary: string): string {
  return summary.length > 80 ? `${summary.slice(0, 79)}…` : summary;
}

/** Number of the newest cycles, or records, that are never left out. */
export const KEPT = 3;

/**
 * Sends a prompt with the turn's trajectory among the inputs.
 * @throws AgentError `context_overflow` if even the query and the last cycles do not fit
 */
export function askWithTrajectory(
  { session, options }: Pick<AgentContext, 'session' | 'options'>,
  turn: Turn,
  signature: Signature,
  inputs: (trajectory: readonly PromptPart[]) => PromptInputs,
  summary?: string,
): Promise<ReadableReply> {
  // The answer is written from the whole trajectory.
  const isWhole = signature.name === 'extract';
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
        inputs(trajectoryParts(turn.cycles, from, isWhole)),
        isShortened ? `${summary ?? signature.name}, shortened` : summary,
      );
    },
  );
}

interface ShownItems {
  /** Number of items. */
  readonly length: number;
  /** First item that is shown. */
  readonly from: number;
  /** Name of the counter for left-out items. */
  readonly count: string;
}

/** Calls `askFrom` with the first item to show, and with later items as long as the prompt does not fit. */
export async function askShortened<T>(
  session: AgentSession,
  shown: ShownItems,
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
      session.transcribe({
        what: 'note',
        text: `The prompt was too long: what came before ${from} is no longer shown.`,
      });
    }
  }
}

/**
 * Returns the cycles' fields, numbered from 0.
 * @param from first cycle to include; cycles keep their numbers
 * @param isWhole true: whole observations, also of cycles that have a label
 */
export function trajectoryParts(cycles: readonly Cycle[], from = 0, isWhole = false): PromptPart[] {
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
    const observation = isWhole ? cycle.observation : (cycle.label ?? cycle.observation);
    if (observation === undefined) return parts;
    const heading = `${marker(`observation_${i}`)}\n`;
    return typeof observation === 'string'
      ? [...parts, `${heading}${observation}\n\n`]
      : [...parts, heading, observation, '\n\n'];
  });
}
