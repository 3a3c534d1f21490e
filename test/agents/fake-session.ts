/** An agent session without a server: scripted model replies, an environment given as a function. */

import { dumpJson } from '../../src/benchmarks/python/index.ts';
import {
  separateReasoning,
  type AgentSession,
  type AssistantMessage,
  type Completion,
  type CompletionRequest,
  type Message,
  type PromptRef,
  type TranscriptLine,
  type StrategyDefinition,
  type StrategyOptions,
} from '../../src/agents/index.ts';
import { RESPOND, STOP_MARKER, type Action } from '../../src/benchmarks/index.ts';
import { readReplyFields } from '../../src/models/prompts/index.ts';

export const OPTIONS: StrategyOptions = { omitPolicy: false, useReasoning: true };
export const POLICY = 'Be kind to customers.';

/** A model call as the model would see it: references filled in, parts joined. */
export interface Asked {
  readonly role: string;
  readonly thread: string;
  readonly tools: boolean;
  readonly format: string;
  readonly messages: readonly { readonly role: string; readonly content: string | null }[];
  /** The request as it was made, copied. */
  readonly request: CompletionRequest;
}

export type ScriptedReply = string | null | AssistantMessage | ((asked: Asked) => string);

export interface FakeSession extends AgentSession {
  readonly asked: Asked[];
  /** `name kwargs-as-json` of every step taken. */
  readonly steps: string[];
  readonly counts: ReadonlyMap<string, number>;
  readonly transcript: readonly TranscriptLine[];
}

export interface FakeSessionSetup {
  readonly replies: readonly ScriptedReply[];
  readonly strategy?: StrategyDefinition;
  readonly options?: StrategyOptions;
  readonly firstMessage?: string;
  /** The user's words to each respond in turn; then the stop marker. */
  readonly userReplies?: readonly string[];
  /** A tool's observation; default `ok`. */
  readonly tool?: (action: Action) => string;
  readonly maxSteps?: number;
  /** Texts that a worker would fill in; default: the policy and the strategy's own. */
  readonly prompts?: (ref: PromptRef) => string;
  /** The domain; default retail. */
  readonly env?: string;
}

export function fakeSession(setup: FakeSessionSetup): FakeSession {
  const { env = 'retail' } = setup;
  const asked: Asked[] = [];
  const steps: string[] = [];
  const counts = new Map<string, number>();
  const transcript: TranscriptLine[] = [];
  const userReplies = [...(setup.userReplies ?? [])];
  /** Reads the reply as the `complete` activity does. */
  const withFields = (made: Completion, { replyFields: key }: CompletionRequest): Completion => {
    if (key === undefined) return made;
    const definitions = setup.strategy?.replyFields?.(key, env);
    if (definitions === undefined) throw new Error(`the strategy has no reply fields ${key}`);
    return { ...made, fields: readReplyFields(made.message.content, definitions) };
  };
  const expand = setup.prompts ?? ((ref: PromptRef) => expandRef(ref, env, setup.strategy, setup.options ?? OPTIONS));
  return {
    asked,
    steps,
    counts,
    transcript,
    env,
    firstMessage: setup.firstMessage ?? 'Hello.',
    trajectory: [],
    stepsLeft: () => (setup.maxSteps ?? 30) - steps.length,
    complete(request) {
      const call = toAsked(structuredClone(request), expand);
      const reply = setup.replies[asked.length];
      asked.push(call);
      if (reply === undefined) return Promise.reject(new Error(`no reply is scripted for call ${asked.length}`));
      return Promise.resolve(withFields(completion(typeof reply === 'function' ? reply(call) : reply), request));
    },
    count(name, by = 1) {
      counts.set(name, (counts.get(name) ?? 0) + by);
    },
    transcribe(line) {
      transcript.push(line);
    },
    step(action) {
      steps.push(`${action.name} ${dumpJson(action.kwargs)}`);
      if (action.name === RESPOND) {
        const observation = userReplies.shift() ?? STOP_MARKER;
        return Promise.resolve({ observation, source: 'user', done: observation.includes(STOP_MARKER) });
      }
      const observation = setup.tool?.(action) ?? 'ok';
      return Promise.resolve({ observation, source: action.name, done: action.name === 'transfer_to_human_agents' });
    },
  };
}

export function completion(reply: string | null | AssistantMessage): Completion {
  const isText = typeof reply === 'string' || reply === null;
  return {
    message: separateReasoning(isText ? { role: 'assistant', content: reply } : reply),
    finishReason: 'stop',
    usage: { promptTokens: 1, completionTokens: 1, cachedTokens: 0, reasoningTokens: 0 },
    costUsd: null,
    latencyMs: 1,
  };
}

export function toAsked(request: CompletionRequest, expand: (ref: PromptRef) => string): Asked {
  return {
    role: request.role,
    thread: request.thread,
    tools: request.tools ?? false,
    format: request.format ?? 'text',
    messages: request.messages.map((message) => ({ role: message.role, content: contentText(message, expand) })),
    request,
  };
}

function contentText(message: Message, expand: (ref: PromptRef) => string): string | null {
  if (message.content === null || typeof message.content === 'string') return message.content;
  return message.content.map((part) => (typeof part === 'string' ? part : expand(part))).join('');
}

export function expandRef(
  ref: PromptRef,
  env: string,
  strategy: StrategyDefinition | undefined,
  options: StrategyOptions,
): string {
  if (ref.ref === 'policy') return POLICY;
  if (ref.ref !== 'strategy-text') throw new Error(`the fake session knows no ${ref.ref}`);
  const render = strategy?.texts?.[ref.key];
  if (render === undefined) throw new Error(`the strategy has no text ${ref.key}`);
  return render({ env, policy: POLICY, toolsJson: '[]', options });
}
