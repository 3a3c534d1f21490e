/** One prompt and its reply: asked in chat form, and once more in JSON form when the reply cannot be read. */

import { AgentError, type AgentSession, type StrategyOptions } from '../../port.ts';
import { promptMessages, type PromptInputs, type ReplyForm } from './messages.ts';
import { readReply, type Reply, type ReplyFields } from './reply.ts';
import type { Signature, SignatureName } from './signatures.ts';

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
export async function ask(
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
  return fieldsOf(signature, await ask(session, options, signature, inputs, summary));
}

/** @throws UnreadableReply for a choice that was not offered */
export function fieldsOf(signature: Signature, answer: Answer): ReplyFields {
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

/** With room for the mark of a second attempt within 100 characters. */
function shorten(summary: string): string {
  return summary.length > 80 ? `${summary.slice(0, 79)}…` : summary;
}
