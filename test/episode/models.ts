/** Models that play an episode's calls: lines by side, or the scripted model in this process. */

import { findStrategy, type AssistantMessage, type Message } from '../../src/agents/index.ts';
import type { Pack } from '../../src/benchmarks/testing.ts';
import type { CompleteInput, RecordedReply } from '../../src/episode/index.ts';
import { toAgentErrorKind, type CompleteOutput } from '../../src/evaluation/index.ts';
import { expandMessages, readReplyFields, toolSchemas } from '../../src/models/prompts/index.ts';
import { newResponder, play } from '../scripted-model/helpers.ts';
import type { PlayedFailure } from './stage.ts';
import type { Cast } from './stage.ts';

/** A model's reply: a text, silence, a message, or the whole of a call's output or failure. */
export type Line = string | null | AssistantMessage | (() => Promise<Partial<CompleteOutput>>);

export function reply(message: AssistantMessage, changes: Partial<CompleteOutput> = {}): CompleteOutput {
  return {
    message,
    finishReason: 'stop',
    usage: { promptTokens: 100, completionTokens: 10, cachedTokens: 0, reasoningTokens: 0 },
    costUsd: 0.001,
    latencyMs: 1,
    servedModel: 'played',
    fingerprint: null,
    requestId: null,
    attempt: 1,
    ...changes,
  };
}

/** Each side says its lines in turn; the last one is said again when there is none left. */
export function playLines(lines: {
  readonly agent?: readonly Line[];
  readonly user: readonly Line[];
  readonly judge?: readonly Line[];
}) {
  const heard: Record<'agent' | 'user' | 'judge', (readonly Message[])[]> = { agent: [], user: [], judge: [] };
  const complete: Cast['complete'] = async ({ role }, messages) => {
    const side = role === 'user' || role === 'judge' ? role : role.startsWith('user') ? 'user' : 'agent';
    heard[side].push(messages);
    const mine = lines[side] ?? [];
    const line = mine[Math.min(heard[side].length, mine.length) - 1] ?? null;
    if (typeof line === 'function') return reply({ role: 'assistant', content: null }, await line());
    return reply(line === null || typeof line === 'string' ? { role: 'assistant', content: line } : line);
  };
  return { complete, heard };
}

/** Makes a call fail as the real activity does; `prompt` is all that the model would read. */
export type Trouble = (input: CompleteInput, prompt: string) => PlayedFailure | undefined;

/** The scripted model. */
export function playScripted(pack: Pack, trouble: Trouble = () => undefined) {
  const responder = newResponder(pack);
  /** Results of the calls that the strategy or the user saw. */
  const replies: RecordedReply[] = [];
  const complete: Cast['complete'] = (input, conversation) => {
    const { role, strategy: name, strategyOptions: options, split, episode, seed } = input;
    const { thread } = input.transcript;
    const strategy = findStrategy(name);
    if (strategy === undefined) throw new Error(`there is no strategy ${name}`);
    const messages = expandMessages(conversation, { pack, split, taskId: episode.taskId, strategy, options, seed });
    const failed = trouble(input, JSON.stringify(messages));
    if (failed !== undefined) {
      const error = toAgentErrorKind(failed.failure.type);
      if (error !== undefined)
        replies.push({ role, thread, result: { kind: 'failure', error, message: failed.message } });
      return Promise.reject(failed);
    }
    const said = play(responder, {
      model: input.model.model,
      messages,
      tools: input.tools ? toolSchemas(pack) : undefined,
      response_format: input.format === 'json' ? { type: 'json_object' } : undefined,
      seed,
    });
    const { content, toolCall } = said;
    const call = toolCall && { id: `call_${said.position}`, type: 'function' as const, function: toolCall };
    const message: AssistantMessage = { role: 'assistant', content, ...(call && { tool_calls: [call] }) };
    const wanted = input.replyFields && (strategy.replyFields?.(input.replyFields, pack.domain) ?? []);
    const fields = wanted && { fields: readReplyFields(content, wanted) };
    replies.push({ role, thread, result: { kind: 'completion', message, finishReason: 'stop', ...fields } });
    return Promise.resolve(reply(message, { ...fields }));
  };
  return { complete, replies };
}
