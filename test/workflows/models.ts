/** Models that tests play: replies by role and turn, gates that hold a call back, failures. */

import type { AssistantMessage, ToolCall } from '../../src/agents/index.ts';
import { ModelCallError, type CallModel, type ModelRequest, type ModelReply } from '../../src/models/index.ts';

/** A model's reply: a text, silence, a message, or whatever a function makes of the call. */
export type Line = string | null | AssistantMessage | LineFunction;
export type LineFunction = (request: ModelRequest, signal: AbortSignal) => Promise<Line>;

export interface PlayedModel {
  readonly callModel: CallModel;
  readonly agentCalls: readonly ModelRequest[];
  readonly userCalls: readonly ModelRequest[];
}

/** Each role says its lines in turn; the last one is said again when there is none left. */
export function playLines(lines: { readonly agent: readonly Line[]; readonly user: readonly Line[] }): PlayedModel {
  const agentCalls: ModelRequest[] = [];
  const userCalls: ModelRequest[] = [];
  const callModel: CallModel = async (request, { signal = new AbortController().signal }) => {
    const isAgent = isAgentsCall(request);
    const calls = isAgent ? agentCalls : userCalls;
    calls.push(request);
    const mine = isAgent ? lines.agent : lines.user;
    let line = mine[Math.min(calls.length, mine.length) - 1] ?? null;
    while (typeof line === 'function') line = await line(request, signal);
    return replyOf(line);
  };
  return { callModel, agentCalls, userCalls };
}

/** The agent is offered tools, or asked for FastWorkflow's fields; the simulated user never. */
function isAgentsCall({ tools, messages }: ModelRequest): boolean {
  return tools !== undefined || messages.some(({ content }) => content?.includes('[[ ## ') === true);
}

export function replyOf(line: string | null | AssistantMessage): ModelReply {
  const message: AssistantMessage =
    line === null || typeof line === 'string' ? { role: 'assistant', content: line } : line;
  return {
    message,
    finishReason: message.tool_calls === undefined ? 'stop' : 'tool_calls',
    usage: { promptTokens: 100, completionTokens: 10, cachedTokens: 0, reasoningTokens: 0 },
    usageReported: true,
    servedModel: 'played',
    fingerprint: null,
    requestId: null,
    latencyMs: 1,
  };
}

let calls = 0;

/** A message that calls tools; arguments are an object, or the text that a careless model writes. */
export function calling(...tools: readonly (readonly [name: string, args: object | string])[]): AssistantMessage {
  const toolCalls = tools.map<ToolCall>(([name, args]) => ({
    id: `call_${(calls += 1)}`,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }));
  return { role: 'assistant', content: null, tool_calls: toolCalls };
}

/** Says nothing until the request is aborted. */
export const hang = (_request: ModelRequest, signal: AbortSignal): Promise<Line> =>
  new Promise((_, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });

export const refuse = (): Promise<Line> =>
  Promise.reject(
    new ModelCallError({ type: 'NotAuthorised', retryable: false, message: '401 Incorrect API key', status: 401 }),
  );

/** Fails for good, and says nothing about other episodes. */
export const unavailable = (): Promise<Line> =>
  Promise.reject(
    new ModelCallError({ type: 'ModelUnavailable', retryable: false, message: '503 overloaded', status: 503 }),
  );

/** Too long for the model's context. */
export const overflow = (): Promise<Line> =>
  Promise.reject(
    new ModelCallError({ type: 'ContextOverflow', retryable: false, message: '400 too long', status: 400 }),
  );

/** Fails the first time, as a provider that is overloaded; says its line from then on. */
export function failOnce(line: Line): Line {
  let isFirst = true;
  return () => {
    if (!isFirst) return Promise.resolve(line);
    isFirst = false;
    return Promise.reject(
      new ModelCallError({ type: 'ModelUnavailable', retryable: true, message: '503 overloaded', status: 503 }),
    );
  };
}

export const STOP = 'Thank you. ###STOP###';

/** Every episode alike: the customer says hello, the agent answers, the customer is content. Three calls. */
export const quickModel: CallModel = (request) => {
  if (request.tools !== undefined) return Promise.resolve(replyOf('Hello, done.'));
  const isOpening = request.messages.length === 2;
  return Promise.resolve(replyOf(isOpening ? 'Hi.' : STOP));
};
