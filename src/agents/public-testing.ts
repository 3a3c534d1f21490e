/** `tauflow/agents/testing`: a conversation without a server, for tests of a user's own agent. */

import { dumpJson } from '../benchmarks/python/index.ts';
import { DEFAULTS, RESPOND, STOP_MARKER, type Action } from '../benchmarks/pure.ts';
import { separateReasoning } from './reasoning.ts';
import type {
  AgentSession,
  AssistantMessage,
  CompletionRequest,
  Message,
  PromptRef,
  SolveEnd,
  TranscriptLine,
  StrategyDefinition,
  StrategyOptions,
} from './port.ts';

export interface Rehearsal {
  /** The model's replies, call by call; a text, or a message with tool calls ({@link toolCall}). */
  readonly replies: readonly (string | AssistantMessage)[];
  /** The user's first message, and replies to each `respond`; after the last one the conversation ends. */
  readonly user: readonly string[];
  /** Returns the observation of a tool. @default `ok` for every tool */
  readonly tool?: (action: Action) => string;
  /** Most environment steps. @default 30 */
  readonly maxSteps?: number;
  /** Name of the domain. @default 'retail' */
  readonly env?: string;
  readonly options?: Partial<StrategyOptions>;
}

export interface Rehearsed {
  readonly end: SolveEnd;
  /** The requests to the model. A reference to a text of the pack is shown as `<policy>`. */
  readonly calls: readonly (Pick<CompletionRequest, 'role' | 'thread' | 'tools'> & {
    readonly messages: readonly { readonly role: string; readonly content: string | null }[];
  })[];
  /** All steps, each as `get_order_details {"order_id": "#W1"}`. */
  readonly steps: readonly string[];
  readonly trajectory: readonly Message[];
  readonly transcript: readonly TranscriptLine[];
  readonly counts: Readonly<Record<string, number>>;
}

/** The tool that transfers the user to a human, which ends the conversation. */
const TRANSFER = 'transfer_to_human_agents';

/**
 * Runs a strategy in a conversation with scripted replies and observations. Replies have no checked fields
 * (`replyFields`).
 * @throws the strategy's own errors
 */
export async function rehearse({ solve }: StrategyDefinition, rehearsal: Rehearsal): Promise<Rehearsed> {
  const { replies, user, tool = () => 'ok', maxSteps = DEFAULTS.maxSteps, env = DEFAULTS.env, options } = rehearsal;
  const calls: Rehearsed['calls'][number][] = [];
  const steps: string[] = [];
  const transcript: TranscriptLine[] = [];
  const counts: Record<string, number> = {};
  let answers = 0;
  const session: AgentSession = {
    env,
    firstMessage: user[0] ?? '',
    trajectory: [],
    stepsLeft: () => maxSteps - steps.length,
    complete({ role, thread, tools = false, messages }) {
      const reply = replies[calls.length];
      calls.push({
        role,
        thread,
        tools,
        messages: messages.map(({ role, content }) => ({ role, content: shown(content) })),
      });
      if (reply === undefined) return Promise.reject(new Error(`no reply is written down for call ${calls.length}`));
      return Promise.resolve({
        message: separateReasoning(typeof reply === 'string' ? { role: 'assistant', content: reply } : reply),
        finishReason: 'stop',
        usage: { promptTokens: 0, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 },
        costUsd: null,
        latencyMs: 0,
      });
    },
    step(action) {
      steps.push(`${action.name} ${dumpJson(action.kwargs)}`);
      if (action.name !== RESPOND)
        return Promise.resolve({ observation: tool(action), source: action.name, done: action.name === TRANSFER });
      answers += 1;
      const observation = user[answers] ?? STOP_MARKER;
      return Promise.resolve({ observation, source: 'user', done: observation.includes(STOP_MARKER) });
    },
    count(name, by = 1) {
      counts[name] = (counts[name] ?? 0) + by;
    },
    transcribe: (line) => void transcript.push(line),
  };
  const end = await solve(session, { omitPolicy: false, useReasoning: true, ...options });
  return { end, calls, steps, trajectory: session.trajectory, transcript, counts };
}

/** Creates a reply that calls a tool. @param args JSON text, or a value that is written as JSON */
export function toolCall(name: string, args: string | Readonly<Record<string, unknown>>): AssistantMessage {
  const text = typeof args === 'string' ? args : JSON.stringify(args);
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: `call_${name}`, type: 'function', function: { name, arguments: text } }],
  };
}

function shown(content: Message['content']): string | null {
  if (content === null || typeof content === 'string') return content;
  return content.map((part) => (typeof part === 'string' ? part : refText(part))).join('');
}

/** Formats a reference: `<policy>`, `<agent-prompt react_instruction>`. */
function refText(ref: PromptRef): string {
  return 'key' in ref ? `<${ref.ref} ${ref.key}>` : `<${ref.ref}>`;
}
