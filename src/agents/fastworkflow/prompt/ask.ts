/** One prompt and its reply: asked in chat form, and once more in JSON form when the reply cannot be read. */

import { AgentError, type AgentSession, type StrategyOptions } from '../../port.ts';
import { promptMessages, type PromptInputs, type ReplyForm } from './messages.ts';
import { readReply, type Reply, type ReplyFields } from './reply.ts';
import type { Signature } from './signatures.ts';

export type Answer = Exclude<Reply, { readonly kind: 'unreadable' }>;

/**
 * Only the completion is repeated, never what led to it, so commands that already ran do not run again.
 *
 * @returns the fields, or the illegal choice that the model made twice
 * @throws AgentError `unparsable_reply` when the JSON form could not be read either
 */
export async function ask(
  session: AgentSession,
  options: StrategyOptions,
  signature: Signature,
  inputs: PromptInputs,
): Promise<Answer> {
  const first = await askOnce(session, options, signature, inputs, 'chat');
  if (first.kind === 'fields') return first;
  const second = await askOnce(session, options, signature, inputs, 'json');
  if (second.kind !== 'unreadable') return second;
  throw new AgentError(
    'unparsable_reply',
    `the model's answer to the ${signature.name} prompt could not be read, as text or as JSON: ${second.problem}`,
  );
}

/** As {@link ask}, for prompts without a choice. */
export async function askForText(
  session: AgentSession,
  options: StrategyOptions,
  signature: Signature,
  inputs: PromptInputs,
): Promise<ReplyFields> {
  const answer = await ask(session, options, signature, inputs);
  if (answer.kind === 'fields') return answer.fields;
  throw new AgentError('unparsable_reply', `${answer.value} is no value of ${answer.field}`);
}

async function askOnce(
  session: AgentSession,
  options: StrategyOptions,
  signature: Signature,
  inputs: PromptInputs,
  form: ReplyForm,
): Promise<Reply> {
  const completion = await session.complete({
    role: signature.role,
    thread: signature.kind,
    messages: promptMessages(signature, inputs, options, form),
    ...(form === 'json' ? { format: 'json' as const } : {}),
  });
  return readReply(completion.message.content, signature.outputs);
}
