/**
 * Stand-in for `workflows/activities.ts` where episodes are played without a server: the real environment, and the
 * scripted model in this process. It must import nothing that imports what it stands in for.
 */

import { ActivityFailure, ApplicationFailure } from '@temporalio/common';

import { findStrategy, type AssistantMessage } from '../../src/agents/index.ts';
import { applyAction, foldActions } from '../../src/benchmarks/index.ts';
import { expandMessages, toolSchemas, readReplyFields } from '../../src/models/prompts/index.ts';
import { SERVED_WIRES, type TranscriptStore } from '../../src/models/index.ts';
import { readConversation, type ScriptedResponder } from '../../src/scripted-model/index.ts';
import type { Pack } from '../../src/benchmarks/testing.ts';
import { fromActionWire, type StepInput, type RecordedReply, type CompleteInput } from '../../src/episode/index.ts';
import { FailureType, type TaskQueues, type CompleteOutput } from '../../src/evaluation/index.ts';

/** Makes a call fail as the real activity does; `prompt` is all that the model would read. */
export type Trouble = (input: CompleteInput, prompt: string) => ApplicationFailure | undefined;

/** State of the mocked activities; one episode at a time. */
export interface Stage {
  readonly pack: Pack;
  readonly responder: ScriptedResponder;
  readonly transcripts: TranscriptStore;
  readonly live: CompleteInput[];
  readonly replies: RecordedReply[];
  readonly trouble: Trouble;
}

let stage: Stage | undefined;

/** Puts an episode on the stage. */
export function setStage(next: Stage): void {
  stage = next;
}

/** Replaces `workflows/activities.ts`. */
export const stagedActivities = {
  proxyModelCalls: (_queues: TaskQueues, _provider: string) => ({
    complete: { executeWithOptions: (_: object, [input]: [CompleteInput]) => complete(onStage(), input) },
  }),
  environment: {
    step: { executeWithOptions: (_: object, [input]: [StepInput]) => step(onStage(), input) },
  },
};

function onStage(): Stage {
  if (stage === undefined) throw new Error('no episode is played');
  return stage;
}

function step({ pack }: Stage, { writes, action }: StepInput) {
  return Promise.resolve(applyAction(pack, foldActions(pack, writes.map(fromActionWire)), fromActionWire(action)));
}

function complete({ pack, responder, transcripts, live, replies, trouble }: Stage, input: CompleteInput) {
  live.push(structuredClone(input));
  const { role, transcript } = input;
  const messages = transcripts.resolve(transcript.thread, transcript);
  if (messages === undefined) throw new Error(`a call carries only a part of ${transcript.thread} that nobody knows`);
  const expanded = expandMessages(messages, promptContext(pack, input));
  const failure = trouble(input, JSON.stringify(expanded));
  if (failure !== undefined) {
    const error = ({ ContextOverflow: 'context_overflow', ContentFilter: 'content_filter' } as const)[
      failure.type ?? ''
    ];
    if (error !== undefined) {
      replies.push({ role, thread: transcript.thread, result: { kind: 'failure', error, message: failure.message } });
    }
    return Promise.reject(new ActivityFailure('failed', 'complete', '1', 'NON_RETRYABLE_FAILURE', undefined, failure));
  }
  const said = responder.play(
    input.model.model,
    readConversation(
      SERVED_WIRES.chat.read(
        JSON.parse(
          JSON.stringify({
            model: input.model.model,
            messages: expanded,
            ...(input.tools ? { tools: toolSchemas(pack) } : {}),
            ...(input.format === 'json' ? { response_format: { type: 'json_object' } } : {}),
            seed: input.seed,
          }),
        ),
      ),
    ),
  );
  const message: AssistantMessage =
    said.toolCall === undefined
      ? { role: 'assistant', content: said.content }
      : {
          role: 'assistant',
          content: said.content,
          tool_calls: [{ id: `call_${said.position}`, type: 'function', function: said.toolCall }],
        };
  const fields =
    input.replyFields === undefined
      ? {}
      : {
          fields: readReplyFields(
            message.content,
            findStrategy(input.strategy)?.replyFields?.(input.replyFields, pack.domain) ?? [],
          ),
        };
  const output: CompleteOutput = {
    message,
    finishReason: 'stop',
    usage: { promptTokens: 100, completionTokens: 10, cachedTokens: 0, reasoningTokens: 0 },
    costUsd: 0.001,
    latencyMs: 1,
    servedModel: 'played',
    fingerprint: null,
    requestId: null,
    attempt: 1,
    ...fields,
  };
  replies.push({
    role,
    thread: transcript.thread,
    result: { kind: 'completion', message, finishReason: 'stop', ...fields },
  });
  return Promise.resolve(output);
}

export function promptContext(
  pack: Pack,
  {
    strategy: name,
    strategyOptions: options,
    split,
    episode,
    seed,
  }: Pick<CompleteInput, 'strategy' | 'strategyOptions' | 'split' | 'episode' | 'seed'>,
) {
  const strategy = findStrategy(name);
  if (strategy === undefined) throw new Error(`there is no strategy ${name}`);
  return { pack, split, taskId: episode.taskId, strategy, options, seed };
}

export const OVERFLOW = ApplicationFailure.nonRetryable('400 too long', FailureType.ContextOverflow);
