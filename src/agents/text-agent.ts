/**
 * tau-bench's act and react agents. They use no tool API: the system prompt describes the tools, and the action is JSON
 * in the reply's text, after a thought (react) or without one (act).
 *
 * As in the reference, because results depend on it, the last `Action:` of a reply is the action, text after it that is
 * not JSON goes to the user, and JSON of another shape ends the episode.
 */

import { JsonError, PyError, dumpJson } from '../benchmarks/python/index.ts';
import { RESPOND, textActionOf, type Action, type TrajectoryForm } from '../benchmarks/pure.ts';
import {
  AgentError,
  type AgentSession,
  type AssistantMessage,
  type ConversationName,
  type Message,
  type PromptPart,
  type SolveEnd,
  type StrategyDefinition,
  type StrategyOptions,
  type ToolCall,
} from './port.ts';
import { replyText, transcribeStep } from './step-events.ts';

const CONVERSATION: ConversationName = { role: 'agent', thread: 'agent' };

/** The agent that acts without a thought. */
export const act: StrategyDefinition = {
  name: 'act',
  label: 'Act',
  form: 'text',
  conversation: CONVERSATION,
  solve: (session, options) => solve(session, options, 'act_instruction'),
};

/** The agent that thinks before each action; with `--no-use-reasoning` it is {@link act}. */
export const react: StrategyDefinition = {
  name: 'react',
  label: 'ReAct',
  form: 'text',
  conversation: CONVERSATION,
  solve: (session, options) => solve(session, options, options.useReasoning ? 'react_instruction' : 'act_instruction'),
};

/** Most characters of an unreadable reply in an error. */
const SHOWN_CHARS = 200;

/** @param instruction the pack's agent prompt that describes how to write an action */
async function solve(session: AgentSession, { omitPolicy }: StrategyOptions, instruction: string): Promise<SolveEnd> {
  const policy: PromptPart[] = omitPolicy ? [] : [{ ref: 'policy' }];
  const messages = session.trajectory;
  messages.push(
    {
      role: 'system',
      content: [...policy, '\n#Available tools\n', { ref: 'tools' }, { ref: 'agent-prompt', key: instruction }],
    },
    { role: 'user', content: session.firstMessage },
  );
  while (session.stepsLeft() > 0) {
    const { message } = await session.complete({ ...CONVERSATION, messages });
    const action = parseTextAction(message.content);
    messages.push(withoutCalls(message));
    showThought(session, message.content ?? '');
    const { observation, done } = await transcribeStep(session, action, () => session.step(action));
    messages.push({
      role: 'user',
      content:
        action.name === RESPOND ? observation : [{ ref: 'agent-prompt', key: 'tool_observation_prefix' }, observation],
    });
    if (done) return 'done';
  }
  return 'max_steps';
}

/** Removes calls from a reply: no tools are offered, so they have no meaning. */
function withoutCalls({ tool_calls: _calls, ...message }: AssistantMessage): AssistantMessage {
  return message;
}

/** @throws AgentError `unparsable_reply` if the reference's agent throws */
function parseTextAction(content: string | null): Action {
  try {
    return textActionOf(content);
  } catch (error) {
    if (!(error instanceof PyError || error instanceof JsonError)) throw error;
    const reply = content ?? '';
    const shown = reply.length > SHOWN_CHARS ? `${reply.slice(0, SHOWN_CHARS)}…` : reply;
    throw new AgentError('unparsable_reply', `the model's reply is not an action (${error.message}): ${shown}`);
  }
}

function showThought(session: AgentSession, reply: string): void {
  const end = reply.lastIndexOf('Action:');
  const thought = reply
    .slice(0, Math.max(0, end))
    .replace(/^\s*Thought:/, '')
    .trim();
  if (thought !== '') session.transcribe({ what: 'thought', text: thought });
}

/**
 * Converts a conversation of these agents to tool calls and their results, for readers that know no other form; a
 * conversation in the form `tools` is unchanged. A text without an action is unchanged, because it has ended the
 * episode.
 */
export function asToolCalls(messages: readonly Message[], form: TrajectoryForm = 'tools'): readonly Message[] {
  if (form === 'tools') return messages;
  let called: ToolCall | undefined;
  return messages.map((message, at): Message => {
    if (message.role === 'assistant') {
      const action = actionIn(message.content);
      called = undefined;
      if (action === undefined) return message;
      if (action.name === RESPOND) return { role: 'assistant', content: replyText(action) };
      const spoken = { name: action.name, arguments: dumpJson(action.kwargs) };
      called = { id: `call_${at}`, type: 'function', function: spoken };
      return { role: 'assistant', content: null, tool_calls: [called] };
    }
    if (message.role !== 'user' || called === undefined) return message;
    const { id, function: of } = called;
    called = undefined;
    const { content } = message;
    const observation =
      typeof content === 'string' ? content : content.filter((part) => typeof part === 'string').join('');
    return { role: 'tool', tool_call_id: id, name: of.name, content: observation };
  });
}

function actionIn(content: string | null): Action | undefined {
  try {
    return textActionOf(content);
  } catch (error) {
    if (error instanceof PyError || error instanceof JsonError) return undefined;
    throw error;
  }
}
