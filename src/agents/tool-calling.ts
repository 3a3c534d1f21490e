/**
 * tau-bench's tool-calling agent: the policy as system prompt, the domain's tools through the provider's tool API.
 *
 * As in the reference, because results depend on it, only a reply's first tool call is executed, the user never sees
 * text beside it, a reply without tool calls goes to the user, and a reply without text and calls ends the episode.
 */

import { JsonError, isDict, parseJson, type PyValue } from '../benchmarks/python/index.ts';
import { RESPOND, type Action } from '../benchmarks/pure.ts';
import {
  AgentError,
  type AgentSession,
  type AssistantMessage,
  type ConversationName,
  type Message,
  type PromptContent,
  type PromptPart,
  type SolveEnd,
  type Strategy,
  type StrategyDefinition,
  type StrategyOptions,
  type ToolCall,
} from './port.ts';
import { transcribeStep } from './step-events.ts';

/** System prompt of the variant without a policy, because some providers refuse an empty system message. */
const WITHOUT_POLICY = 'You are a customer service agent.';
/** Most characters of unreadable arguments in an error. */
const SHOWN_CHARS = 200;

const CONVERSATION: ConversationName = { role: 'agent', thread: 'agent' };

export const toolCalling: StrategyDefinition = toolCaller({ name: 'tool-calling', label: 'TC' }, policyPrompt);

/** Returns the policy, or its replacement. */
export function policyPrompt({ omitPolicy }: StrategyOptions): readonly PromptPart[] {
  return [omitPolicy ? WITHOUT_POLICY : { ref: 'policy' }];
}

/** Returns a strategy like this one with another system prompt. */
export function toolCaller(
  definition: Pick<StrategyDefinition, 'name' | 'label' | 'options' | 'notes'>,
  systemPrompt: (options: StrategyOptions) => PromptContent,
): StrategyDefinition {
  const takeOver: Strategy = (session, options) => {
    session.trajectory.unshift({ role: 'system', content: systemPrompt(options) });
    return converse(session);
  };
  return {
    ...definition,
    conversation: CONVERSATION,
    solve(session, options) {
      session.trajectory.push({ role: 'user', content: session.firstMessage });
      return takeOver(session, options);
    },
    takeOver,
  };
}

async function converse(session: AgentSession): Promise<SolveEnd> {
  const messages = session.trajectory;
  while (session.stepsLeft() > 0) {
    const completion = await session.complete({ ...CONVERSATION, messages, tools: true });
    for (const [at, message] of takenReplies(session, completion.message).entries()) {
      const { content: text, tool_calls: calls } = message;
      const action = actionOfReply(message);
      messages.push(message);
      if (calls !== undefined && text !== null && text !== '') session.transcribe({ what: 'thought', text });
      const settings = at === 0 ? {} : { continues: true as const };
      const { observation, done } = await transcribeStep(session, action, () => session.step(action, settings));
      messages.push(observationMessage(message, observation));
      if (done) return 'done';
    }
  }
  return 'max_steps';
}

/** Splits a reply into messages with at most one call each; calls that are not executed are left out. */
function takenReplies({ takesAllCalls }: AgentSession, message: AssistantMessage): AssistantMessage[] {
  const [, ...others] = takesAllCalls === true ? (message.tool_calls ?? []) : [];
  return [
    withFirstCallOnly(message),
    ...others.map((call): AssistantMessage => ({ role: 'assistant', content: null, tool_calls: [call] })),
  ];
}

/** Returns the message for the model after a reply: a tool's observation, or the user's message. */
export function observationMessage({ tool_calls: calls }: AssistantMessage, observation: string): Message {
  const call = calls?.[0];
  return call === undefined || call.function.name === RESPOND
    ? { role: 'user', content: observation }
    : { role: 'tool', tool_call_id: call.id, name: call.function.name, content: observation };
}

/** Returns the reply for the trajectory, with only the executed call. */
export function withFirstCallOnly(message: AssistantMessage): AssistantMessage {
  const calls = message.tool_calls;
  return calls === undefined || calls.length < 2 ? message : { ...message, tool_calls: calls.slice(0, 1) };
}

/**
 * Returns the action of a reply by a model with tools: its first tool call, or its text for the user.
 * @throws AgentError `invalid_tool_arguments` when the arguments are not a JSON object, as in the reference
 */
export function actionOfReply({ content, tool_calls: calls }: AssistantMessage): Action {
  const call = calls?.[0];
  if (call === undefined) return { name: RESPOND, kwargs: new Map([['content', content]]) };
  let kwargs: PyValue;
  try {
    kwargs = parseJson(call.function.arguments);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw invalidArguments(call, `are not JSON (${error.message})`);
  }
  if (!isDict(kwargs)) throw invalidArguments(call, 'are not a JSON object');
  return { name: call.function.name, kwargs };
}

/** Creates the error. Its message quotes the arguments, because the trajectory contains only executed calls. */
function invalidArguments(call: ToolCall, problem: string): AgentError {
  const { name, arguments: text } = call.function;
  const shown = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
  return new AgentError('invalid_tool_arguments', `the arguments of the call of ${name} ${problem}: ${shown}`);
}
